package io.plog.server.monitoring;

import java.time.Duration;

/** Lets a line through once in a while, and counts the others. Safe for any thread. */
public final class LineLimit {
    private final long apartNanos;
    private boolean any;
    private long lastNanos;
    private long unsaid;

    /** With at least so much time between two lines. */
    public LineLimit(Duration apart) {
        apartNanos = apart.toNanos();
    }

    /**
     * Whether a line is to be said now.
     *
     * @param now as {@link System#nanoTime}
     * @return how many were not said since the last one; -1 if this one is not said either
     */
    public synchronized long admit(long now) {
        if (any && now - lastNanos < apartNanos) {
            unsaid++;
            return -1;
        }
        any = true;
        lastNanos = now;
        long others = unsaid;
        unsaid = 0;
        return others;
    }
}
