package io.plog.measure.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * Every size on every target of a server, each pair a cell, and how often. {@link #checked} judges what a user asks for.
 *
 * @param server {@code host:port}; empty for a run that starts its own server
 * @param force ways of forcing, for a run that starts its own server; else empty
 * @param logDir where that server's logs go, a directory on each disk to measure, maybe as {@code NAME=DIR}; empty for next to the
 *     results
 * @param sizesBytes payload sizes
 * @param targets names of the server's targets, empty for all of them
 * @param iterations counted requests of each cell over all trials, 1 to 100 million
 * @param trials how often to begin anew with fresh processes, 1 to 100
 * @param warmup how long to warm up in each trial before counting begins
 * @param blocks number of randomised blocks that each cell is divided into within a trial; at least 1, and at most so many that
 *     each has a request
 * @param connections how many connections, each with one request outstanding, 1 to 1024
 * @param ratePerSecond intended requests a second over all connections; 0 for as fast as replies come. With a rate a request is
 *     not sent before its intended time, and late if a reply was late
 * @param seed decides the order of the cells and the payloads
 */
public record Grid(
        String server,
        List<String> force,
        List<String> logDir,
        @JsonProperty("sizes") List<Integer> sizesBytes,
        List<String> targets,
        long iterations,
        int trials,
        Warmup warmup,
        int blocks,
        int connections,
        @JsonProperty("rate") double ratePerSecond,
        long seed)
        implements Plan {

    /** Counted requests of each cell in the published study. */
    public static final long PAPER_ITERATIONS = 100_000;

    /**
     * What is measured unless something else is asked for; the sizes are those of the published study. Fewer trials would not bound a
     * 99th percentile ({@code tools/coverage}).
     */
    public static final Grid DEFAULT = new Grid(
            "",
            List.of(),
            List.of(),
            List.of(100, 1_000, 10_000, 50_000, 100_000),
            List.of(),
            2_000,
            5,
            Warmup.untilSteady(Warmup.DEFAULT_MOST),
            10,
            1,
            0,
            0);

    private static final long MAX_ITERATIONS = 100_000_000;
    private static final int MAX_CONNECTIONS = 1_024;
    private static final int MAX_TRIALS = 100;

    /** Copies the lists. */
    public Grid {
        force = List.copyOf(force);
        logDir = List.copyOf(logDir);
        sizesBytes = List.copyOf(sizesBytes);
        targets = List.copyOf(targets);
    }

    @Override
    public boolean isScheduled() {
        return ratePerSecond > 0;
    }

    /** The same plan of these targets. */
    public Grid of(List<String> names) {
        return new Grid(
                server,
                force,
                logDir,
                sizesBytes,
                names,
                iterations,
                trials,
                warmup,
                blocks,
                connections,
                ratePerSecond,
                seed);
    }

    /** The same plan, carried out by several clients at once, with so many connections and such a rate together. */
    public Grid fromClients(int clients, int allConnections, double allPerSecond) {
        return new Grid(
                server,
                force,
                logDir,
                sizesBytes,
                targets,
                iterations * clients,
                trials,
                new Warmup(warmup.requests() * clients, warmup.byEvidence()),
                blocks,
                allConnections,
                allPerSecond,
                seed);
    }

    /**
     * The same plan, if it can be carried out.
     *
     * @throws IllegalArgumentException if a value is out of its range; the message names it, its value and the range
     */
    public Grid checked() {
        Values.inRange("iterations", iterations, 1, MAX_ITERATIONS);
        Values.inRange("trials", trials, 1, Math.min(MAX_TRIALS, iterations));
        Values.inRange("warmup", warmup.requests(), 0, MAX_ITERATIONS);
        Values.inRange("blocks", blocks, 1, iterations / trials);
        Values.inRange("connections", connections, 1, MAX_CONNECTIONS);
        for (int size : Values.some("sizes", sizesBytes)) {
            Values.inRange("size", size, 0, Integer.MAX_VALUE);
        }
        Values.distinct("target", targets);
        if (!(ratePerSecond >= 0) || ratePerSecond > 1e9) {
            throw new IllegalArgumentException("rate is " + ratePerSecond + ": expected 0 to 1000000000");
        }
        return this;
    }

    /** How many counted requests of a cell are in a trial; the first trials take what does not divide evenly. */
    public long iterationsInTrial(int trial) {
        return iterations / trials + (trial < iterations % trials ? 1 : 0);
    }

    /** How many of them are in a block; the first blocks take what does not divide evenly. */
    public long iterationsInBlock(int trial, int block) {
        long inTrial = iterationsInTrial(trial);
        return inTrial / blocks + (block < inTrial % blocks ? 1 : 0);
    }
}
