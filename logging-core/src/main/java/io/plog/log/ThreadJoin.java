package io.plog.log;

import java.util.concurrent.TimeUnit;

/** Waits for threads to end, and is not interrupted meanwhile. */
final class ThreadJoin {
    private ThreadJoin() {}

    /** Waits until the thread has ended. An interrupt does not end the wait and stays set. */
    static void join(Thread thread) {
        join(thread, Long.MAX_VALUE);
    }

    /**
     * Waits at most so many nanoseconds. An interrupt does not end the wait and stays set.
     *
     * @return whether it has ended, or was never started
     */
    static boolean join(Thread thread, long nanos) {
        long begin = System.nanoTime();
        boolean interrupted = false;
        while (thread.isAlive()) {
            long left = nanos - (System.nanoTime() - begin);
            if (left <= 0) {
                break;
            }
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(left, 1_000_000)); // it counts in milliseconds
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
