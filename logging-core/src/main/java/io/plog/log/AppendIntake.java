package io.plog.log;

import io.plog.log.file.Payload;
import io.plog.log.segment.RecordList;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How records of callers come into a log, in whichever way they are appended: measured, checked, refused and waited for on the
 * caller's thread. Each log has one; that of a log outside of this package is made by its {@link CallerSide}. For any thread.
 */
public final class AppendIntake {
    private static final String INTERRUPTED =
            "interrupted while waiting for room in the queue; the record was not written";

    static {
        rehearse();
    }

    private final AppendOrder order;
    private final LogThreads threads;
    private final int maxRecordBytes;
    private final int spinNanos;

    /** @param spinNanos how long a caller that waits for a future looks before its thread parks */
    AppendIntake(AppendOrder order, LogThreads threads, int maxRecordBytes, int spinNanos) {
        this.order = order;
        this.threads = threads;
        this.maxRecordBytes = maxRecordBytes;
        this.spinNanos = spinNanos;
    }

    /**
     * Loads, initialises and links what the path of an append needs while a log is opened. A class whose initialisation ends for want
     * of stack is lost to the whole process, and the first append may be that of a caller with little.
     */
    private static void rehearse() {
        AppendQueue queue = new AppendQueue(2, 2);
        RecordList list = new RecordList(
                List.of(ByteBuffer.allocate(1)), LogOptions.in(Path.of("")).segments());
        list.consume();
        new Payload(new ByteBuffer[0]).consume();
        queue.tryPut(new DurableFuture(0, new LogThreads()), list, 0, 1, 0, 0);
        Waiter waiter = new Waiter();
        waiter.finish();
        waiter.awaitUninterruptibly();
        new BlockingAppend().take();
        StackRoom.isEnoughForWork();
        SpinWait.until(waiter, 0);
        queue.clear(0);
        queue.release(1, 1);
        queue.close();
    }

    /** See {@link DurableLog#append(ByteBuffer...)}. */
    public CompletableFuture<Long> append(ByteBuffer[] payload) {
        return append((Object) payload);
    }

    /** The same for an array, one buffer without an array for it, or a {@link RecordList}. */
    CompletableFuture<Long> append(Object payload) {
        DurableFuture future = new DurableFuture(spinNanos, threads);
        LogException refusal = put(future, null, payload);
        if (refusal == null) {
            order.wake();
        } else {
            future.completeExceptionally(refusal);
        }
        return future;
    }

    /** See {@link DurableLog#append(Append, ByteBuffer...)}. */
    public void append(Append append, ByteBuffer[] payload) {
        append(append, (Object) payload);
    }

    /** The same for an array, or one buffer without an array for it. */
    void append(Append append, Object payload) {
        LogException refusal = put(Objects.requireNonNull(append, "append"), null, payload);
        if (refusal == null) {
            order.wake();
        } else {
            append.refused(refusal);
        }
    }

    /** See {@link DurableLog#appendAndWait(ByteBuffer...)}. */
    public long appendAndWait(ByteBuffer[] payload) throws LogException {
        return appendAndWait((Object) payload);
    }

    /** The same for an array, or a {@link RecordList}. */
    long appendAndWait(Object payload) throws LogException {
        checkMayWait("appendAndWait()");
        BlockingAppend append = new BlockingAppend();
        Waiter waiter = new Waiter();
        LogException refusal;
        try {
            refusal = tryPut(append, waiter, payload);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AppendInterruptedException(INTERRUPTED, false);
        }
        if (refusal != null) {
            throw refusal;
        }
        order.workUntil(waiter);
        append.await(waiter);
        return append.outcome();
    }

    /** See {@link DurableLog#appendAndWait(Append, ByteBuffer...)}. */
    public void appendAndWait(Append append, ByteBuffer[] payload) {
        checkMayWait("appendAndWait()");
        Waiter waiter = new Waiter();
        LogException refusal = put(Objects.requireNonNull(append, "append"), waiter, payload);
        if (refusal != null) {
            append.refused(refusal);
            return;
        }
        order.workUntil(waiter);
        waiter.awaitUninterruptibly();
    }

    /**
     * Refuses what would wait for the log on a thread that does its work.
     *
     * @throws IllegalStateException if the calling thread does
     */
    public void checkMayWait(String method) {
        if (threads.isCurrentThread()) {
            throw new IllegalStateException(method + " called from a thread that does the log's work, in a callback: it"
                    + " would wait for itself. Hand over to another thread, or use append()");
        }
    }

    /**
     * @param owner what to complete: an {@link Append} or a {@link DurableFuture}
     * @param waiter who waits for its outcome, if anybody does
     * @return why the record was not taken; null if it was
     */
    private @Nullable LogException put(Object owner, @Nullable Waiter waiter, Object payload) {
        try {
            return tryPut(owner, waiter, payload);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new LogRefusedException.QueueFull(INTERRUPTED);
        }
    }

    private @Nullable LogException tryPut(Object owner, @Nullable Waiter waiter, Object payload)
            throws InterruptedException {
        if (payload instanceof ByteBuffer one) {
            return tryPut(owner, waiter, one);
        }
        if (payload instanceof RecordList list) {
            return tryPut(owner, waiter, list, (int) list.bytes);
        }
        ByteBuffer[] parts = (ByteBuffer[]) payload;
        if (parts.length == 1) {
            return tryPut(owner, waiter, parts[0]);
        }
        Payload several = new Payload(parts.clone());
        return tryPut(owner, waiter, several, checkLength(several.bytes));
    }

    private @Nullable LogException tryPut(Object owner, @Nullable Waiter waiter, Payload payload, int length)
            throws InterruptedException {
        long now = System.nanoTime();
        StackRoom.require(now);
        boolean taken = false;
        try {
            int crc = payload.consume();
            use(owner, waiter, crc);
            LogException refusal = order.put(owner, payload, 0, length, crc, now);
            taken = refusal == null;
            return refusal;
        } finally {
            if (!taken) {
                payload.restore();
            }
        }
    }

    private @Nullable LogException tryPut(Object owner, @Nullable Waiter waiter, ByteBuffer payload)
            throws InterruptedException {
        long now = System.nanoTime();
        StackRoom.require(now);
        int position = payload.position();
        int length = checkLength(payload.limit() - (long) position);
        int crc = Payload.crcOf(payload);
        boolean taken = false;
        try {
            use(owner, waiter, crc);
            LogException refusal = order.put(owner, payload, position, length, crc, now);
            taken = refusal == null;
            return refusal;
        } finally {
            if (!taken) {
                payload.position(position);
            }
        }
    }

    private static void use(Object owner, @Nullable Waiter waiter, int crc) {
        if (owner instanceof Append append) {
            append.use(crc, waiter);
        }
    }

    private int checkLength(long bytes) {
        if (bytes < 0 || bytes > maxRecordBytes) { // less if its limit was just moved
            throw new IllegalArgumentException(
                    "record of " + bytes + " bytes: this log takes at most " + maxRecordBytes);
        }
        return (int) bytes;
    }
}
