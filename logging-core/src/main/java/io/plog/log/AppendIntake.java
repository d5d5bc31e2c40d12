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
                RecordList.ANY,
                List.of(ByteBuffer.allocate(1)),
                LogOptions.in(Path.of("")).segments());
        for (Payload each : List.of(Payload.of(null, list), Payload.of(new ByteBuffer[0]))) {
            each.consume();
            queue.tryPut(new DurableFuture(0, new LogThreads()), each, 0);
            each.release(true);
        }
        Waiter waiter = new Waiter();
        waiter.finish();
        waiter.awaitUninterruptibly();
        new BlockingAppend().take();
        StackRoom.isEnoughForWork();
        SpinWait.until(waiter, 0);
        queue.clear(0);
        queue.clear(1);
        queue.release(2, 1);
        queue.close();
    }

    /** See {@link DurableLog#append(ByteBuffer...)}. */
    public CompletableFuture<Long> append(ByteBuffer[] payload) {
        return append(Payload.of(payload));
    }

    CompletableFuture<Long> append(Payload payload) {
        DurableFuture future = new DurableFuture(spinNanos, threads);
        LogException refusal = put(future, null, payload);
        if (refusal == null) {
            order.wake();
        } else {
            Completion.fail(future, refusal);
        }
        return future;
    }

    /** See {@link DurableLog#append(Append, ByteBuffer...)}. */
    public void append(Append append, ByteBuffer[] payload) {
        append(append, Payload.of(payload));
    }

    void append(Append append, Payload payload) {
        LogException refusal = put(append, null, payload);
        if (refusal == null) {
            order.wake();
        } else {
            Completion.fail(append, refusal);
        }
    }

    /** See {@link DurableLog#appendAndWait(ByteBuffer...)}. */
    public long appendAndWait(ByteBuffer[] payload) throws LogException {
        return appendAndWait(Payload.of(payload));
    }

    long appendAndWait(Payload payload) throws LogException {
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
        Waiter waiter = new Waiter();
        LogException refusal = put(append, waiter, Payload.of(payload));
        if (refusal != null) {
            Completion.fail(append, refusal);
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

    /** Returns why the record was not taken; null if it was. */
    private @Nullable LogException put(Completion completion, @Nullable Waiter waiter, Payload payload) {
        try {
            return tryPut(completion, waiter, payload);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new LogRefusedException.QueueFull(INTERRUPTED);
        }
    }

    /** @param waiter who waits for the outcome, if anybody does */
    private @Nullable LogException tryPut(Completion completion, @Nullable Waiter waiter, Payload payload)
            throws InterruptedException {
        boolean taken = false;
        try {
            Objects.requireNonNull(completion, "append");
            if (waiter != null) {
                checkMayWait("appendAndWait()");
            }
            long now = System.nanoTime();
            StackRoom.require(now);
            checkLength(payload);
            payload.consume();
            if (completion instanceof Append append) {
                append.use(payload.crc, waiter);
            }
            LogException refusal = order.put(completion, payload, now);
            taken = refusal == null;
            return refusal;
        } finally {
            payload.release(taken);
        }
    }

    private void checkLength(Payload payload) {
        boolean fits = payload.length >= 0 && payload.length <= maxRecordBytes; // less if its limit was just moved
        if (!fits && !(payload.several instanceof RecordList)) {
            throw new IllegalArgumentException(
                    "record of " + payload.length + " bytes: this log takes at most " + maxRecordBytes);
        }
    }
}
