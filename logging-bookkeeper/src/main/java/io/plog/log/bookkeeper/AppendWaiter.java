package io.plog.log.bookkeeper;

import java.util.concurrent.locks.LockSupport;

/** The thread that made it, waiting until an append was told its outcome. */
final class AppendWaiter {
    private final Thread caller = Thread.currentThread();
    private volatile boolean done;

    /** The outcome was told. For any thread. */
    void finish() {
        done = true;
        LockSupport.unpark(caller);
    }

    /** Waits for the outcome, or for an interrupt, which is consumed; returns whether it was the outcome. */
    boolean awaitOrInterrupt() {
        while (!done) {
            LockSupport.park(this);
            if (Thread.interrupted() && !done) {
                return false;
            }
        }
        return true;
    }

    /** Waits for the outcome. An interrupt is still the caller's to look at afterwards. */
    void awaitUninterruptibly() {
        boolean interrupted = false;
        while (!done) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
