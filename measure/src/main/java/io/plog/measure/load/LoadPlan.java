package io.plog.measure.load;

import io.plog.measure.ledger.LedgerOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A load on one target of a server. Checked once, here; {@link #builder} has the defaults.
 *
 * @param host the server's name or address
 * @param port its port, 1 to 65535
 * @param target the target's name
 * @param mode what decides when a request is sent
 * @param connections how many, 1 to 65535
 * @param outstanding requests that each keeps under way in a closed loop, 1 to 65536; without meaning otherwise
 * @param ratePerSecond of all parts together, over 0 and at most 10 million; 0 in a closed loop
 * @param arrivals how intended times follow each other; without meaning in a closed loop
 * @param requestsPerConnection after how many replies a connection is closed and made anew; 0 for never, which a partly open loop
 *     cannot be. An open loop, and a closed one with several outstanding, keep their connections
 * @param mix the payload sizes
 * @param loggedShare the share of the requests that are to be logged, 0 to 1; the others are read-only
 * @param warmUp how long requests are sent before counting begins, 0 to 1 h
 * @param duration for how long they are then sent and counted, 100 ms to 24 h; zero if {@code requests} ends it
 * @param requests how many are counted, in a closed loop only; 0 if {@code duration} ends it
 * @param mostOutstanding how many requests may be due or under way without reply before the run is given up, 1 to 10 million
 * @param blocks into how many equal stretches the time is cut for the intervals, 1 to 1000
 * @param seed decides arrivals, sizes, kinds and payloads
 * @param part which process of the run this is, from 0
 * @param parts how many processes take part, 1 to 1000; each has its share of connections, rate and requests
 * @param ledger where to append a line for each acknowledgement of a request that is to be logged, if anywhere
 * @param command the command line that repeats it, for the record
 */
public record LoadPlan(
        String host,
        int port,
        String target,
        LoadMode mode,
        int connections,
        int outstanding,
        double ratePerSecond,
        ArrivalTimes.Kind arrivals,
        int requestsPerConnection,
        Mix mix,
        double loggedShare,
        Duration warmUp,
        Duration duration,
        long requests,
        int mostOutstanding,
        int blocks,
        long seed,
        int part,
        int parts,
        @Nullable LedgerOptions ledger,
        String command) {

    /** How many connections a client can have to one address of a server. */
    public static final int MOST_CONNECTIONS = 65_535;

    /** How long requests are counted by default. */
    public static final Duration DEFAULT_DURATION = Duration.ofSeconds(60);

    /** How long requests are sent before that by default. */
    public static final Duration DEFAULT_WARM_UP = Duration.ofSeconds(5);

    /** Requests without reply at which a run is given up by default. */
    public static final int DEFAULT_MOST_OUTSTANDING = 100_000;

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final Duration LONGEST_WARM_UP = Duration.ofHours(1);

    /**
     * Checks every value.
     *
     * @throws IllegalArgumentException if one is out of its range or does not go with the mode; the message names it, its
     *     value and what is expected
     */
    public LoadPlan {
        check("port", port, 1, 65_535);
        check("parts", parts, 1, 1_000);
        check("part", part, 0, parts - 1);
        check("connections", connections, parts, (long) MOST_CONNECTIONS * parts);
        check("outstanding", outstanding, 1, 65_536);
        check("max-outstanding", mostOutstanding, 1, 10_000_000);
        check("blocks", blocks, 1, 1_000);
        checkRate(mode, ratePerSecond);
        if (mode == LoadMode.PARTLY_OPEN) {
            check("requests-per-connection", requestsPerConnection, 1, Integer.MAX_VALUE);
        } else if (requestsPerConnection != 0) {
            checkAnew(mode, outstanding, requestsPerConnection);
        }
        if (!(loggedShare >= 0) || loggedShare > 1) {
            throw new IllegalArgumentException(
                    "the share of logged requests is " + loggedShare * 100 + " %: expected 0 to 100 %");
        }
        checkTime("warmup", warmUp, Duration.ZERO, LONGEST_WARM_UP);
        if (requests == 0) {
            checkTime("duration", duration, SHORTEST, LONGEST);
        } else if (mode.isScheduled()) {
            throw new IllegalArgumentException("requests is " + requests + ", and the load is " + mode.label()
                    + ": only a closed loop ends after a number of requests, the others take a duration");
        } else {
            check("requests", requests, parts, 1_000_000_000);
            if (!duration.isZero()) {
                throw new IllegalArgumentException(
                        "requests is " + requests + " and duration " + duration + ": expected one of them");
            }
        }
    }

    /** How many of the connections are this part's; the first parts take what does not divide evenly. */
    public int ownConnections() {
        return connections / parts + (part < connections % parts ? 1 : 0);
    }

    /** How many of the requests to be counted are this part's. */
    public long ownRequests() {
        return requests / parts + (part < requests % parts ? 1 : 0);
    }

    /** The load's rate as one process offers it. */
    public double ownRatePerSecond() {
        return ratePerSecond / parts;
    }

    /** Whether there are requests that are not to be logged. */
    public boolean hasReadOnly() {
        return loggedShare < 1;
    }

    /** The same against a server that is called otherwise, as it may be from another machine. */
    LoadPlan against(String otherHost, int otherPort) {
        Builder builder = new Builder(otherHost, otherPort, target);
        builder.take(this);
        return builder.build();
    }

    /** A builder with this plan's values. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** A builder with the defaults: a closed loop of one connection with one request of 100 bytes outstanding, for 60 s. */
    public static Builder builder(String host, int port, String target) {
        return new Builder(host, port, target);
    }

    private static void checkAnew(LoadMode mode, int outstanding, int requestsPerConnection) {
        check("requests-per-connection", requestsPerConnection, 0, Integer.MAX_VALUE);
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

    private static void checkTime(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " is " + value.toMillis() + " ms: expected " + least.toMillis()
                    + " ms to " + most.toHours() + " h");
        }
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ": expected " + least + " to " + most);
        }
    }

    /** Collects the values of a plan. Not thread-safe. */
    public static final class Builder {
        private final String host;
        private final int port;
        private String target;
        private LoadMode mode = LoadMode.CLOSED;
        private int connections = 1;
        private int outstanding = 1;
        private double ratePerSecond;
        private ArrivalTimes.Kind arrivals = ArrivalTimes.Kind.CONSTANT;
        private int requestsPerConnection;
        private Mix mix = Mix.only(100);
        private double loggedShare = 1;
        private Duration warmUp = DEFAULT_WARM_UP;
        private Duration duration = DEFAULT_DURATION;
        private long requests;
        private int mostOutstanding = DEFAULT_MOST_OUTSTANDING;
        private int blocks = 10;
        private long seed = 1;
        private int part;
        private int parts = 1;
        private @Nullable LedgerOptions ledger;
        private String command = "";

        private Builder(String host, int port, String target) {
            this.host = host;
            this.port = port;
            this.target = target;
        }

        private Builder(LoadPlan plan) {
            this(plan.host, plan.port, plan.target);
            take(plan);
        }

        private void take(LoadPlan plan) {
            mode = plan.mode;
            connections = plan.connections;
            outstanding = plan.outstanding;
            ratePerSecond = plan.ratePerSecond;
            arrivals = plan.arrivals;
            requestsPerConnection = plan.requestsPerConnection;
            mix = plan.mix;
            loggedShare = plan.loggedShare;
            warmUp = plan.warmUp;
            duration = plan.duration;
            requests = plan.requests;
            mostOutstanding = plan.mostOutstanding;
            blocks = plan.blocks;
            seed = plan.seed;
            part = plan.part;
            parts = plan.parts;
            ledger = plan.ledger;
            command = plan.command;
        }

        /** Another target. */
        public Builder target(String name) {
            target = name;
            return this;
        }

        /** A closed loop. */
        public Builder closed(int withConnections, int withOutstanding) {
            mode = LoadMode.CLOSED;
            connections = withConnections;
            outstanding = withOutstanding;
            ratePerSecond = 0;
            requestsPerConnection = 0;
            return this;
        }

        /** An open loop. */
        public Builder open(int withConnections, double atRatePerSecond, ArrivalTimes.Kind withArrivals) {
            mode = LoadMode.OPEN;
            connections = withConnections;
            ratePerSecond = atRatePerSecond;
            arrivals = withArrivals;
            requestsPerConnection = 0;
            return this;
        }

        /** A partly open loop. */
        public Builder partlyOpen(
                int withConnections, int requestsOnEach, double atRatePerSecond, ArrivalTimes.Kind withArrivals) {
            mode = LoadMode.PARTLY_OPEN;
            connections = withConnections;
            requestsPerConnection = requestsOnEach;
            ratePerSecond = atRatePerSecond;
            arrivals = withArrivals;
            return this;
        }

        /** After how many replies connections are made anew, in a closed loop too; 0 for never. */
        public Builder requestsPerConnection(int requestsOnEach) {
            requestsPerConnection = requestsOnEach;
            return this;
        }

        /** The payload sizes. */
        public Builder mix(Mix sizes) {
            mix = sizes;
            return this;
        }

        /** The share of the requests that are to be logged, 0 to 1. */
        public Builder loggedShare(double share) {
            loggedShare = share;
            return this;
        }

        /** How long to send before counting. */
        public Builder warmUp(Duration time) {
            warmUp = time;
            return this;
        }

        /** How long to send and count. */
        public Builder duration(Duration time) {
            duration = time;
            requests = 0;
            return this;
        }

        /** How many requests to count. */
        public Builder requests(long count) {
            requests = count;
            duration = Duration.ZERO;
            return this;
        }

        /** How many requests may be without reply before the run is given up. */
        public Builder mostOutstanding(int count) {
            mostOutstanding = count;
            return this;
        }

        /** Into how many stretches the time is cut. */
        public Builder blocks(int count) {
            blocks = count;
            return this;
        }

        /** Decides everything that is drawn. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** Which of so many processes this is. */
        public Builder part(int number, int of) {
            part = number;
            parts = of;
            return this;
        }

        /** Where acknowledgements are written down. */
        public Builder ledger(@Nullable LedgerOptions options) {
            ledger = options;
            return this;
        }

        /** The command line that repeats it. */
        public Builder command(String line) {
            command = line;
            return this;
        }

        /**
         * The checked plan.
         *
         * @throws IllegalArgumentException as {@link LoadPlan}
         */
        public LoadPlan build() {
            return new LoadPlan(
                    host,
                    port,
                    target,
                    mode,
                    connections,
                    outstanding,
                    ratePerSecond,
                    arrivals,
                    requestsPerConnection,
                    mix,
                    loggedShare,
                    warmUp,
                    duration,
                    requests,
                    mostOutstanding,
                    blocks,
                    seed,
                    part,
                    parts,
                    ledger,
                    command);
        }
    }
}
