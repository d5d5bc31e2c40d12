package io.plog.log.file;

import java.util.concurrent.TimeUnit;

/** Waits that an interrupt does not end: it stays set. */
public final class Uninterruptibles {
    /** What is waited for. */
    public interface Wait {
        /** Waits at most so many nanoseconds, 0 or less to look only; returns whether it came. */
        boolean within(long nanos) throws InterruptedException;
    }

    private Uninterruptibles() {}

    /** Waits at most so many nanoseconds; returns whether it came. */
    public static boolean await(long nanos, Wait wait) {
        long begin = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.within(nanos - (System.nanoTime() - begin));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits at most so many nanoseconds for the thread; returns whether it has ended, or was never started. */
    public static boolean join(Thread thread, long nanos) {
        return await(nanos, left -> {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(left, 1_000_000)); // it counts in milliseconds
            return !thread.isAlive();
        });
    }
}
