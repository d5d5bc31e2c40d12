package io.plog.e2e.support;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another process does. */
public final class Await {
    private static final long LOOK_EVERY_NANOS = Duration.ofMillis(5).toNanos();

    private Await() {}

    /** Looks until the condition holds; fails with this text if it does not in time. */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + Plog.PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }
}
