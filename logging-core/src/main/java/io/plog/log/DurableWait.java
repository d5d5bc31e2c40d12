package io.plog.log;

import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Callers that wait until a log is durable up to an index. Where nobody does, that costs one volatile read for each batch. */
final class DurableWait {
    private volatile int waiting; // changed under this
    private boolean ended; // guarded by this

    /** To be called after more became durable, or the log failed. */
    void changed() {
        if (waiting > 0) { // they count themselves before they look
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** The log is closed: nothing more becomes durable. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** See {@link DurableLog#awaitDurable}. */
    synchronized boolean await(
            LongSupplier durableIndex, Supplier<@Nullable LogFailedException> failure, long index, Duration atMost)
            throws LogException, InterruptedException {
        long begin = System.nanoTime();
        long most = TimeUnit.NANOSECONDS.convert(atMost);
        waiting++;
        try {
            while (durableIndex.getAsLong() < index) {
                LogFailedException failed = failure.get();
                if (failed != null) {
                    throw failed;
                }
                if (ended) {
                    throw new LogRefusedException.Closed("the log was closed before index " + index + " was durable");
                }
                long left = most - (System.nanoTime() - begin);
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return true;
        } finally {
            waiting--;
        }
    }
}
