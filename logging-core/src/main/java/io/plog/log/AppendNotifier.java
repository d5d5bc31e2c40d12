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
 * which append is completed when, except after {@linkplain #failAll failures}.
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
    private final PaddedCounter nextToComplete =
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
        return nextToComplete.get();
    }

    // ---- A batch, for the thread that acknowledges ----

    /**
     * Notifies the listener, and callers that wait for an index, that a batch is durable, and frees the queue's room for its appends. The
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
        if (nextToComplete.get() == TAKEN_OVER) {
            return false;
        }
        for (int i = 0; i < batch.count; i++) {
            batch.enqueuedNanos[i] = queue.enqueuedNanos(batch.firstNumber + i);
            batch.completions[i] = queue.clear(batch.firstNumber + i);
        }
        metrics.durable(queue.records(), queue.bytes());
        queue.release(batch.firstNumber + batch.count, batch.payloadBytes);
        movedOut = true;
        return true;
    }

    /** Claims the append with this number, which is the next. Returns false if another thread took over. */
    boolean claim(long number) {
        return nextToComplete.compareAndSet(number, number + 1);
    }

    /** Completes one append of a batch: its record is durable. */
    void reportDurable(GroupCommit.Acknowledgement proof, Batch batch, int place) {
        Completion completion = batch.takeCompletion(place);
        if (completion instanceof Append append) {
            long enqueuedNanos = batch.enqueuedNanos[place];
            append.waitingNanos = Math.max(0, batch.takenNanos - enqueuedNanos);
            append.batchWaitNanos = batch.writeBegin - Math.max(batch.takenNanos, enqueuedNanos);
            append.writeNanos = batch.forceBegin - batch.writeBegin;
            append.forceNanos = batch.end - batch.forceBegin;
            append.batchRecords = batch.records;
        }
        report(completion, proof, batch.indexOf(place), null);
    }

    /** Completes one append of a batch whose record was left out. */
    void reportRefused(Batch batch, int place) {
        report(batch.takeCompletion(place), null, 0, batch.refusals[place]);
    }

    /** The time that it takes is measured, unless no code of the embedder's runs: a caller waits for the outcome. */
    private void report(
            Completion completion,
            GroupCommit.@Nullable Acknowledgement proof,
            long index,
            @Nullable LogException failed) {
        if (Completion.isBlocking(completion)) {
            finish(completion, proof, index, failed);
            return;
        }
        callback.begin();
        try {
            finish(completion, proof, index, failed);
        } catch (Throwable t) {
            GuardedListener.report(t);
        } finally {
            callback.end();
        }
    }

    private static void finish(
            Completion completion,
            GroupCommit.@Nullable Acknowledgement proof,
            long index,
            @Nullable LogException failed) {
        if (proof != null) {
            Completion.acknowledge(completion, index);
        } else {
            Completion.fail(completion, Objects.requireNonNull(failed));
        }
    }

    /** Everything in the batch was reported. Returns false if the reporting was taken over: then the batch is still being read. */
    synchronized boolean finish(Batch batch) {
        if (nextToComplete.get() == TAKEN_OVER) {
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
    void failAll(long end, LogFailedException cause, LongFunction<@Nullable LogException> refusals) {
        for (long number = queue.firstUnderWay(); number < end; number++) {
            LogException refusal = refusals.apply(number); // before it is claimed: this may fail and be tried again
            Completion completion;
            synchronized (this) {
                if (!claim(number)) {
                    return;
                }
                int length = queue.length(number);
                completion = queue.clear(number);
                queue.release(number + 1, length);
            }
            report(completion, null, 0, refusal == null ? cause : refusal);
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
        long first = nextToComplete.getAndSet(TAKEN_OVER);
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
                    Completion completion = inBatch ? batch.completions[i] : queue.completion(number);
                    rest.add(new Pending(
                            Objects.requireNonNull(completion),
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
            rest.add(new Pending(queue.completion(number), null, 0, number < unwritten ? unknown : closed));
        }
        return rest;
    }

    /**
     * An append that was not completed yet when the log was given up.
     *
     * @param completion what to complete
     * @param proof that the record is durable, otherwise null
     * @param index the record's index if it is durable, otherwise 0
     * @param otherwise the failure if the record is not durable, and for every {@link Append} with code of the embedder's:
     *     {@link Append#onDurable} runs in log order on one thread at a time, and the current one does not return
     */
    record Pending(
            Completion completion, GroupCommit.@Nullable Acknowledgement proof, long index, LogException otherwise) {
        /** Whether completing it runs no code of the embedder's. */
        boolean isQuick() {
            return completion instanceof DurableFuture future
                    ? future.getNumberOfDependents() == 0
                    : Completion.isBlocking(completion);
        }

        void report() {
            boolean mayRun = completion instanceof DurableFuture || Completion.isBlocking(completion);
            finish(completion, mayRun ? proof : null, index, otherwise);
        }
    }
}
