package io.plog.log.bookkeeper;

import io.plog.log.DurableLogSupport;
import io.plog.log.LogDamagedException;
import io.plog.log.LogException;
import io.plog.log.LogFailedException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The rule: <em>an append is acknowledged when the ack quorum has forced it, and every append before it; in order, and none
 * after a failure</em>. An entry that failed is never sent again: the ledger may hold it all the same.
 *
 * <p>A ledger that is full is followed by another as soon as nothing is under way in it. Appends wait for that meanwhile.
 */
final class QuorumCommit {
    /** What takes longer, on a thread that may block. */
    interface Helper {
        /** Puts the next ledger behind the full one, and calls {@link #continueIn}. */
        void changeLedger(LedgerWriter full, long nextIndex, long bytes);

        /** Asks whether the log is still this writer's, and calls {@link #proved}. */
        void proveHolding();
    }

    /** How many outcomes are told together at most. */
    private static final int MOST_TOLD = 1_024;

    private final AppendLimits limits;
    private final LogCallbacks callbacks;
    private final LogClock clock;
    private final Helper helper;
    private final DurableLogSupport.RecordCodec codec = new DurableLogSupport.RecordCodec(); // guarded by the lock

    private final ReentrantLock lock = new ReentrantLock(); // guards all that follows, but for volatile reads
    private final Condition changed = lock.newCondition(); // room, or an outcome
    private final Deque<PendingAppend> pending = new ArrayDeque<>(); // in log order: first those sent, then the others
    private final Deque<PendingAppend> unsent = new ArrayDeque<>(); // the others: they wait for the next ledger
    private LedgerWriter ledger;
    private long epoch;
    private long nextIndex;
    private long ledgerBytes; // of the entries sent to this ledger
    private boolean changing; // no entry goes to this ledger any more
    private boolean closed;
    private final Holding holding;
    private boolean proving; // nothing is acknowledged until it is known whose the log is
    private long told; // how many appends were told their outcome
    private int queuedRecords;
    private long queuedBytes;
    private volatile long durableIndex;
    private volatile long oldestSentNanos; // 0 if nothing is under way
    private volatile @Nullable LogFailedException failure;

    private final ReentrantLock telling = new ReentrantLock(); // held while callbacks run; no thread waits for it

    /** @param epoch part of the check of each record in this ledger */
    QuorumCommit(
            LedgerWriter ledger,
            long epoch,
            long nextIndex,
            AppendLimits limits,
            LogCallbacks callbacks,
            LogClock clock,
            Helper helper) {
        this.ledger = ledger;
        this.epoch = epoch;
        this.nextIndex = nextIndex;
        this.durableIndex = nextIndex - 1;
        this.limits = limits;
        this.callbacks = callbacks;
        this.clock = clock;
        this.helper = helper;
        this.holding = new Holding(clock);
    }

    // ---- Appends ----

    /**
     * Takes an append into the order and sends it.
     *
     * @return why it was not taken; null if it was
     * @throws InterruptedException if the caller was interrupted while it waited for room; the append was not taken
     */
    @Nullable
    LogException put(PendingAppend append) throws InterruptedException {
        lock.lock();
        try {
            while (!closed && failure == null && isFull(append)) {
                if (!limits.waits() || isTelling()) {
                    return DurableLogSupport.queueFull("the queue before the log is full (" + queuedRecords
                            + " records, " + queuedBytes + " bytes); the record was not written. Try again later");
                }
                changed.await();
            }
            LogFailedException failed = failure;
            if (failed != null) {
                return notWritten(failed);
            }
            if (closed) {
                return DurableLogSupport.closed("the log is closed; the record was not written");
            }
            append.index = nextIndex++;
            queuedRecords++;
            queuedBytes += append.payloadBytes;
            pending.add(append);
            changing = changing || ledgerBytes >= limits.ledgerBytes();
            if (changing) {
                unsent.add(append);
            } else {
                send(append);
            }
        } finally {
            lock.unlock();
        }
        tellInOrder(); // the outcome may have come while the lock was held, and the ledger may have to be changed
        return null;
    }

