package io.plog.benchmarks.result;

import java.util.List;

/**
 * A log on bookies against plain use of BookKeeper's client: what {@code replicated.json} holds.
 *
 * @param schemaVersion 1
 * @param command how it was started
 * @param seed of the order within the rounds
 * @param rounds how many rounds counted
 * @param seconds how long each measurement took
 * @param speeds each round's values, without the warm-up
 * @param single one bookie alone, as {@code benchmarks/simulate-quorum} wants it
 * @param recoveries each round's values
 * @param memory of the processes
 */
public record ReplicatedResults(
        int schemaVersion,
        Environment environment,
        String command,
        long seed,
        int rounds,
        double seconds,
        List<Speed> speeds,
        List<Single> single,
        List<Recovery> recoveries,
        List<Resident> memory) {

    /** The log on bookies. */
    public static final String PLOG = "plog";

    /** BookKeeper's client by itself. */
    public static final String PLAIN = "plain";

    /**
     * One measurement.
     *
     * @param way {@link #PLOG} or {@link #PLAIN}
     * @param round from 1
     */
    public record Speed(
            String way,
            int outstanding,
            int bytes,
            int round,
            double perSecond,
            double p50Micros,
            double p99Micros,
            double othersShare) {}

    /**
     * A log on one bookie.
     *
     * @param micros latencies at evenly spaced ranks, in ascending order
     */
    public record Single(int outstanding, int bytes, double perSecond, List<Double> micros) {}

    /**
     * A log is taken over from its writer, and read.
     *
     * @param records how many it has, each of {@code recordBytes}
     * @param openSeconds until another record could be appended
     * @param readSeconds until all were read
     */
    public record Recovery(int records, int recordBytes, int round, double openSeconds, double readSeconds) {}

    /**
     * What a process holds of the machine's memory.
     *
     * @param process what it is
     * @param when what had happened
     */
    public record Resident(String process, String when, double mebibytes) {}
}
