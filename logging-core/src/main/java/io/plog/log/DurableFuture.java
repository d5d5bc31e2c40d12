package io.plog.log;

import io.plog.log.segment.WorkThread;
import io.plog.log.storage.LogException;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The future of an append. */
final class DurableFuture extends LogFuture<Long> {
    DurableFuture(int spinNanos, LogThreads threads) {
        super(spinNanos, threads);
    }

    /**
     * Completes it.
     *
     * @param proof that the record is durable; null if the append failed
     * @param index the record's index, if it is durable
     * @param failed why the append failed; null if it did not
     */
    void tell(GroupCommit.@Nullable Acknowledgement proof, long index, @Nullable LogException failed) {
        while (true) {
            try {
                if (proof != null) {
                    complete(index);
                } else {
                    completeExceptionally(Objects.requireNonNull(failed));
                }
                return;
            } catch (OutOfMemoryError passes) {
                // It is told no second time, and whoever waits for it would wait for ever.
                LockSupport.parkNanos(this, WorkThread.SHORTAGE_NANOS);
            }
        }
    }

    /** The same for another log than {@link MessageLog}: the record is durable. */
    void acknowledgedElsewhere(long index) {
        complete(index);
    }
}