    private static LogFailedException notWritten(LogFailedException failed) {
        return DurableLogSupport.failed(
                "the record was not written: " + failed.getMessage(), failed, false, failed.reason());
    }

    private boolean isFull(PendingAppend append) {
        return queuedRecords >= limits.records()
                || (queuedRecords > 0 && queuedBytes + append.payloadBytes > limits.bytes());
    }

    private void send(PendingAppend append) {
        append.sentNanos = clock.nanos();
        append.sentWallSeconds = clock.wallSeconds();
        append.sent = true;
        ledgerBytes += append.entry.remaining();
        if (oldestSentNanos == 0) {
            oldestSentNanos = append.sentNanos;
        }
        codec.encode(
                append.entry.duplicate(), epoch, append.index, durableIndex, append.payloadBytes, append.payloadCrc);
        ledger.append(append.entry, error -> stored(append, error));
    }

    /** An entry's outcome, on any thread, in any order. */
    private void stored(PendingAppend append, @Nullable IOException error) {
        if (error != null) {
            fail(error);
            return;
        }
        lock.lock();
        try {
            append.stored = true;
        } finally {
            lock.unlock();
        }
        tellInOrder();
    }

    // ---- Outcomes ----

    /** Tells the oldest appends, up to the first without an outcome. If another thread is at it, that one looks again. */
    private void tellInOrder() {
        while (!lock.isHeldByCurrentThread() && !isTelling() && hasWork() && telling.tryLock()) {
            try {
                for (List<PendingAppend> group = decided(); !group.isEmpty(); group = decided()) {
                    callbacks.forced(group);
                    for (int i = 0; i < group.size(); i++) {
                        tell(takeOldest());
                    }
                }
            } finally {
                telling.unlock();
            }
            changeLedgerIfIdle();
        }
    }

    private boolean hasWork() {
        lock.lock();
        try {
            PendingAppend oldest = pending.peek();
            return oldest != null && (failure != null || (oldest.stored && !proving) || isTimeToChange());
        } finally {
            lock.unlock();
        }
    }

    /** The oldest appends whose outcome is known, in log order; none if it is not known of the first. They are not taken yet. */
    private List<PendingAppend> decided() {
        List<PendingAppend> group = new ArrayList<>();
        lock.lock();
        try {
            for (PendingAppend each : pending) {
                if (group.size() == MOST_TOLD || (failure == null && (!each.stored || !isHolding()))) {
                    break;
                }
                group.add(each);
            }
        } finally {
            lock.unlock();
        }
        return group;
    }

