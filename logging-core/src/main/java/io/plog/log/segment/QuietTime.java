package io.plog.log.segment;

/**
 * For how long, behind a change of segment, what is done in the background keeps off the disk. Appends have waited for the change; so
 * nothing else of the log is to be in the way of their forces for a moment: an eighth of the time that the segment before lasted, and
 * at most 10 ms. Not thread-safe.
 */
final class QuietTime {
    private static final long PART = 8;
    private static final long MOST_NANOS = 10_000_000;

    private long changed;
    private long end;

    /** @param now as {@link System#nanoTime} counts, as everywhere here */
    QuietTime(long now) {
        changed = now;
        end = now;
    }

    /** The segment is changed now. */
    void begin(long now) {
        end = now + Math.min(MOST_NANOS, (now - changed) / PART);
        changed = now;
    }

    /** Nanoseconds that are left of it; 0 or less if it is over. */
    long left(long now) {
        return end - now;
    }
}
