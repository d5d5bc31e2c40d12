package io.plog.log;

import java.util.Objects;
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
        if (proof != null) {
            complete(index);
        } else {
            completeExceptionally(Objects.requireNonNull(failed));
        }
    }

    /** The same for another log than {@link MessageLog}: the record is durable. */
    void acknowledgedElsewhere(long index) {
        complete(index);
    }
}
