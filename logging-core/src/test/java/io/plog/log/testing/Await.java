package io.plog.log.testing;

import java.util.concurrent.locks.LockSupport;

/** Waits for what other threads do, and leaves them the processor meanwhile. */
public final class Await {
    private static final long LOOK_EVERY_NANOS = 500_000;

    /** What is waited for. */
    public interface Condition {
        boolean holds() throws Exception;
    }

    private Await() {}

    /**
     * Looks until the condition holds.
     *
     * @throws InterruptedException when the time of the test is over
     */
    public static void until(Condition condition) throws Exception {
        while (!condition.holds()) {
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException("waited in vain");
            }
        }
    }
}
