package io.plog.log;

import io.plog.log.segment.WorkThread;
import io.plog.log.storage.LogException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The future of an append. */
final class DurableFuture extends LogFuture<Long> implements Completion {
    DurableFuture(int spinNanos, LogThreads threads) {
        super(spinNanos, threads);
    }

    /** For {@link Completion} alone, as {@link Append#finish}. */
    void finish(long index, @Nullable LogException failed) {
        while (true) {
            try {
                if (failed == null) {
                    complete(index);
                } else {
                    completeExceptionally(failed);
                }
                return;
            } catch (OutOfMemoryError passes) {
                // It is completed no second time, and whoever waits for it would wait for ever.
                LockSupport.parkNanos(this, WorkThread.SHORTAGE_NANOS);
            }
        }
    }
}
