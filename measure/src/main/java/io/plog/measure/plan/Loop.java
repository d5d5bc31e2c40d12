package io.plog.measure.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What decides when a load sends a request. {@code docs/measurement.md} defines the three. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "mode")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Loop.Closed.class, name = "closed"),
    @JsonSubTypes.Type(value = Loop.Open.class, name = "open"),
    @JsonSubTypes.Type(value = Loop.PartlyOpen.class, name = "partly-open")
})
public sealed interface Loop permits Loop.Closed, Loop.Scheduled {
    /** How many connections a client can have to one address of a server. */
    int MOST_CONNECTIONS = 65_535;

    /** How many connections are made, 1 to {@link #MOST_CONNECTIONS}. */
    int connections();

    /** After how many replies a connection is made anew; 0 for never. */
    int requestsPerConnection();

    /** Its kind. */
    LoadMode mode();

    /** Intended requests a second; 0 in a closed loop, which has none. */
    double ratePerSecond();

    /** The same loop of several clients together. */
    Loop together(int allConnections, double allPerSecond);

    /**
     * Checks every value.
     *
     * @throws IllegalArgumentException if one is out of its range or does not go with the others; the message names it, its value
     *     and what is expected
     */
    void check();

    /** A loop whose requests have intended times. */
    sealed interface Scheduled extends Loop permits Open, PartlyOpen {
        /** How intended times follow each other. */
        Arrivals arrivals();

        @Override
        default void check() {
            Values.inRange("connections", connections(), 1, MOST_CONNECTIONS);
            if (!(ratePerSecond() > 0) || ratePerSecond() > 1e7) {
                throw new IllegalArgumentException("rate is " + ratePerSecond() + ", and the load is " + mode().label()
                        + ": expected requests a second, over 0 and at most 10000000");
            }
        }
    }

    /**
     * The next request is sent when a reply is there.
     *
     * @param outstanding requests that each connection keeps under way, 1 to 65536
     * @param requestsPerConnection 0 but with one outstanding
     */
    record Closed(int connections, int outstanding, int requestsPerConnection) implements Loop {
        @Override
        public LoadMode mode() {
            return LoadMode.CLOSED;
        }

        @Override
        public double ratePerSecond() {
            return 0;
        }

        @Override
        public Loop together(int allConnections, double allPerSecond) {
            return new Closed(allConnections, outstanding, requestsPerConnection);
        }

        @Override
        public void check() {
            Values.inRange("outstanding", outstanding, 1, 65_536);
            Values.inRange("requests-per-connection", requestsPerConnection, 0, Integer.MAX_VALUE);
            if (requestsPerConnection > 0 && outstanding != 1) {
                throw new IllegalArgumentException(
                        "requests-per-connection is " + requestsPerConnection
                                + ", and the load is closed with " + outstanding
                                + " outstanding: only partly-open, and closed with one request outstanding, make connections anew");
            }
            Values.inRange("connections", connections, 1, MOST_CONNECTIONS);
        }
    }

    /**
     * A request is sent at its intended time, whether or not earlier ones were answered.
     *
     * @param ratePerSecond over 0 and at most 10 million
     */
    record Open(int connections, @JsonProperty("rate") double ratePerSecond, Arrivals arrivals) implements Scheduled {
        @Override
        public int requestsPerConnection() {
            return 0;
        }

        @Override
        public LoadMode mode() {
            return LoadMode.OPEN;
        }

        @Override
        public Loop together(int allConnections, double allPerSecond) {
            return new Open(allConnections, allPerSecond, arrivals);
        }
    }

    /**
     * A request is sent at its intended time, but on its connection only behind the reply before it.
     *
     * @param ratePerSecond over 0 and at most 10 million
     * @param requestsPerConnection at least 1
     */
    record PartlyOpen(
            int connections, @JsonProperty("rate") double ratePerSecond, Arrivals arrivals, int requestsPerConnection)
            implements Scheduled {
        @Override
        public LoadMode mode() {
            return LoadMode.PARTLY_OPEN;
        }

        @Override
        public Loop together(int allConnections, double allPerSecond) {
            return new PartlyOpen(allConnections, allPerSecond, arrivals, requestsPerConnection);
        }

        @Override
        public void check() {
            Scheduled.super.check();
            Values.inRange("requests-per-connection", requestsPerConnection, 1, Integer.MAX_VALUE);
        }
    }
}
