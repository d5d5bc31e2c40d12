package io.plog.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells every append its outcome: each one once, in log order, by one thread at a time. Nothing else in this library completes
 * an append that was put into the queue.
 *
 * <p>Batches may become durable in any order; none is acknowledged before all that lie before it are, and none after a
 * failure. Whoever is about to tell an append first claims it, by its number, so that nobody is told twice even if the telling
 * has to be {@linkplain #takeOver taken over} from a thread whose callback does not return.
 */
final class Acknowledger {
    private static final long TAKEN_OVER = Long.MAX_VALUE;

    private final AppendQueue queue;
    private final LogListener listener;
    private final BatchFormer former;
    private final Callbacks.Site telling;

    // Batches under way, by ticket. Filled by the leading lane.
    private final AtomicReferenceArray<@Nullable Batch> underWay;
    private final ReentrantLock acknowledging = new ReentrantLock(); // held while callbacks run; nobody waits for it
    private final Counter nextToTell = new Counter(); // the number of the next append to be claimed, or TAKEN_OVER

    // Guarded by this, which is held for moments only and never while a callback runs.
    private boolean movedOut; // whether the oldest batch's appends are in the batch, and not in the queue any more
    private volatile long nextToAcknowledge; // written with the lock
    private volatile @Nullable LogFailedException failure; // written with the lock

    private volatile long durableIndex;
    private volatile long idleSinceNanos;

    /** @param lanes how many there are */
    Acknowledger(
            AppendQueue queue,
            LogListener listener,
            BatchFormer former,
            Callbacks callbacks,
            int lanes,
            long durableIndex) {
        this.queue = queue;
        this.listener = listener;
        this.former = former;
        this.telling = callbacks.newSite();
        this.underWay = new AtomicReferenceArray<>(Integer.highestOneBit(2 * lanes) << 1);
        this.durableIndex = durableIndex;
    }

    /** The index of the last record that is durable and about to be acknowledged, with all before it. For any thread. */
    long durableIndex() {
        return durableIndex;
    }

    /** When the batch acknowledged last was forced. */
    long idleSinceNanos() {
        return idleSinceNanos;
    }

    /** The ticket of the oldest batch that is not acknowledged. For any thread. */
    long nextToAcknowledge() {
        return nextToAcknowledge;
    }

    /** How many appends were told their outcome, or are being told. */
    long told() {
        return nextToTell.get();
    }

    /** Why nothing is acknowledged any more; null if it is. For any thread. */
    @Nullable
    LogFailedException failure() {
        return failure;
    }

    /** Acknowledges nothing more, but for the batch that is being acknowledged now. Returns false if it was so already. */
    synchronized boolean fail(LogFailedException cause) {
        if (failure != null) {
            return false;
        }
        failure = cause;
        return true;
    }

    /** A batch was taken from the queue. For the leading lane. */
    void add(Batch batch) {
        underWay.set((int) batch.ticket & (underWay.length() - 1), batch);
    }

    /**
     * Acknowledges the batches that are done, from the oldest on, up to the first that is not. Whoever comes while another
     * lane is at it may go: that one looks again.
     */
    void acknowledgeInOrder() {
        while (oldestDone() != null && acknowledging.tryLock()) {
            try {
                for (Batch oldest = oldestDone(); oldest != null; oldest = oldestDone()) {
                    if (!acknowledge(oldest)) {
                        return;
                    }
                }
            } finally {
                acknowledging.unlock();
            }
        }
    }

    private @Nullable Batch oldestDone() {
        return done(nextToAcknowledge);
    }

    private @Nullable Batch done(long ticket) {
        Batch batch = underWay.get((int) ticket & (underWay.length() - 1));
        return batch != null && batch.done && batch.ticket == ticket ? batch : null;
    }

    /** Returns false if the log has failed, or the telling was taken over. */
    private boolean acknowledge(Batch batch) {
        if (failure != null) {
            return false;
        }
        if (batch.records > 0) {
            durableIndex = batch.firstIndex + batch.records - 1;
            listener.batchForced(
                    batch.records,
                    batch.encodedBytes,
                    batch.forceBegin - batch.writeBegin,
                    batch.end - batch.forceBegin);
        }
        if (!moveOut(batch) || !tell(batch)) {
            return false;
        }
        former.acknowledged(batch);
        idleSinceNanos = batch.end;
        return finish(batch);
    }

    /** Before anybody is told: whoever reacts to an outcome with the next append must find its room free. */
    private synchronized boolean moveOut(Batch batch) {
        if (nextToTell.get() == TAKEN_OVER) {
            return false;
        }
        for (int i = 0; i < batch.count; i++) {
            batch.enqueuedNanos[i] = queue.enqueuedNanos(batch.firstNumber + i);
            batch.owners[i] = queue.clear(batch.firstNumber + i);
        }
        queue.release(batch.firstNumber + batch.count, batch.payloadBytes);
        movedOut = true;
        return true;
    }

    /** Nothing else in this library completes an append successfully, but for {@link #takeOver}. */
    private boolean tell(Batch batch) {
        long index = batch.firstIndex;
        for (int i = 0; i < batch.count; i++) {
            long number = batch.firstNumber + i;
            if (!nextToTell.compareAndSet(number, number + 1)) {
                return false;
            }
            Object owner = batch.owners[i];
            batch.owners[i] = null;
            LogException refusal = batch.refusals[i];
            if (refusal == null) {
                tellDurable(owner, index++, batch.enqueuedNanos[i], batch);
            } else {
                tellFailed(owner, refusal);
            }
        }
        return true;
    }

    /** The batch may be used again. */
    private synchronized boolean finish(Batch batch) {
        if (nextToTell.get() == TAKEN_OVER) {
            return false; // whoever took over is reading it
        }
        movedOut = false;
        batch.inUse = false;
        nextToAcknowledge = batch.ticket + 1;
        return true;
    }

    private void tellDurable(@Nullable Object owner, long index, long enqueuedNanos, Batch batch) {
        if (owner instanceof Append append) {
            append.index = index;
            append.waitingNanos = Math.max(0, batch.takenNanos - enqueuedNanos);
            append.batchWaitNanos = batch.writeBegin - Math.max(batch.takenNanos, enqueuedNanos);
            append.writeNanos = batch.forceBegin - batch.writeBegin;
            append.forceNanos = batch.end - batch.forceBegin;
            append.batchRecords = batch.records;
            call(append, null);
        } else {
            complete((DurableFuture) Objects.requireNonNull(owner), index, null);
        }
    }

    private void tellFailed(@Nullable Object owner, LogException cause) {
        if (owner instanceof Append append) {
            call(append, cause);
        } else {
            complete((DurableFuture) Objects.requireNonNull(owner), 0, cause);
        }
    }

    /** Whoever waits for the outcome runs no code of its own here, so no time is taken. */
    private void call(Append append, @Nullable LogException failed) {
        if (append instanceof BlockingAppend) {
            append.tell(failed);
            return;
        }
        telling.begin();
        try {
            append.tell(failed);
        } catch (Throwable t) {
            GuardedListener.report(t);
        } finally {
            telling.end();
        }
    }

    private void complete(DurableFuture future, long index, @Nullable LogException failed) {
        telling.begin();
        try {
            future.tell(index, failed);
        } catch (Throwable t) {
            GuardedListener.report(t);
        } finally {
            telling.end();
        }
    }

    /**
     * After a failure, when no lane is at work any more: tells all who still wait.
     *
     * @param end the number after the last append
     */
    void tellAllFailed(long end, LogFailedException cause) {
        for (long number = queue.firstUnderWay(); number < end; number++) {
            Object owner;
            synchronized (this) {
                if (!nextToTell.compareAndSet(number, number + 1)) {
                    return;
                }
                int length = queue.length(number);
                owner = queue.clear(number);
                queue.release(number + 1, length);
            }
            tellFailed(owner, cause);
        }
    }

    /**
     * Takes the telling over from a thread whose callback does not return: that thread tells nobody any more. To be called
     * when the queue is closed and the {@link DiskGate} shut.
     *
     * @param end the number after the last append
     * @param unwritten the number from which on no append was written
     * @return the outcomes of all others, in log order, to be told by whoever asked; nothing the second time
     */
    synchronized List<LastOutcome> takeOver(LogFailedException cause, long end, long unwritten) {
        LogFailedException before = failure;
        LogFailedException told = before == null ? cause : before;
        failure = told;
        List<LastOutcome> rest = new ArrayList<>();
        long first = nextToTell.getAndSet(TAKEN_OVER);
        if (first == TAKEN_OVER) {
            return rest;
        }
        long number = first;
        long ticket = nextToAcknowledge;
        // After a failure nothing more is acknowledged, not even what is durable.
        for (Batch batch = done(ticket); batch != null && before == null; batch = done(++ticket)) {
            boolean inBatch = movedOut && ticket == nextToAcknowledge;
            long index = batch.firstIndex;
            for (int i = 0; i < batch.count; i++) {
                LogException refusal = batch.refusals[i];
                long its = refusal == null ? index++ : 0;
                if (batch.firstNumber + i >= first) {
                    Object owner = inBatch ? batch.owners[i] : queue.owner(number);
                    rest.add(new LastOutcome(Objects.requireNonNull(owner), its, refusal == null ? told : refusal));
                    number++;
                }
            }
        }
        LogClosedException closed = new LogClosedException("the log was closed; the record was not written");
        for (; number < end; number++) {
            rest.add(new LastOutcome(queue.owner(number), 0, number < unwritten ? told : closed));
        }
        return rest;
    }
}
