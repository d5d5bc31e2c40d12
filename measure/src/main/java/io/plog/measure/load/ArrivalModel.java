package io.plog.measure.load;

/**
 * What decides when a request is sent: a closed loop sends the next when a reply comes, an open one at intended times, and a
 * partly open one at intended times of whole connections. Checked once, here.
 *
 * @param connections how many, at least 1
 * @param outstanding requests that each keeps under way in a closed loop, 1 to 65536; without meaning otherwise
 * @param ratePerSecond of all processes together, over 0 and at most 10 million; 0 in a closed loop
 * @param arrivals how intended times follow each other; without meaning in a closed loop
 * @param requestsPerConnection after how many replies a connection is closed and made anew; 0 for never, which a partly open loop
 *     cannot have. An open loop, and a closed one with several outstanding, keep their connections
 */
public record ArrivalModel(
        LoadMode mode,
        int connections,
        int outstanding,
        double ratePerSecond,
        ArrivalTimes.Kind arrivals,
        int requestsPerConnection) {

    /**
     * Checks every value.
     *
     * @throws IllegalArgumentException if one is out of its range or does not go with the mode; the message names it, its
     *     value and what is expected
     */
    public ArrivalModel {
        LoadPlan.check("outstanding", outstanding, 1, 65_536);
        checkRate(mode, ratePerSecond);
        if (mode == LoadMode.PARTLY_OPEN) {
            LoadPlan.check("requests-per-connection", requestsPerConnection, 1, Integer.MAX_VALUE);
        } else if (requestsPerConnection != 0) {
            checkReconnecting(mode, outstanding, requestsPerConnection);
        }
    }

    private static void checkReconnecting(LoadMode mode, int outstanding, int requestsPerConnection) {
        LoadPlan.check("requests-per-connection", requestsPerConnection, 0, Integer.MAX_VALUE);
        if (mode == LoadMode.OPEN || outstanding != 1) {
            throw new IllegalArgumentException(
                    "requests-per-connection is " + requestsPerConnection + ", and the load is " + mode.label()
                            + (mode == LoadMode.OPEN ? "" : " with " + outstanding + " outstanding")
                            + ": only partly-open, and closed with one request outstanding, make connections anew");
        }
    }

    private static void checkRate(LoadMode mode, double ratePerSecond) {
        if (!mode.isScheduled()) {
            if (ratePerSecond != 0) {
                throw new IllegalArgumentException(
                        "rate is " + ratePerSecond + ", and the load is closed: a closed loop has"
                                + " no rate of its own; choose --mode open or partly-open");
            }
        } else if (!(ratePerSecond > 0) || ratePerSecond > 1e7) {
            throw new IllegalArgumentException("rate is " + ratePerSecond + ", and the load is " + mode.label()
                    + ": expected requests a second, over 0 and at most 10000000");
        }
    }
}
