package io.plog.log;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** An append whose caller waits for the outcome. */
final class BlockingAppend extends Append {
    private final Thread caller = Thread.currentThread();
    private @Nullable LogException failure;
    private volatile boolean done;
    private volatile boolean parked;

    @Override
    protected void onDurable() {
        finish();
    }

    @Override
    protected void onFailed(LogException cause) {
        failure = cause;
        finish();
    }

    private void finish() {
        done = true;
        if (parked) {
            LockSupport.unpark(caller);
        }
    }

    boolean isDone() {
        return done;
    }

    /**
     * Waits for the outcome.
     *
     * @return the record's index
     */
    long await() throws LogException, InterruptedException {
        parked = true;
        while (!done) {
            LockSupport.park(this);
            if (Thread.interrupted() && !done) {
                throw new InterruptedException("interrupted while waiting for an append; the record may be in the log");
            }
        }
        LogException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return index();
    }
}
