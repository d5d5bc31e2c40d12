package io.plog.log;

import io.plog.log.file.RecordHeader;
import io.plog.log.segment.CheckedCopy;
import io.plog.log.storage.LogException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The side of a log that its callers see, for a {@link DurableLog} outside of this package: takes their records, completes
 * their appends, and calls their listener. {@link MessageLog} is made of the same parts, and there {@link GroupCommit} alone says what
 * is durable.
 *
 * <p>Outcomes are reported by one thread at a time, between {@link #enter} and {@link #leave}; the rest is for any thread.
 */
public final class CallerSide {
    /** The order of the log. */
    public interface Order {
        /**
         * Takes an append into the order, unless it is refused.
         *
         * @return why it was not taken; null if it was
         * @throws InterruptedException if the caller was interrupted while it waited for room; it was not taken
         */
        @Nullable
        LogException put(CopiedAppend append) throws InterruptedException;
    }

    /** An append whose record was copied: the caller's buffers are not looked at any more. */
    public static final class CopiedAppend {
        private final Completion completion;
        private final ByteBuffer entry;
        private final int payloadCrc;
        private final long calledNanos;

        private CopiedAppend(Completion completion, ByteBuffer entry, int payloadCrc, long calledNanos) {
            this.completion = completion;
            this.entry = entry;
            this.payloadCrc = payloadCrc;
            this.calledNanos = calledNanos;
        }

        /** {@link RecordCodec#HEADER_BYTES} for the header, and the payload. */
        public ByteBuffer entry() {
            return entry;
        }

        public int payloadBytes() {
            return entry.capacity() - RecordHeader.BYTES;
        }

        public int payloadCrc() {
            return payloadCrc;
        }
    }

    private final LogThreads threads = new LogThreads();
    private final CallbackMonitor callbacks = new CallbackMonitor();
    private final CallbackMonitor.Site completing = callbacks.newSite();
    private final LogListener listener;
    private final Housekeeper housekeeper = new Housekeeper(Housekeeper.PERIOD_NANOS, null);
    private CallersInterrupts interrupts = new CallersInterrupts(); // of the thread that completes

    public CallerSide(LogListener listener) {
        this.listener = new GuardedListener(listener, threads, callbacks);
        housekeeper.add(() -> callbacks.look(this.listener, System.nanoTime()));
    }

    /** Looks each second, from now on, whether a callback does not return. Called once at most. */
    public void start() {
        housekeeper.start();
    }

    /** Looks no more. */
    public void stop() {
        housekeeper.stop(Housekeeper.PERIOD_NANOS);
    }

    // ---- Records ----

    /**
     * How records come in.
     *
     * @param maxRecordBytes the longest payload
     */
    public AppendIntake intake(Order order, int maxRecordBytes) {
        AppendOrder copies = (completion, payload, calledNanos) -> {
            StackRoom.requireForWork(); // the engine's code runs on the caller's thread
            ByteBuffer entry = ByteBuffer.allocate(RecordHeader.BYTES + payload.length);
            LogException changed = new CheckedCopy(entry).copy(payload, RecordHeader.BYTES);
            if (changed != null) {
                return changed;
            }
            if (completion instanceof BlockingAppend blocking && blocking.take()) {
                blocking.copied();
            }
            return order.put(new CopiedAppend(completion, entry, payload.crc, calledNanos));
        };
        return new AppendIntake(copies, threads, maxRecordBytes, 0);
    }

    // ---- Outcomes ----

    /** The calling thread completes appends from now on; to be followed by {@link #leave}. */
    public void enter() {
        threads.enter();
        interrupts = interrupts.keepApart();
    }

    /** It does so no more. */
    public void leave() {
        interrupts.restore();
        threads.leave();
    }

    /** Whether the calling thread does the log's work, or runs a callback. */
    public boolean isCurrentThread() {
        return threads.isCurrentThread();
    }

    /**
     * Completes an append: its record is durable, and every record before it, too. To be called once for each append, in log order.
     *
     * @param sentNanos when the log took it up, as {@link System#nanoTime}
     */
    public void acknowledge(CopiedAppend append, long index, long sentNanos) {
        if (append.completion instanceof Append numbers) {
            numbers.waitingNanos = sentNanos - append.calledNanos;
            numbers.forceNanos = System.nanoTime() - sentNanos;
            numbers.batchRecords = 1;
        }
        report(append.completion, () -> Completion.acknowledge(append.completion, index));
    }

    /** Refuses an append that no log has seen, on the calling thread. What the callback throws is thrown here. */
    public static void refuse(Append append, LogException cause) {
        Completion.fail(append, cause);
    }

    /** Completes an append that failed. To be called once for each append. */
    public void fail(CopiedAppend append, LogException cause) {
        report(append.completion, () -> Completion.fail(append.completion, cause));
    }

    /** The time that it takes is measured, unless no code of the embedder's runs: a caller waits for the outcome. */
    private void report(Completion completion, Runnable outcome) {
        if (Completion.isBlocking(completion)) {
            outcome.run();
            return;
        }
        completing.begin();
        try {
            outcome.run();
        } catch (Throwable t) {
            GuardedListener.report(t);
        } finally {
            completing.end();
        }
    }

    /** The listener; what it throws goes no further. */
    public LogListener listener() {
        return listener;
    }

    /** How long the current callback has taken so far, in nanoseconds; 0 if there is none. */
    public long callbackNanos() {
        return callbacks.longestNanos();
    }
}
