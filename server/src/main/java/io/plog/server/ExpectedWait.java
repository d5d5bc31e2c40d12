package io.plog.server;

/**
 * How long a record that is appended now would wait for its log, from how many are there before it and what one has cost
 * lately. By that a server refuses early what it could only answer late: a queue that is full by count or bytes holds seconds
 * of work.
 *
 * <p>{@link #forced} is called by the log, for one group at a time; the rest is safe for any thread and costs one division.
 */
final class ExpectedWait {
    /** What lies further back matters little: long enough for tens of groups, short enough to see a disk become slow. */
    private static final double MEMORY_NANOS = 100e6;

    /** A queue that is gone after so many of the fastest groups is none, however slow the disk. */
    private static final int GROUPS = 4;

    private final long limitNanos;

    // Of the log's threads, one at a time.
    private double costNanos;
    private double records;
    private long lastForcedNanos;
    private boolean busy;
    private long fastestNanos = Long.MAX_VALUE;

    private volatile double nanosPerRecord;
    private volatile long effectiveLimitNanos = Long.MAX_VALUE;

    /** @param limitNanos beyond which a wait is too long; 0 for no limit */
    ExpectedWait(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /**
     * A group is durable.
     *
     * @param count its records
     * @param groupNanos how long its write and force took
     * @param queued records that are there besides
     * @param now of {@link System#nanoTime}
     */
    void forced(int count, long groupNanos, int queued, long now) {
        // As long as there is always something to do, groups follow each other, maybe several at once: what one costs
        // is the
        // time since the one before was done.
        long cost = busy ? Math.max(1, now - lastForcedNanos) : groupNanos;
        double kept = Math.exp(-cost / MEMORY_NANOS);
        costNanos = costNanos * kept + cost;
        records = records * kept + count;
        lastForcedNanos = now;
        busy = queued > 0;
        nanosPerRecord = costNanos / records;
        fastestNanos = Math.min(fastestNanos, groupNanos);
        if (limitNanos > 0) {
            effectiveLimitNanos = Math.max(limitNanos, GROUPS * fastestNanos);
        }
    }

    /** The wait behind so many records. */
    long nanos(int queued) {
        return (long) (queued * nanosPerRecord);
    }

    /** Whether that is too long. */
    boolean isTooLong(int queued) {
        return nanos(queued) > effectiveLimitNanos;
    }
}
