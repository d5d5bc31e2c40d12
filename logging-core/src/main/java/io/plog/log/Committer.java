package io.plog.log;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The log's thread, and the one place where the rule lives: <em>append, force, and only then acknowledge</em>. See
 * {@link #commit}.
 *
 * <p>Group commit without a timer: whatever came in while the last batch was being forced is the next batch. After a
 * failed write or force nothing is tried again, since a force that is repeated may succeed over bytes that the kernel has
 * already dropped (Rebello et al., <cite>Can Applications Recover from fsync Failures?</cite>, ATC 2020): the log is failed
 * for good, and every append that waits is told so.
 */
final class Committer implements Runnable {
    private static final long IDLE = Long.MIN_VALUE;

    private final AppendQueue queue;
    private final SegmentChain segments;
    private final LogListener listener;
    private final boolean marksWhenIdle;
    private final long idleMarkNanos;
    private final long spinNanos;
    private final Batch batch;

    // Owned by the log's thread.
    private @Nullable Append taken; // off the queue and not yet in a batch, oldest first
    private long nextIndex;
    private long markedIndex;
    private long idleSinceNanos;

    // Read by others.
    private final AtomicLong busySinceNanos = new AtomicLong(IDLE);
    private volatile long durableIndex;
    private volatile @Nullable LogFailedException failure;
    private volatile boolean closing;

    Committer(
            LogOptions options,
            LogListener listener,
            AppendQueue queue,
            SegmentChain segments,
            long nextIndex,
            long markedIndex) {
        this.queue = queue;
        this.segments = segments;
        this.listener = listener;
        this.marksWhenIdle = options.force().isStable();
        this.idleMarkNanos = options.idleMark().toNanos();
        this.spinNanos = options.spin().toNanos();
        this.batch = new Batch(options.maxBatchBytes());
        this.nextIndex = nextIndex;
        this.markedIndex = markedIndex;
        this.durableIndex = nextIndex - 1;
    }

    long durableIndex() {
        return durableIndex;
    }

    /** How long the write and force under way have taken so far; 0 if none is. */
    long stalledNanos() {
        long since = busySinceNanos.get();
        return since == IDLE ? 0 : Math.max(0, System.nanoTime() - since);
    }

    @Nullable
    LogFailedException failure() {
        return failure;
    }

    /** Asks the thread to take what is still queued, mark the log as closed in order, and end. */
    void closeSoon() {
        closing = true;
        queue.wakeUp();
    }

    @Override
    public void run() {
        queue.attachTaker();
        try {
            while (!closing) {
                if (queue.await(spinNanos, idleDeadline())) {
                    commitAll(queue.takeAll());
                } else if (isMarkDue()) {
                    writeIdleMark();
                }
            }
            commitAll(queue.close());
            segments.closeInOrder(nextIndex, durableIndex);
        } catch (Throwable cause) {
            // Whatever it was, an error of the disk or of this program: nothing may be acknowledged from here on.
            fail(cause);
        }
    }

    /** Commits a chain of appends in batches, in their order. */
    private void commitAll(@Nullable Append oldest) throws IOException {
        taken = oldest;
        while (taken != null) {
            long takenNanos = System.nanoTime();
            fillBatch();
            if (batch.count() > 0) {
                commit(takenNanos);
            }
        }
    }

    /** The rule. Nothing else in this library completes an append successfully. */
    private void commit(long takenNanos) throws IOException {
        long firstIndex = nextIndex;
        long bytes = segments.encode(batch, firstIndex, durableIndex);
        long writeBegin = System.nanoTime();
        busySinceNanos.lazySet(writeBegin);
        segments.write(bytes); // append ...
        long forceBegin = System.nanoTime();
        segments.force(); // ... force ...
        long end = System.nanoTime();
        busySinceNanos.lazySet(IDLE);
        nextIndex = firstIndex + batch.count();
        durableIndex = nextIndex - 1;
        listener.batchForced(batch.count(), bytes, forceBegin - writeBegin, end - forceBegin);
        acknowledge(takenNanos, writeBegin, forceBegin, end); // ... and only then acknowledge.
        idleSinceNanos = end;
    }

    private void acknowledge(long takenNanos, long writeBegin, long forceBegin, long end) {
        int count = batch.count();
        // Before anybody is told: whoever reacts to an acknowledgement with the next append must find its room free.
        queue.release(count, batch.payloadBytes());
        for (int i = 0; i < count; i++) {
            Append append = batch.get(i);
            append.waitingNanos = Math.max(0, takenNanos - append.enqueuedNanos);
            append.batchWaitNanos = writeBegin - Math.max(takenNanos, append.enqueuedNanos);
            append.writeNanos = forceBegin - writeBegin;
            append.forceNanos = end - forceBegin;
            append.batchRecords = count;
            append.payload = null;
            try {
                append.onDurable();
            } catch (Throwable t) {
                GuardedListener.report(t);
            }
        }
        batch.clear();
    }

    /**
     * Moves appends from {@link #taken} to the batch, going on to the next segment when the first does not fit any more. An
     * append for which there is no space is refused; it was not written.
     */
    private void fillBatch() throws IOException {
        while (taken != null) {
            if (batch.add(taken, segments.room())) {
                nextTaken();
            } else if (batch.count() > 0) {
                return;
            } else {
                try {
                    segments.changeSegment(nextIndex, durableIndex);
                } catch (LogFullException full) {
                    tellFailed(nextTaken(), full);
                }
            }
        }
    }

    /** Takes the first off the chain. */
    private Append nextTaken() {
        Append first = Objects.requireNonNull(taken);
        taken = first.next;
        first.next = null;
        return first;
    }

    private long idleDeadline() {
        return marksWhenIdle && markedIndex < durableIndex ? idleSinceNanos + idleMarkNanos : Long.MAX_VALUE;
    }

    private boolean isMarkDue() {
        return idleDeadline() != Long.MAX_VALUE && System.nanoTime() - idleDeadline() >= 0;
    }

    /** The last batch's watermark would otherwise travel with the next one only, whenever that comes. */
    private void writeIdleMark() throws IOException {
        segments.mark(nextIndex, durableIndex);
        markedIndex = durableIndex;
    }

    /** Fails the log for good. The first cause is the one that everybody is told. */
    private LogFailedException fail(Throwable cause) {
        LogFailedException failed = failure;
        if (failed == null) {
            failed = new LogFailedException(
                    "the log is failed for good after an error (" + describe(cause)
                            + "); the outcome of what was being appended is unknown. Open it again to recover",
                    cause);
            failure = failed;
            listener.failed(cause);
        }
        busySinceNanos.set(IDLE);
        for (int i = 0; i < batch.count(); i++) {
            tellFailed(batch.get(i), failed);
        }
        batch.clear();
        tellAllFailed(taken, failed);
        taken = null;
        tellAllFailed(queue.close(), failed);
        segments.abandon();
        return failed;
    }

    private static String describe(Throwable cause) {
        String message = cause.getMessage();
        return cause instanceof IOException && message != null ? message : cause.toString();
    }

    private void tellAllFailed(@Nullable Append oldest, LogException cause) {
        Append rest = oldest;
        while (rest != null) {
            Append append = rest;
            rest = append.next;
            append.next = null;
            tellFailed(append, cause);
        }
    }

    private void tellFailed(Append append, LogException cause) {
        append.payload = null;
        queue.release(1, append.payloadBytes);
        try {
            append.onFailed(cause);
        } catch (Throwable t) {
            GuardedListener.report(t);
        }
    }
}
