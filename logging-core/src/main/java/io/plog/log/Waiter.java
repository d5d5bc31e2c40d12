package io.plog.log;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A caller that waits for the outcome of its append. Made by that thread. */
final class Waiter implements BooleanSupplier {
    private final Thread caller = Thread.currentThread();
    private volatile boolean done;
    private volatile boolean parked;

    /** The outcome was reported. Called once, by any thread. */
    void finish() {
        done = true;
        if (parked) {
            LockSupport.unpark(caller);
        }
    }

    @Override
    public boolean getAsBoolean() {
        return done;
    }

    /** Waits for the outcome, or for an interrupt, which is consumed; returns whether it was the outcome. */
    boolean awaitOrInterrupt() {
        parked = true;
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
        parked = true;
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
