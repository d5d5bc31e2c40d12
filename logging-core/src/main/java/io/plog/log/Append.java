package io.plog.log;

import io.plog.log.storage.LogException;
import org.jspecify.annotations.Nullable;

/**
 * One append whose outcome is reported by a callback instead of a future. The object is both request and result, and the
 * append allocates nothing else. A service subclasses it with its own state of a request.
 *
 * <p>Exactly one of {@link #onDurable} and {@link #onFailed} is called, once for each append. From then on the object may be
 * used for another, also in that very call; so a service that keeps its objects allocates nothing. {@code onDurable} is called in log order, on
 * one thread at a time. It must hand slow work over and return, because it delays every later append.
 *
 * <p><strong>Whose thread.</strong> One of the log's, or that of any caller in {@link MessageLog#appendAndWait},
 * of which at least 64 KiB of the stack are left; {@code onFailed} is called on the caller's own
 * thread when the append is refused at once. So a callback must not rely on thread-local variables, nor leave any behind. The
 * thread's interrupts are its own: a callback does not see one from before, and leaves none. One that another thread sends a
 * caller meanwhile ends what a callback sleeps or waits in, and stays the caller's.
 *
 * <p>Both may append, and must not wait for the log: {@link MessageLog#appendAndWait}, {@link MessageLog#close} and the futures of
 * appends, or those derived from them with {@code thenApply} and its like, refuse with an {@link IllegalStateException}, and
 * {@link MessageLog#append(Append, java.nio.ByteBuffer...)} refuses where it would wait. Not noticed are
 * {@code CompletableFuture.allOf(...).join()}, and two logs whose callbacks wait for each other: these stand still until one is
 * closed. If
 * a callback does not return, {@link LogStatus#callbackNanos} and {@link LogListener#callbackStalled} show it, and a close
 * still ends. Then {@code onFailed} is called for the appends that are left, durable or not, on another thread, because
 * {@code onDurable} is called in log order or not at all.
 *
 * <p>The durations are meaningful once {@code onDurable} is called. They are differences of {@link System#nanoTime}
 * within this process. {@code waiting + batchWait + write + force} is the whole logging latency, from the call of
 * {@code append} to the moment the record is durable.
 */
public abstract non-sealed class Append implements Completion {
    // Written by the caller before the append is queued, or by a lane before the callback runs.
    private boolean underWay;
    int payloadCrc;
    long waitingNanos;
    long batchWaitNanos;
    long writeNanos;
    long forceNanos;
    int batchRecords;
    long index = -1;

    @Nullable
    Waiter waiter; // who waits until the outcome was reported, if anybody does

    private final boolean blocking;

    /** For subclasses. An object is for one append at a time: once its outcome is reported it may be used again. */
    protected Append() {
        this(false);
    }

    /** @param blocking whether its caller waits for the outcome, and no code of the embedder's runs when it is reported */
    Append(boolean blocking) {
        this.blocking = blocking;
    }

    final boolean isBlocking() {
        return blocking;
    }

    /** The record is durable, in its place in the order, and so is every record before it. */
    protected abstract void onDurable();

    /**
     * The record was not acknowledged and never will be.
     *
     * @param cause why; {@link LogException#isIndeterminate} says whether it may be in the log all the same
     */
    protected abstract void onFailed(LogException cause);

    /** The record's place in the order; the first record of a log has index 1. Valid from {@link #onDurable} on. */
    public final long index() {
        return index;
    }

    /** From the call of {@code append} until the log's thread took it up. Nanoseconds. */
    public final long waitingNanos() {
        return waitingNanos;
    }

    /** From being taken up until the write began: forming and encoding the batch, changing segments. Nanoseconds. */
    public final long batchWaitNanos() {
        return batchWaitNanos;
    }

    /** The write of the whole batch. Nanoseconds. */
    public final long writeNanos() {
        return writeNanos;
    }

    /** The force of the whole batch; 0 where the write itself forces and where nothing is forced. Nanoseconds. */
    public final long forceNanos() {
        return forceNanos;
    }

    /** The whole logging latency, from the call of {@code append} to durable. Nanoseconds. */
    public final long loggingNanos() {
        return waitingNanos + batchWaitNanos + writeNanos + forceNanos;
    }

    /** How many records shared the write and the force, at least 1. */
    public final int batchRecords() {
        return batchRecords;
    }

    /** The CRC-32C of the record, as the 32 bits of an {@code int}. Valid once {@code append} was called with this. */
    public final int payloadCrc() {
        return payloadCrc;
    }

    /**
     * For {@link Completion} alone. From here on this may be used again, also by the callback that is called.
     *
     * @param itsIndex the record's index if it is durable; the other numbers above are set then
     * @param failed why the append failed; null if the record is durable
     */
    final void finish(long itsIndex, @Nullable LogException failed) {
        Waiter waiting = waiter;
        waiter = null;
        underWay = false;
        index = failed == null ? itsIndex : index;
        try {
            if (failed == null) {
                onDurable();
            } else {
                onFailed(failed);
            }
        } finally {
            if (waiting != null) {
                waiting.finish();
            }
        }
    }

    /** An append with it begins. */
    final void use(int crc, @Nullable Waiter waits) {
        if (underWay) {
            throw new IllegalStateException(
                    "this Append is under way: use it again when its outcome was reported, or use another one");
        }
        underWay = true;
        payloadCrc = crc;
        waiter = waits;
    }
}
