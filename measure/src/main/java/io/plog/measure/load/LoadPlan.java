package io.plog.measure.load;

import io.plog.client.Credentials;
import io.plog.measure.HostPort;
import io.plog.measure.HttpService;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.RunPlan;
import io.plog.measure.samples.Values;
import io.plog.measure.samples.Warmup;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A load on one target of a server: by default a closed loop of one connection with one request of 100 bytes outstanding, for
 * 60 s. A plan never changes: each method that sets something makes a copy. Values may be set in any order; {@link #checked} judges
 * them together. Thread-safe.
 */
public final class LoadPlan implements Cloneable {
    /** How many connections a client can have to one address of a server. */
    public static final int MOST_CONNECTIONS = 65_535;

    /** How long requests are counted by default. */
    public static final Duration DEFAULT_DURATION = Duration.ofSeconds(60);

    /** Requests without reply at which a run is given up by default. */
    public static final int DEFAULT_MOST_OUTSTANDING = 100_000;

    final List<HostPort> servers;
    private final String target;
    private LoadMode mode = LoadMode.CLOSED;
    private int connections = 1;
    int outstanding = 1;
    double ratePerSecond;
    ArrivalTimes.Kind arrivals = ArrivalTimes.Kind.CONSTANT;
    int requestsPerConnection;
    Mix mix = Mix.only(100);
    double loggedShare = 1;
    private long seed = 1;
    private Duration warmUp = Duration.ofSeconds(5);
    private Duration duration = DEFAULT_DURATION;
    long requests;
    int blocks = 10;
    int mostOutstanding = DEFAULT_MOST_OUTSTANDING;

    @Nullable
    LedgerOptions ledger;

    String command = "";
    Credentials credentials = Credentials.NONE;

    @Nullable
    HttpService http;

    private LoadPlan(List<HostPort> servers, String target) {
        this.servers = servers;
        this.target = target;
    }

    /** The defaults, against a target of these servers, in the order in which they are tried: of several, one serves at a time. */
    public static LoadPlan of(List<HostPort> servers, String target) {
        return new LoadPlan(List.copyOf(servers), target);
    }

    /** The default load on any service that speaks HTTP. */
    public static LoadPlan of(HttpService service) {
        return new LoadPlan(List.of(service.address()), HttpService.TARGET).with(copy -> copy.http = service);
    }

    /** Where it goes, as {@code --server} says it. */
    public String place() {
        HttpService service = http;
        return service != null
                ? service.toString()
                : servers.stream().map(HostPort::toString).collect(Collectors.joining(","));
    }

    /** The target's name. */
    public String target() {
        return target;
    }

    /** A closed loop: the next request is sent when a reply comes, so many at once on each connection, 1 to 65536. */
    public LoadPlan closed(int withConnections, int withOutstanding) {
        return with(copy -> {
            copy.mode = LoadMode.CLOSED;
            copy.connections = withConnections;
            copy.outstanding = withOutstanding;
        });
    }

    /** An open or partly open loop: requests are sent at intended times, over 0 and at most 10 million a second. */
    public LoadPlan scheduled(
            LoadMode inMode, int withConnections, double atRatePerSecond, ArrivalTimes.Kind withArrivals) {
        return with(copy -> {
            copy.mode = inMode;
            copy.connections = withConnections;
            copy.ratePerSecond = atRatePerSecond;
            copy.arrivals = withArrivals;
        });
    }

    /** What decides when a request is sent. */
    public LoadMode mode() {
        return mode;
    }

    /** How many connections are made. */
    public int connections() {
        return connections;
    }

    /** After how many replies connections are made anew: in a partly open loop, or a closed one with one outstanding; 0 for never. */
    public LoadPlan requestsPerConnection(int requestsOnEach) {
        return with(copy -> copy.requestsPerConnection = requestsOnEach);
    }

    public LoadPlan mix(Mix sizes) {
        return with(copy -> copy.mix = sizes);
    }

    /** The share of the requests that are to be logged, 0 to 1; the others are read-only. */
    public LoadPlan loggedShare(double share) {
        return with(copy -> copy.loggedShare = share);
    }

    /** Whether there are requests that are not to be logged. */
    public boolean hasReadOnly() {
        return loggedShare < 1;
    }

    /** Decides arrivals, sizes, kinds and payloads. */
    public LoadPlan seed(long value) {
        return with(copy -> copy.seed = value);
    }

    /** What decides everything that is drawn. */
    public long seed() {
        return seed;
    }

    /** How long to send before counting, 0 to 1 h. */
    public LoadPlan warmUp(Duration time) {
        return with(copy -> copy.warmUp = time);
    }

    /** How long requests are sent before counting begins. */
    public Duration warmUp() {
        return warmUp;
    }

    /** How long to send and count, 100 ms to 24 h. */
    public LoadPlan duration(Duration time) {
        return with(copy -> {
            copy.duration = time;
            copy.requests = 0;
        });
    }

    /** For how long they are counted; zero if their number ends it. */
    public Duration duration() {
        return duration;
    }

    /** How many requests to count, in a closed loop, instead of a duration. */
    public LoadPlan requests(long count) {
        return with(copy -> {
            copy.requests = count;
            copy.duration = Duration.ZERO;
        });
    }

    /** Into how many equal stretches the time is cut for the intervals, 1 to 1000. */
    public LoadPlan blocks(int count) {
        return with(copy -> copy.blocks = count);
    }

    /** Into how many stretches the time is cut. */
    public int blocks() {
        return blocks;
    }

    /** How many requests may be due or under way without reply before the run is given up, 1 to 10 million. */
    public LoadPlan mostOutstanding(int count) {
        return with(copy -> copy.mostOutstanding = count);
    }

    /** Where to append a line for each acknowledgement of a request that is to be logged, if anywhere. */
    public LoadPlan ledger(@Nullable LedgerOptions options) {
        return with(copy -> copy.ledger = options);
    }

    /** With these to connect to its servers. */
    public LoadPlan credentials(Credentials whatToShow) {
        return with(copy -> copy.credentials = whatToShow);
    }

    /** The command line that repeats it, for the record. */
    public LoadPlan command(String line) {
        return with(copy -> copy.command = line);
    }

    /**
     * The same plan, if it can be run.
     *
     * @throws IllegalArgumentException if a value is out of its range or does not go with the others; the message names it, its
     *     value and what is expected
     */
    public LoadPlan checked() {
        Values.inRange("outstanding", outstanding, 1, 65_536);
        checkRate();
        checkReconnecting();
        checkHttp();
        if (!(loggedShare >= 0) || loggedShare > 1) {
            throw new IllegalArgumentException(
                    "the share of logged requests is " + loggedShare * 100 + " %: expected 0 to 100 %");
        }
        Values.inRange("blocks", blocks, 1, 1_000);
        Values.inRange("warmup", warmUp, Duration.ZERO, Duration.ofHours(1));
        Values.inRange("connections", connections, 1, MOST_CONNECTIONS);
        Values.inRange("max-outstanding", mostOutstanding, 1, 10_000_000);
        if (requests == 0) {
            Values.inRange("duration", duration, Duration.ofMillis(100), Duration.ofHours(24));
        } else {
            if (mode.isScheduled()) {
                throw new IllegalArgumentException("requests is " + requests + ", and the load is " + mode.label()
                        + ": only a closed loop ends after a number of requests, the others take a duration");
            }
            Values.inRange("requests", requests, 1, 1_000_000_000);
        }
        return this;
    }

    private void checkHttp() {
        if (http != null && (outstanding > 1 || loggedShare < 1 || ledger != null)) {
            throw new IllegalArgumentException("the server is " + http
                    + ": over HTTP a connection carries one request at a time, and requests are neither read-only nor"
                    + " noted in a ledger; leave out --outstanding, --workload and --ledger");
        }
    }

    /** As it stands in a sample file, for what is measured under these names. */
    public RunPlan described(List<String> targets) {
        RunInfo.Load load = new RunInfo.Load(
                mode.label(),
                mode == LoadMode.CLOSED ? outstanding : 0,
                mode.isScheduled() ? arrivals.label() : "",
                requestsPerConnection,
                mix.shares(),
                loggedShare,
                warmUp.toNanos(),
                duration.toNanos(),
                requests,
                1);
        return new RunPlan(
                mode.label(),
                place(),
                List.of(),
                List.of(),
                mix.cellBytes(),
                targets,
                requests,
                1,
                Warmup.exactly(0),
                blocks,
                connections,
                ratePerSecond,
                seed,
                List.of(load));
    }

    private LoadPlan with(Consumer<LoadPlan> change) {
        try {
            LoadPlan copy = (LoadPlan) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void checkReconnecting() {
        boolean partlyOpen = mode == LoadMode.PARTLY_OPEN;
        Values.inRange("requests-per-connection", requestsPerConnection, partlyOpen ? 1 : 0, Integer.MAX_VALUE);
        if (requestsPerConnection > 0 && !partlyOpen && (mode == LoadMode.OPEN || outstanding != 1)) {
            throw new IllegalArgumentException(
                    "requests-per-connection is " + requestsPerConnection + ", and the load is " + mode.label()
                            + (mode == LoadMode.OPEN ? "" : " with " + outstanding + " outstanding")
                            + ": only partly-open, and closed with one request outstanding, make connections anew");
        }
    }

    private void checkRate() {
        if (mode.isScheduled() && (!(ratePerSecond > 0) || ratePerSecond > 1e7)) {
            throw new IllegalArgumentException("rate is " + ratePerSecond + ", and the load is " + mode.label()
                    + ": expected requests a second, over 0 and at most 10000000");
        }
    }
}
