package io.plog.measure.plan;

import java.time.Duration;
import java.util.List;

/**
 * A load on one target of a server: by default a closed loop of one connection with one request of 100 bytes outstanding, for
 * 60 s. Each method that sets something makes a copy; {@link #checked} judges all of it together.
 *
 * @param server {@code host:port}, several with commas, of which one serves at a time; or the URL of a service that speaks HTTP
 * @param target the target's name
 * @param loop what decides when a request is sent
 * @param mix payload sizes
 * @param loggedShare the share of the requests that are to be logged, 0 to 1; the others are read-only
 * @param span how long
 * @param mostOutstanding how many requests may be due or under way without reply before the run is given up, 1 to 10 million
 * @param workers how many processes take part
 * @param keepSamples whether each sample is kept, or only bins of at most 1 % by the second
 * @param seed decides arrivals, sizes, kinds and payloads
 */
public record Load(
        String server,
        String target,
        Loop loop,
        Mix mix,
        double loggedShare,
        Span span,
        int mostOutstanding,
        int workers,
        boolean keepSamples,
        long seed)
        implements Plan {
    /** How long requests are counted by default. */
    public static final Duration DEFAULT_DURATION = Duration.ofSeconds(60);

    /** Requests without reply at which a run is given up by default. */
    public static final int DEFAULT_MOST_OUTSTANDING = 100_000;

    /** What follows the target's name where read-only requests are named, whose figures are kept apart. */
    public static final String READ_ONLY = "/read-only";

    /**
     * How long a load is.
     *
     * @param warmUpNanos how long requests are sent before counting begins, 0 to 1 h
     * @param durationNanos for how long they are sent and counted, 100 ms to 24 h; 0 if their number ends it
     * @param requests how many are counted, in a closed loop; 0 if the time ends it
     * @param blocks into how many equal stretches the time is cut for the intervals, 1 to 1000
     */
    public record Span(long warmUpNanos, long durationNanos, long requests, int blocks) {
        private void check(LoadMode mode) {
            Values.inRange("blocks", blocks, 1, 1_000);
            Values.inRange("warmup", Duration.ofNanos(warmUpNanos), Duration.ZERO, Duration.ofHours(1));
            if (requests == 0) {
                Values.inRange(
                        "duration", Duration.ofNanos(durationNanos), Duration.ofMillis(100), Duration.ofHours(24));
                return;
            }
            if (mode.isScheduled()) {
                throw new IllegalArgumentException("requests is " + requests + ", and the load is " + mode.label()
                        + ": only a closed loop ends after a number of requests, the others take a duration");
            }
            Values.inRange("requests", requests, 1, 1_000_000_000);
        }
    }

    /** The defaults, on a target of this server. */
    public static Load on(String server, String target) {
        return new Load(
                server,
                target,
                new Loop.Closed(1, 1, 0),
                Mix.only(100),
                1,
                new Span(5_000_000_000L, DEFAULT_DURATION.toNanos(), 0, 10),
                DEFAULT_MOST_OUTSTANDING,
                1,
                true,
                1);
    }

    /** With this loop. */
    public Load loop(Loop other) {
        return new Load(server, target, other, mix, loggedShare, span, mostOutstanding, workers, keepSamples, seed);
    }

    /** A closed loop whose connections last. */
    public Load closed(int connections, int outstanding) {
        return loop(new Loop.Closed(connections, outstanding, 0));
    }

    /** With these sizes. */
    public Load mix(Mix sizes) {
        return new Load(server, target, loop, sizes, loggedShare, span, mostOutstanding, workers, keepSamples, seed);
    }

    /** With this share of requests that are to be logged. */
    public Load loggedShare(double share) {
        return new Load(server, target, loop, mix, share, span, mostOutstanding, workers, keepSamples, seed);
    }

    /** Given up at so many requests without a reply. */
    public Load mostOutstanding(int count) {
        return new Load(server, target, loop, mix, loggedShare, span, count, workers, keepSamples, seed);
    }

    /** With every sample kept, or bins. */
    public Load keepSamples(boolean every) {
        return new Load(server, target, loop, mix, loggedShare, span, mostOutstanding, workers, every, seed);
    }

    /** With another seed. */
    public Load seed(long value) {
        return new Load(server, target, loop, mix, loggedShare, span, mostOutstanding, workers, keepSamples, value);
    }

    private Load span(long warmUpNanos, long durationNanos, long requests, int blocks) {
        Span other = new Span(warmUpNanos, durationNanos, requests, blocks);
        return new Load(server, target, loop, mix, loggedShare, other, mostOutstanding, workers, keepSamples, seed);
    }

    /** Sends for so long before counting. */
    public Load warmUp(Duration time) {
        return span(time.toNanos(), span.durationNanos, span.requests, span.blocks);
    }

    /** Sends and counts for so long. */
    public Load duration(Duration time) {
        return span(span.warmUpNanos, time.toNanos(), 0, span.blocks);
    }

    /** Counts so many requests instead. */
    public Load requests(long count) {
        return span(span.warmUpNanos, 0, count, span.blocks);
    }

    /** Cut into so many stretches. */
    public Load blocks(int count) {
        return span(span.warmUpNanos, span.durationNanos, span.requests, count);
    }

    /** How many requests it sends, warm-up included if it has a rate; 0 if the server decides. */
    public long mostSamples() {
        double seconds = (span.warmUpNanos + span.durationNanos) / 1e9;
        return isScheduled() ? (long) (loop.ratePerSecond() * seconds) : span.requests;
    }

    /** The same load from several clients at once, with so many connections and such a rate together. */
    public Load fromClients(int clients, int allConnections, double allPerSecond) {
        Loop all = loop.together(allConnections, allPerSecond);
        Span each = new Span(span.warmUpNanos, span.durationNanos, span.requests * clients, span.blocks);
        return new Load(server, target, all, mix, loggedShare, each, mostOutstanding, clients, keepSamples, seed);
    }

    /**
     * The same plan, if it can be run.
     *
     * @throws IllegalArgumentException if a value is out of its range or does not go with the others; the message names it, its
     *     value and what is expected
     */
    public Load checked() {
        loop.check();
        if (!(loggedShare >= 0) || loggedShare > 1) {
            throw new IllegalArgumentException(
                    "the share of logged requests is " + loggedShare * 100 + " %: expected 0 to 100 %");
        }
        span.check(loop.mode());
        Values.inRange("max-outstanding", mostOutstanding, 1, 10_000_000);
        return this;
    }

    @Override
    public int trials() {
        return 1;
    }

    @Override
    public int blocks() {
        return span.blocks;
    }

    @Override
    public List<Integer> sizesBytes() {
        return mix.cellBytes();
    }

    /** The target, and what stands for its read-only requests. */
    @Override
    public List<String> targets() {
        return loggedShare == 1
                ? List.of(target)
                : loggedShare == 0 ? List.of(target + READ_ONLY) : List.of(target, target + READ_ONLY);
    }

    @Override
    public boolean isScheduled() {
        return loop.mode().isScheduled();
    }
}
