package io.plog.benchmarks.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How a steady state is judged.
 *
 * @param verdict what holds and what does not, one sentence each
 * @param holds whether everything holds
 */
public record SoakResult(List<String> verdict, boolean holds) {
    /** The part of p99 by which the second half may be above the first. */
    private static final double MOST_DRIFT = 1.25;

    private static final long MIB = 1 << 20;

    /**
     * One interval.
     *
     * @param appendsPerSecond acknowledged
     * @param p50Micros from the moment when the append was due, so that waiting counts; so are the next
     * @param allocatedBytesPerAppend what all threads allocated, the loop's own objects included
     * @param heapAfterGcBytes used after the last collection, 0 if there was none yet
     * @param residentBytes of the process
     * @param fullCollections collections of the whole heap in this interval
     */
    public record Interval(
            double appendsPerSecond,
            double p50Micros,
            double p99Micros,
            double p999Micros,
            double maxMicros,
            double allocatedBytesPerAppend,
            long heapAfterGcBytes,
            long residentBytes,
            long fullCollections) {}

    /** Judges the intervals; the first one, in which things still settle, counts for full collections and the rate only. */
    public static SoakResult of(double offered, List<Interval> intervals) {
        List<String> verdict = new ArrayList<>();
        boolean holds = true;
        long full = intervals.stream().mapToLong(Interval::fullCollections).sum();
        holds &= say(verdict, full == 0, "full collections: %d, expected none", full);
        double rate = intervals.stream()
                .mapToDouble(Interval::appendsPerSecond)
                .average()
                .orElse(0);
        holds &= say(verdict, rate >= 0.99 * offered, "%.0f appends/s of %.0f offered, expected 99 %%", rate, offered);
        List<Interval> settled = intervals.subList(Math.min(1, intervals.size()), intervals.size());
        if (settled.size() < 2) {
            say(verdict, false, "%d intervals: too few to see a drift", intervals.size());
            return new SoakResult(verdict, false);
        }
        Interval first = settled.get(0);
        Interval last = settled.get(settled.size() - 1);
        holds &= say(
                verdict,
                last.residentBytes() <= first.residentBytes() * 1.1 + 16 * MIB,
                "resident memory from %d to %d MiB, expected at most a tenth and 16 MiB more",
                first.residentBytes() / MIB,
                last.residentBytes() / MIB);
        holds &= say(
                verdict,
                last.heapAfterGcBytes() <= first.heapAfterGcBytes() * 1.1 + 16 * MIB,
                "heap after a collection from %d to %d MiB, expected at most a tenth and 16 MiB more",
                first.heapAfterGcBytes() / MIB,
                last.heapAfterGcBytes() / MIB);
        double before = p99(settled.subList(0, settled.size() / 2));
        double after = p99(settled.subList(settled.size() - settled.size() / 2, settled.size()));
        holds &= say(
                verdict,
                after <= before * MOST_DRIFT,
                "median p99 of the first half %.0f us, of the second %.0f us, expected at most x%.2f",
                before,
                after,
                MOST_DRIFT);
        return new SoakResult(verdict, holds);
    }

    private static boolean say(List<String> verdict, boolean holds, String format, Object... values) {
        verdict.add((holds ? "holds: " : "FAILS: ") + String.format(Locale.ROOT, format, values));
        return holds;
    }

    private static double p99(List<Interval> intervals) {
        return Medians.of(intervals.stream().mapToDouble(Interval::p99Micros).toArray());
    }
}
