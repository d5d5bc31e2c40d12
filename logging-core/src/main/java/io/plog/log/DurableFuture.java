package io.plog.log;

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
    private final AtWork atWork;

    DurableFuture(int spinNanos, AtWork atWork) {
        this.spinNanos = spinNanos;
        this.atWork = atWork;
    }

    /** Completes it: with why the append failed or, if that is null, with its index. */
    void tell(long index, @Nullable LogException failed) {
        if (failed == null) {
            complete(index);
        } else {
            completeExceptionally(failed);
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
        if (!isDone() && atWork.isCurrentThread()) {
            throw new IllegalStateException("waiting for an append on a thread that does its log's work, in a callback:"
                    + " that would wait for itself");
        }
    }

    private void spin(int nanos) {
        if (!isDone()) {
            Spin.until(this::isDone, nanos);
        }
    }
}
