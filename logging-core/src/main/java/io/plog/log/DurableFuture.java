package io.plog.log;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The future of an append. Whoever waits for it looks for a while before the thread parks, since waking a thread takes tens
 * of microseconds, about half as long as a force. To wait for it in a callback of its log throws
 * {@link IllegalStateException}.
 */
final class DurableFuture extends CompletableFuture<Long> {
    private final int spinNanos;
    private final LogThreads threads;

    DurableFuture(int spinNanos, LogThreads threads) {
        this.spinNanos = spinNanos;
        this.threads = threads;
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

    @Override
    public Long get() throws InterruptedException, ExecutionException {
        checkMayWait();
        spin(spinNanos);
        return super.get();
    }

    @Override
    public Long get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        checkMayWait();
        long most = unit.toNanos(timeout);
        if (most <= spinNanos) {
            return super.get(timeout, unit);
        }
        long begin = System.nanoTime();
        spin(spinNanos);
        return super.get(Math.max(1, most - (System.nanoTime() - begin)), TimeUnit.NANOSECONDS);
    }

    @Override
    public Long join() {
        checkMayWait();
        spin(spinNanos);
        return super.join();
    }

    private void checkMayWait() {
        if (!isDone() && threads.isCurrentThread()) {
            throw new IllegalStateException("waiting for an append on a thread that does its log's work, in a callback:"
                    + " that would wait for itself");
        }
    }

    private void spin(int nanos) {
        if (!isDone()) {
            SpinWait.until(this::isDone, nanos);
        }
    }
}
