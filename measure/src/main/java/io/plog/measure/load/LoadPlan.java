package io.plog.measure.load;

import io.plog.measure.ledger.LedgerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A load on one target of a server. Checked once, here and in its parts; {@link #builder} has the defaults. The accessors of
 * single values are those of its parts.
 *
 * @param destination where the requests go
 * @param arrivalModel what decides when a request is sent
 * @param requestMix what the requests are
 * @param length how long they are sent and counted
 * @param mostOutstanding how many requests may be due or under way without reply before the run is given up, 1 to 10 million
 * @param ledger where to append a line for each acknowledgement of a request that is to be logged, if anywhere
 * @param command the command line that repeats it, for the record
 */
public record LoadPlan(
        Destination destination,
        ArrivalModel arrivalModel,
        RequestMix requestMix,
        LoadLength length,
        int mostOutstanding,
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

    /**
     * Where requests go.
     *
     * @param host the server's name or address
     * @param port its port, 1 to 65535
     * @param target the target's name
     * @param others servers that take over from it, and from each other, in the order in which they are tried
     */
    public record Destination(String host, int port, String target, List<Server> others) {
        /**
         * Checks the port.
         *
         * @throws IllegalArgumentException if there is no such port
         */
        public Destination {
            check("port", port, 1, 65_535);
            others = List.copyOf(others);
        }

        /** One server and no other. */
        public Destination(String host, int port, String target) {
            this(host, port, target, List.of());
        }
    }

    /**
     * A server's address.
     *
     * @param host name or address
     * @param port 1 to 65535
     */
    public record Server(String host, int port) {
        /**
         * Checks the port.
         *
         * @throws IllegalArgumentException if there is no such port
         */
        public Server {
            check("port", port, 1, 65_535);
        }

        @Override
        public String toString() {
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /**
     * What the requests are.
     *
     * @param sizes the payload sizes
     * @param loggedShare the share of the requests that are to be logged, 0 to 1; the others are read-only
     * @param seed decides arrivals, sizes, kinds and payloads
     */
    public record RequestMix(Mix sizes, double loggedShare, long seed) {
        /**
         * Checks the share.
         *
         * @throws IllegalArgumentException if it is none
         */
        public RequestMix {
            if (!(loggedShare >= 0) || loggedShare > 1) {
                throw new IllegalArgumentException(
                        "the share of logged requests is " + loggedShare * 100 + " %: expected 0 to 100 %");
            }
        }
    }

    /**
     * Checks what the parts do not know of each other.
     *
     * @throws IllegalArgumentException if a value is out of its range or does not go with the mode; the message names it, its
     *     value and what is expected
     */
    public LoadPlan {
        check("connections", arrivalModel.connections(), 1, MOST_CONNECTIONS);
        check("max-outstanding", mostOutstanding, 1, 10_000_000);
        if (length.requests() != 0) {
            if (arrivalModel.mode().isScheduled()) {
                throw new IllegalArgumentException("requests is " + length.requests() + ", and the load is "
                        + arrivalModel.mode().label()
                        + ": only a closed loop ends after a number of requests, the others take a duration");
            }
            check("requests", length.requests(), 1, 1_000_000_000);
        }
    }

    /** The server's name or address. */
    public String host() {
        return destination.host();
    }

    /** The server's port. */
    public int port() {
        return destination.port();
    }

    /** All servers, in the order in which they are tried: of several, one serves at a time. */
    public List<Server> servers() {
        List<Server> servers = new ArrayList<>(List.of(new Server(host(), port())));
        servers.addAll(destination.others());
        return servers;
    }

    /** The target's name. */
    public String target() {
        return destination.target();
    }

    /** What decides when a request is sent. */
    public LoadMode mode() {
        return arrivalModel.mode();
    }

    /** How many connections are made. */
    public int connections() {
        return arrivalModel.connections();
    }

    /** Requests that each connection keeps under way in a closed loop. */
    public int outstanding() {
        return arrivalModel.outstanding();
    }

    /** Requests a second over all connections; 0 in a closed loop. */
    public double ratePerSecond() {
        return arrivalModel.ratePerSecond();
    }

    /** How intended times follow each other. */
    public ArrivalTimes.Kind arrivals() {
        return arrivalModel.arrivals();
    }

    /** After how many replies a connection is closed and made anew; 0 for never. */
    public int requestsPerConnection() {
        return arrivalModel.requestsPerConnection();
    }

    /** The payload sizes. */
    public Mix mix() {
        return requestMix.sizes();
    }

    /** The share of the requests that are to be logged, 0 to 1. */
    public double loggedShare() {
        return requestMix.loggedShare();
    }

    /** What decides everything that is drawn. */
    public long seed() {
        return requestMix.seed();
    }

    /** How long requests are sent before counting begins. */
    public Duration warmUp() {
        return length.warmUp();
    }

    /** For how long they are counted; zero if their number ends it. */
    public Duration duration() {
        return length.duration();
    }

    /** How many are counted; 0 if the time ends it. */
    public long requests() {
        return length.requests();
    }

    /** Into how many stretches the time is cut. */
    public int blocks() {
        return length.blocks();
    }

    /** Whether there are requests that are not to be logged. */
    public boolean hasReadOnly() {
        return loggedShare() < 1;
    }

    /** A builder with this plan's values. */
    public LoadPlanBuilder toBuilder() {
        return new LoadPlanBuilder(this);
    }

    /** A builder with the defaults: a closed loop of one connection with one request of 100 bytes outstanding, for 60 s. */
    public static LoadPlanBuilder builder(String host, int port, String target) {
        return new LoadPlanBuilder(new Destination(host, port, target));
    }

    static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ": expected " + least + " to " + most);
        }
    }
}
