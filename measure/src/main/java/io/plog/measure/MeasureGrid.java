package io.plog.measure;

import java.util.HashSet;
import java.util.List;

/**
 * What to measure: every size on every target, each pair a cell, and how often. It is the same for the whole run, for each
 * trial and for the process of a trial. Checked once, here.
 *
 * @param sizesBytes payload sizes, at least one, each 0 or more and once
 * @param targets names of the server's targets; empty for all of them
 * @param iterations counted requests of each cell over all trials, 1 to 100 million
 * @param trials how often to begin anew with fresh processes, 1 to 100
 * @param warmup how long to warm up in each trial before counting begins
 * @param blocks number of randomised blocks that each cell is divided into within a trial; at least 1, and at most so many
 *     that each has a request
 * @param connections how many connections, each with one request outstanding, 1 to 1024
 * @param ratePerSecond intended requests a second over all connections; 0 for as fast as replies come
 * @param seed decides the order of the cells and the payloads
 */
public record MeasureGrid(
        List<Integer> sizesBytes,
        List<String> targets,
        long iterations,
        int trials,
        Warmup warmup,
        int blocks,
        int connections,
        double ratePerSecond,
        long seed) {
    /** The payload sizes of the published study: 100 B, 1 kB, 10 kB, 50 kB and 100 kB. */
    public static final List<Integer> DEFAULT_SIZES_BYTES = List.of(100, 1_000, 10_000, 50_000, 100_000);

    /** Counted requests of each cell by default. */
    public static final long DEFAULT_ITERATIONS = 2_000;

    /** Counted requests of each cell in the published study. */
    public static final long PAPER_ITERATIONS = 100_000;

    /** Trials of a run that is to be published. */
    public static final int PAPER_TRIALS = 5;

    /** Number of blocks by default. */
    public static final int DEFAULT_BLOCKS = 10;

    private static final long MAX_ITERATIONS = 100_000_000;
    private static final int MAX_CONNECTIONS = 1_024;
    private static final int MAX_TRIALS = 100;

    /**
     * Checks every value.
     *
     * @throws IllegalArgumentException if one is out of its range; the message names it, its value and the range
     */
    public MeasureGrid {
        sizesBytes = List.copyOf(sizesBytes);
        targets = List.copyOf(targets);
        check("iterations", iterations, 1, MAX_ITERATIONS);
        check("trials", trials, 1, Math.min(MAX_TRIALS, iterations));
        check("warmup", warmup.requests(), 0, MAX_ITERATIONS);
        check("blocks", blocks, 1, iterations / trials);
        check("connections", connections, 1, MAX_CONNECTIONS);
        if (sizesBytes.isEmpty()) {
            throw new IllegalArgumentException("sizes is empty: expected at least one");
        }
        for (int size : sizesBytes) {
            check("size", size, 0, Integer.MAX_VALUE);
        }
        checkOnce("size", sizesBytes);
        checkOnce("target", targets);
        if (!(ratePerSecond >= 0) || ratePerSecond > 1e9) {
            throw new IllegalArgumentException("rate is " + ratePerSecond + ": expected 0 to 1000000000");
        }
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

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ": expected " + least + " to " + most);
        }
    }

    private static void checkOnce(String name, List<?> values) {
        HashSet<Object> seen = new HashSet<>();
        for (Object value : values) {
            if (!seen.add(value)) {
                throw new IllegalArgumentException(name + " " + value + " is given twice: expected once");
            }
        }
    }
}
