package io.plog.measure;

import java.util.concurrent.locks.LockSupport;

/**
 * Waits for intended times. A parked thread comes back tens of microseconds late on Linux (timer slack), so the last
 * {@value #SPIN_NANOS} ns are spun.
 */
final class Pacer {
    private static final long SPIN_NANOS = 200_000;

    private Pacer() {}

    /**
     * Returns at this time at the earliest, or at once if it has passed.
     *
     * @param at as {@link System#nanoTime}
     */
    static void waitUntil(long at) {
        long left = at - System.nanoTime();
        while (left > 0) {
            if (left > SPIN_NANOS) {
                // May return early, so the loop looks again.
                LockSupport.parkNanos(left - SPIN_NANOS);
            } else {
                Thread.onSpinWait();
            }
            left = at - System.nanoTime();
        }
    }

    /** The intended time of a request, from its number within the cell's turn; exact for any rate and duration. */
    static long offsetNanos(long request, double ratePerSecond) {
        return (long) (request * (1e9 / ratePerSecond));
    }
}
