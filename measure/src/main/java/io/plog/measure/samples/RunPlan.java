package io.plog.measure.samples;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * What to measure: every size on every target, each pair a cell, and how often. It is the plan of the options, of a plan file, of
 * the process of a trial, of the sample file and of the results; in JSON a component has the name of its option. {@link #checked}
 * judges what a user asks for.
 *
 * @param loadModel {@code closed}: the next request is sent when the reply is there; {@code open}: not before its intended time
 *     either, and late if a reply was late. A load run has the mode of its {@code load} here, a run on directories
 *     {@link #APPENDS}: each group is written when the one before is forced
 * @param server {@code host:port}; empty for a run that starts its own server
 * @param force ways of forcing, for a run that starts its own server; else empty
 * @param logDir where that server's logs go, a directory on each disk to measure, maybe as {@code NAME=DIR}; empty for next to the
 *     results
 * @param sizesBytes payload sizes
 * @param targets names of the server's targets, empty for all of them; of a run on directories, their paths
 * @param iterations counted requests of each cell over all trials, 1 to 100 million
 * @param trials how often to begin anew with fresh processes, 1 to 100
 * @param warmup how long to warm up in each trial before counting begins
 * @param blocks number of randomised blocks that each cell is divided into within a trial; at least 1, and at most so many that
 *     each has a request
 * @param connections how many connections, each with one request outstanding, 1 to 1024
 * @param ratePerSecond intended requests a second over all connections; 0 for as fast as replies come
 * @param seed decides the order of the cells and the payloads
 * @param load what a load run adds; empty, or a list of one
 */
public record RunPlan(
        String loadModel,
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
        long seed,
        List<RunInfo.Load> load) {

    /** The load model of a run on directories. */
    public static final String APPENDS = "appends";

    /** The load model of a study, which has many loads. */
    public static final String STUDY = "study";

    /** Counted requests of each cell in the published study. */
    public static final long PAPER_ITERATIONS = 100_000;

    /**
     * What is measured unless something else is asked for; the sizes are those of the published study. Fewer trials would not bound a
     * 99th percentile ({@code tools/coverage}).
     */
    public static final RunPlan DEFAULT = new RunPlan(
            "closed",
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

    /** Copies the lists. The load model of what is no load and no run on directories follows from the rate. */
    public RunPlan {
        force = List.copyOf(force);
        logDir = List.copyOf(logDir);
        sizesBytes = List.copyOf(sizesBytes);
        targets = List.copyOf(targets);
        load = List.copyOf(load);
        if (load.isEmpty() && !loadModel.equals(APPENDS)) {
            loadModel = ratePerSecond > 0 ? "open" : "closed";
        }
    }

    /** A plan that starts no server and is no load. */
    public RunPlan(
            String loadModel,
            List<Integer> sizesBytes,
            List<String> targets,
            long iterations,
            int trials,
            Warmup warmup,
            int blocks,
            int connections,
            double ratePerSecond,
            long seed) {
        this(
                loadModel,
                "",
                List.of(),
                List.of(),
                sizesBytes,
                targets,
                iterations,
                trials,
                warmup,
                blocks,
                connections,
                ratePerSecond,
                seed,
                List.of());
    }

    /** The same plan of other cells, in so many trials. */
    public RunPlan of(List<Integer> sizes, List<String> names, int inTrials) {
        return new RunPlan(
                loadModel,
                server,
                force,
                logDir,
                sizes,
                names,
                iterations,
                inTrials,
                warmup,
                blocks,
                connections,
                ratePerSecond,
                seed,
                load);
    }

    /** The same plan, carried out by several clients at once, with so many connections and such a rate together. */
    public RunPlan fromClients(int clients, int allConnections, double allPerSecond) {
        return new RunPlan(
                loadModel,
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
                seed,
                load.stream().map(each -> each.of(clients)).toList());
    }

    /**
     * The same plan, if it can be carried out.
     *
     * @throws IllegalArgumentException if a value is out of its range; the message names it, its value and the range
     */
    public RunPlan checked() {
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
