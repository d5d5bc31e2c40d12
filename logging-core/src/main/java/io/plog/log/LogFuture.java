package io.plog.log;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The future of an append, or one that was derived from it. A caller that waits for it looks for a while before the thread parks, since
 * waking a thread takes tens of microseconds, about half as long as a force. To wait for it in a callback of its log throws
 * {@link IllegalStateException}.
 */
class LogFuture<T> extends CompletableFuture<T> {
    private final int spinNanos;
    private final LogThreads threads;

    LogFuture(int spinNanos, LogThreads threads) {
        this.spinNanos = spinNanos;
        this.threads = threads;
    }

    /** For {@code thenApply} and its like: what waits for such a future waits for the log, too. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new LogFuture<>(spinNanos, threads);
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        checkMayWait();
        spin();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        checkMayWait();
        long most = unit.toNanos(timeout);
        if (most <= spinNanos) {
            return super.get(timeout, unit);
        }
        long begin = System.nanoTime();
        spin();
        return super.get(Math.max(1, most - (System.nanoTime() - begin)), TimeUnit.NANOSECONDS);
    }

    @Override
    public T join() {
        checkMayWait();
        spin();
        return super.join();
    }

    private void checkMayWait() {
        if (!isDone() && threads.isCurrentThread()) {
            throw new IllegalStateException("waiting for an append on a thread that does its log's work, in a callback:"
                    + " that would wait for itself");
        }
    }

    private void spin() {
        if (!isDone()) {
            SpinWait.until(this::isDone, spinNanos);
        }
    }
}
