package io.plog.log;

/** What is known of the batches that were acknowledged last. Written by the thread that acknowledges, read by any. */
final class BatchMetrics {
    /** A new value counts for this part of an average, and a peak that is not reached again sinks by this part of itself. */
    private static final int SHARE = 8;

    /** What is known of halves sinks by this part of itself with each batch that is none. */
    private static final int FORGETTING = 128;

    private volatile int outstanding;
    private volatile long outstandingBytes;
    private int lastRecords;
    private long lastBytes;
    private volatile double perBatch;
    private volatile double writeNanos;
    private volatile double groupNanos;
    private volatile double forceNanosOfHalf;
    private volatile long idleSinceNanos;

    /**
     * A batch is durable.
     *
     * @param records how many appends have no outcome yet, its own included
     * @param bytes how many payload bytes these have
     */
    void durable(int records, long bytes) {
        int before = outstanding;
        int recent = Math.max(records, lastRecords); // of two halves that end together, only the first sees both
        outstanding = Math.max(recent, before - Math.max(1, before / SHARE));
        outstandingBytes = Math.max(bytes, lastBytes);
        lastRecords = records;
        lastBytes = bytes;
    }

    /**
     * A batch is acknowledged. Times are those of {@link System#nanoTime}.
     *
     * @param appends how many it had; 0 if every one was left out
     */
    void acknowledged(int appends, long writeBegin, long forceBegin, long end) {
        if (appends > 0) {
            perBatch = average(perBatch, appends);
            writeNanos = average(writeNanos, (double) forceBegin - writeBegin);
            forceNanosOfHalf = 3 * appends > 2 * outstanding
                    ? forceNanosOfHalf - forceNanosOfHalf / FORGETTING
                    : average(forceNanosOfHalf, (double) end - forceBegin);
            groupNanos = average(groupNanos, (double) end - writeBegin);
        }
        idleSinceNanos = end;
    }

    private static double average(double before, double value) {
        return before + (value - before) / SHARE;
    }

    /** How many appends were without an outcome lately, at most. */
    int outstanding() {
        return outstanding;
    }

    /** How many payload bytes were without an outcome lately, at most. */
    long outstandingBytes() {
        return outstandingBytes;
    }

    /**
     * How long it would take to write so many appends at once, by what was written lately: at most twice as long as that took,
     * because a write of a few says little about one of many.
     */
    double writeNanosOf(int count) {
        return writeNanos * Math.min(2, count / Math.max(1, perBatch));
    }

    /**
     * How long the force takes of a batch that has about half of what is outstanding. It takes longer the more there is to force: a log
     * whose batches have all must not be judged by those, or it depends on chance which of both it does. What is known of halves is
     * forgotten slowly, and then they are tried again.
     */
    double forceNanosOfHalf() {
        return forceNanosOfHalf;
    }

    /** How long a write and a force take together, on average. */
    long groupNanos() {
        return (long) groupNanos;
    }

    /** When the batch acknowledged last was forced. */
    long idleSinceNanos() {
        return idleSinceNanos;
    }
}
