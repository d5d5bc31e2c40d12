package io.plog.log;

import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Completes appends, each exactly once, and shields the log from exceptions of their callbacks. {@link GroupCommit} decides
 * which append is completed when, except after {@linkplain #tellAllFailed failures}.
 *
 * <p>A thread claims an append by its number before it completes it. So no append is completed twice, even if another thread
 * {@linkplain #takeOver takes over} from one whose callback does not return.
 */
final class AppendNotifier {
    private static final long TAKEN_OVER = Long.MAX_VALUE;

    final DurableWait durableWait = new DurableWait();
    private final AppendQueue queue;
    private final LogListener listener;
    private final BatchMetrics metrics;
    private final CallbackMonitor.Site callback;
    private final PaddedCounter nextToTell =
            new PaddedCounter(); // the number of the next append to be claimed, or TAKEN_OVER

    // Guarded by this.
    private boolean movedOut; // whether the oldest batch's appends are in the batch, and not in the queue any more

    AppendNotifier(AppendQueue queue, LogListener listener, BatchMetrics metrics, CallbackMonitor callbacks) {
        this.queue = queue;
        this.listener = listener;
        this.metrics = metrics;
        this.callback = callbacks.newSite();
    }

    /** How many appends were completed, or are being completed. For any thread. */
    long claimed() {
        return nextToTell.get();
    }

    // ---- A batch, for the thread that acknowledges ----

    /**
     * Tells callers that wait for an index and the listener of a durable batch, and frees the queue's room for its appends. The
     * room must be free before the callbacks run, because a callback may append again. Returns false if another thread took over.
     */
    boolean begin(Batch batch) {
        durableWait.changed();
        if (batch.records > 0) {
            listener.batchForced(
                    batch.records,
                    batch.encodedBytes,
                    batch.forceBegin - batch.writeBegin,
                    batch.end - batch.forceBegin);
        }
        return moveOut(batch);
    }

    private synchronized boolean moveOut(Batch batch) {
        if (nextToTell.get() == TAKEN_OVER) {
            return false;
        }
        for (int i = 0; i < batch.count; i++) {
            batch.enqueuedNanos[i] = queue.enqueuedNanos(batch.firstNumber + i);
            batch.owners[i] = queue.clear(batch.firstNumber + i);
        }
        metrics.durable(queue.records(), queue.bytes());
        queue.release(batch.firstNumber + batch.count, batch.payloadBytes);
        movedOut = true;
        return true;
    }

    /** Claims the append with this number, which is the next. Returns false if the telling was taken over. */
    boolean claim(long number) {
        return nextToTell.compareAndSet(number, number + 1);
    }

    /** Tells one append of a batch that its record is durable. */
    void tellDurable(GroupCommit.Acknowledgement proof, Batch batch, int place) {
        Object owner = batch.takeOwner(place);
        long index = batch.indexOf(place);
        if (owner instanceof Append append) {
            long enqueuedNanos = batch.enqueuedNanos[place];
            append.index = index;
            append.waitingNanos = Math.max(0, batch.takenNanos - enqueuedNanos);
            append.batchWaitNanos = batch.writeBegin - Math.max(batch.takenNanos, enqueuedNanos);
            append.writeNanos = batch.forceBegin - batch.writeBegin;
            append.forceNanos = batch.end - batch.forceBegin;
            append.batchRecords = batch.records;
        }
        tell(owner, proof, index, null);
    }

    /** Tells one append of a batch why its record was left out. */
    void tellRefused(Batch batch, int place) {
        tell(batch.takeOwner(place), null, 0, batch.refusals[place]);
    }

    /** A caller that waits for the outcome runs no code of its own here, so no time is taken. */
    private void tell(
            Object owner, GroupCommit.@Nullable Acknowledgement proof, long index, @Nullable LogException failed) {
        if (owner instanceof Append append && append.isBlocking()) {
            append.tell(proof, failed);
            return;
        }
        callback.begin();
        try {
            if (owner instanceof Append append) {
                append.tell(proof, failed);
            } else {
                ((DurableFuture) owner).tell(proof, index, failed);
            }
        } catch (Throwable t) {
            GuardedListener.report(t);
        } finally {
            callback.end();
        }
    }

    /** Everything in the batch was reported. Returns false if the reporting was taken over: then the batch is still being read. */
    synchronized boolean finish(Batch batch) {
        if (nextToTell.get() == TAKEN_OVER) {
            return false;
        }
        metrics.acknowledged(batch.records == 0 ? 0 : batch.count, batch.writeBegin, batch.forceBegin, batch.end);
        movedOut = false;
        return true;
    }

    // ---- After a failure, or when the log is given up ----

    /**
     * Fails all appends that still wait. Call when no lane works any more.
     *
     * @param end the number after the last append
     * @param cause of those whose outcome is unknown
     * @param refusals why an append was not written for certain, by its number; null for the others
     */
    void tellAllFailed(long end, LogFailedException cause, LongFunction<@Nullable LogException> refusals) {
        for (long number = queue.firstUnderWay(); number < end; number++) {
            LogException refusal = refusals.apply(number); // before it is claimed: this may fail and be tried again
            Object owner;
            synchronized (this) {
                if (!claim(number)) {
                    return;
                }
                int length = queue.length(number);
                owner = queue.clear(number);
                queue.release(number + 1, length);
            }
            tell(owner, null, 0, refusal == null ? cause : refusal);
        }
    }

    /**
     * Takes over from a thread whose callback does not return: that thread completes no further append. Call when the queue is
     * closed and the {@link DiskGate} is shut.
     *
     * @param proof for the appends whose records are durable
     * @param durable the oldest batches that are durable, in log order; none after a failure
     * @param unknown the failure of all appends whose outcome is unknown
     * @param end the number after the last append
     * @param unwritten the number from which on no append was written
     * @return the appends that are left for the caller to complete, in log order; none the second time
     */
    synchronized List<Pending> takeOver(
            GroupCommit.Acknowledgement proof,
            List<Batch> durable,
            LogFailedException unknown,
            long end,
            long unwritten) {
        List<Pending> rest = new ArrayList<>();
        long first = nextToTell.getAndSet(TAKEN_OVER);
        if (first == TAKEN_OVER) {
            return rest;
        }
        long number = first;
        for (Batch batch : durable) {
            boolean inBatch = movedOut && batch.equals(durable.get(0));
            for (int i = 0; i < batch.count; i++) {
                LogException refusal = batch.refusals[i];
                long its = refusal == null ? batch.indexOf(i) : 0;
                if (batch.firstNumber + i >= first) {
                    Object owner = inBatch ? batch.owners[i] : queue.owner(number);
                    rest.add(new Pending(
                            Objects.requireNonNull(owner),
                            refusal == null ? proof : null,
                            its,
                            refusal == null ? unknown : refusal));
                    number++;
                }
            }
        }
        LogRefusedException.Closed closed =
                new LogRefusedException.Closed("the log was closed; the record was not written");
        for (; number < end; number++) {
            rest.add(new Pending(queue.owner(number), null, 0, number < unwritten ? unknown : closed));
        }
        return rest;
    }

    /**
     * An append that was not completed yet when the log was given up.
     *
     * @param owner what to complete: an {@link Append} or a {@link DurableFuture}
     * @param proof that the record is durable, otherwise null
     * @param index the record's index if it is durable, otherwise 0
     * @param otherwise the failure if the record is not durable, and for every {@link Append} with code of the embedder's:
     *     {@link Append#onDurable} runs in log order on one thread at a time, and the current one does not return
     */
    record Pending(Object owner, GroupCommit.@Nullable Acknowledgement proof, long index, LogException otherwise) {
        /** Whether completing it runs no code of the embedder's. */
        boolean isQuick() {
            return owner instanceof Append append
                    ? append.isBlocking()
                    : ((DurableFuture) owner).getNumberOfDependents() == 0;
        }

        void tell() {
            LogException failed = proof == null ? otherwise : null;
            if (owner instanceof Append append) {
                if (append.isBlocking()) {
                    append.index = index;
                    append.tell(proof, failed);
                } else {
                    append.tell(null, otherwise);
                }
            } else {
                ((DurableFuture) owner).tell(proof, index, failed);
            }
        }
    }
}
