package io.plog.benchmarks.journal;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of the outstanding appends of a closed loop: its payload, and later its outcome. Used again and again by the loop's
 * thread, which waits for the oldest; allocates nothing.
 *
 * <p>The outcome comes by a call of {@link #complete} or {@link #fail}, from any thread, or by a future that is watched.
 */
public final class Pending {
    /** How long to look before parking: longer than a quick disk's force. With 20 µs every contestant was slower, plog by a third. */
    static final long SPIN_NANOS = Long.getLong("benchmarks.spinMicros", 300) * 1000;

    /** Looks between two yields. Without them the log's thread, if it woke up on the same processor, would have to wait for the parking. */
    private static final int LOOKS = 32;

    private final Thread submitter;
    private final long spinNanos;
    private final ByteBuffer payload;
    private final @Nullable Object[] attachment = new Object[1];
    private long submittedNanos;
    private long completedNanos;
    private @Nullable CompletableFuture<?> future;
    private @Nullable Throwable failure;
    private volatile boolean done = true;
    private volatile boolean parked;

    /**
     * @param payload a direct buffer, of which each append gets the whole
     * @param submitter the only thread that submits and waits
     * @param looks whether it looks for the outcome before it parks
     */
    public Pending(ByteBuffer payload, Thread submitter, boolean looks) {
        this.payload = payload;
        this.submitter = submitter;
        this.spinNanos = looks ? SPIN_NANOS : 0;
    }

    /** The whole record. */
    public ByteBuffer payload() {
        return payload;
    }

    /** What the journal keeps with this place, such as the payload in the form that it wants; null at first. */
    public @Nullable Object attachment() {
        return attachment[0];
    }

    /** Keeps something with this place. */
    public void attach(Object object) {
        attachment[0] = object;
    }

    /** A new append begins. */
    public void begin() {
        payload.clear();
        future = null;
        failure = null;
        done = false;
        submittedNanos = System.nanoTime();
    }

    /** The record is durable. */
    public void complete() {
        completedNanos = System.nanoTime();
        finish();
    }

    public void fail(Throwable cause) {
        completedNanos = System.nanoTime();
        failure = cause;
        finish();
    }

    private void finish() {
        done = true;
        if (parked) {
            LockSupport.unpark(submitter);
        }
    }

    /** The outcome is this future's. The time of completion is then when the submitting thread sees it. */
    public void watch(CompletableFuture<?> outcome) {
        future = outcome;
    }

    /**
     * Waits for the outcome.
     *
     * @return nanoseconds from submission to completion
     * @throws ExecutionException if the append failed
     */
    public long await() throws ExecutionException, InterruptedException {
        CompletableFuture<?> watched = future;
        if (watched != null) {
            watched.get();
            return System.nanoTime() - submittedNanos;
        }
        if (!done) {
            awaitDone();
        }
        if (failure != null) {
            throw new ExecutionException(failure);
        }
        return completedNanos - submittedNanos;
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint to the scheduler, as every loop that looks should give it
    private void awaitDone() {
        long until = System.nanoTime() + spinNanos;
        for (int looks = 1; !done; looks++) {
            if (System.nanoTime() - until > 0) {
                parked = true;
                while (!done) {
                    LockSupport.park(this);
                }
                parked = false;
                return;
            }
            if (looks % LOOKS == 0) {
                Thread.yield();
            }
            Thread.onSpinWait();
        }
    }
}
