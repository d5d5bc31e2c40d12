package io.plog.log;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The future of an append. Whoever waits for it looks for a while before the thread parks, since waking a thread takes tens
 * of microseconds, about half as long as a force.
 */
final class DurableFuture extends CompletableFuture<Long> {
    private final int spinNanos;

    DurableFuture(int spinNanos) {
        this.spinNanos = spinNanos;
    }

    @Override
    public Long get() throws InterruptedException, ExecutionException {
        spin(spinNanos);
        return super.get();
    }

    @Override
    public Long get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
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
        spin(spinNanos);
        return super.join();
    }

    private void spin(int nanos) {
        if (!isDone()) {
            Spin.until(this::isDone, nanos);
        }
    }
}