    /** Takes the oldest append, whose outcome is known: from here on its record is durable, or will never be acknowledged. */
    private PendingAppend takeOldest() {
        lock.lock();
        try {
            PendingAppend oldest = pending.element();
            pending.remove();
            queuedRecords--;
            queuedBytes -= oldest.payloadBytes;
            if (failure == null) {
                durableIndex = oldest.index;
                holding.proved(oldest.sentNanos, oldest.sentWallSeconds);
            }
            PendingAppend following = pending.peek();
            oldestSentNanos = following == null || !following.sent ? 0 : following.sentNanos;
            changed.signalAll();
            return oldest;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it is known that no other writer has the log; otherwise it is asked. */
    private boolean isHolding() {
        if (!proving && !holding.isFresh()) {
            proving = true;
            helper.proveHolding();
        }
        return !proving;
    }

    /** At this time the log was this writer's. */
    void proved(long nanos, long wallSeconds) {
        lock.lock();
        try {
            holding.proved(nanos, wallSeconds);
            proving = false;
        } finally {
            lock.unlock();
        }
        tellInOrder();
    }

    private void tell(PendingAppend append) {
        boolean durable = append.index <= durableIndex;
        try {
            if (durable) {
                callbacks.acknowledge(append);
            } else {
                LogFailedException failed = Objects.requireNonNull(failure);
                callbacks.fail(append, append.sent ? failed : notWritten(failed));
            }
        } finally {
            lock.lock();
            try {
                told++;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Whether the calling thread runs a callback of this log. */
    boolean isTelling() {
        return telling.isHeldByCurrentThread();
    }

    /** Fails the log for good: nothing is acknowledged any more. */
    void fail(Throwable cause) {
        boolean first;
        lock.lock();
        try {
            first = failure == null;
            if (first) {
                String message = cause.getMessage();
                LogFailedException.Reason reason = reasonOf(cause);
                failure = DurableLogSupport.failed(
                        "the log is failed for good after an error ("
                                + (cause instanceof IOException && message != null ? message : cause.toString())
                                + "); the outcome of what was being appended is unknown. "
                                + (reason == LogFailedException.Reason.FENCED
                                        ? "To open it again takes it back from that server"
                                        : "Open it again to recover"),
                        cause,
                        true,
                        reason);
                unsent.clear();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (first) {
            callbacks.logFailed(cause);
        }
        tellInOrder();
    }

    /** What the engine reports may pass, whatever it is: opening the log again shows. */
    private static LogFailedException.Reason reasonOf(Throwable cause) {
        if (cause instanceof LedgerStore.FencedException) {
            return LogFailedException.Reason.FENCED;
        }
        return cause instanceof IOException && !(cause instanceof LogDamagedException)
                ? LogFailedException.Reason.NO_QUORUM
                : LogFailedException.Reason.ERROR;
    }

    // ---- The next ledger ----

    private boolean isTimeToChange() {
        PendingAppend oldest = pending.peek();
        return changing && oldest != null && !oldest.sent && failure == null && ledgerBytes > 0;
    }

    private void changeLedgerIfIdle() {
        LedgerWriter full;
        long from;
        long bytes;
        lock.lock();
        try {
            if (!isTimeToChange()) {
                return;
            }
            full = ledger;
            from = durableIndex + 1;
            bytes = ledgerBytes;
            ledgerBytes = 0; // it has begun
        } finally {
            lock.unlock();
        }
        helper.changeLedger(full, from, bytes);
    }

    /** The next ledger is in the log's list: sends what waits for it. */
    void continueIn(LedgerWriter next, long nextEpoch) {
        lock.lock();
        try {
            ledger = next;
            epoch = nextEpoch;
            ledgerBytes = 0;
            changing = false;
            while (failure == null && !unsent.isEmpty()) {
                send(unsent.remove());
            }
        } finally {
            lock.unlock();
        }
        tellInOrder();
    }

    // ---- The end ----

    /** Takes no more appends. */
    void refuse() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until every append was told its outcome, as long as there is progress.
     *
     * @param nanos how long to wait without any
     * @return whether every append was told
     */
    boolean awaitIdle(long nanos) {
        boolean interrupted = false;
        lock.lock();
        try {
            long seen = told;
            long left = nanos;
            while ((queuedRecords > 0 || telling.isLocked()) && left > 0) {
                try {
                    left = changed.awaitNanos(Math.min(left, 10_000_000)) <= 0 ? left - 10_000_000 : left;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                if (told != seen) {
                    seen = told;
                    left = nanos;
                }
            }
            return queuedRecords == 0;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The ledger that is being written; call when nothing is under way any more. */
    LedgerWriter ledger() {
        lock.lock();
        try {
            return ledger;
        } finally {
            lock.unlock();
        }
    }

    long ledgerBytes() {
        lock.lock();
        try {
            return ledgerBytes;
        } finally {
            lock.unlock();
        }
    }

    int queuedRecords() {
        lock.lock();
        try {
            return queuedRecords;
        } finally {
            lock.unlock();
        }
    }

    long queuedBytes() {
        lock.lock();
        try {
            return queuedBytes;
        } finally {
            lock.unlock();
        }
    }

    long durableIndex() {
        return durableIndex;
    }

    /** How long the oldest entry under way has taken so far, in nanoseconds; 0 if there is none. */
    long stalledNanos() {
        long since = oldestSentNanos;
        return since == 0 ? 0 : Math.max(1, clock.nanos() - since);
    }

    @Nullable
    LogFailedException failure() {
        return failure;
    }
}
