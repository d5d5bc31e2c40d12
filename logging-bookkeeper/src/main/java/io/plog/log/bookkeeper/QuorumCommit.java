package io.plog.log.bookkeeper;

import io.plog.log.CallerSide;
import io.plog.log.LogFailedException;
import io.plog.log.LogOptions;
import io.plog.log.RecordCodec;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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

    /** An append without an outcome: its record, and how far it got. Guarded by the lock. */
    private static final class PendingAppend {
        final CallerSide.CopiedAppend taken;

        long index;
        long sentNanos; // or since when it waits for the next ledger
        long sentWallSeconds;
        boolean sent;
        volatile boolean stored; // by the ack quorum

        PendingAppend(CallerSide.CopiedAppend taken) {
            this.taken = taken;
        }
    }

    /** How many outcomes are reported together at most. */
    private static final int MOST_REPORTED = 1_024;

    private final LogOptions options;
    private final CallerSide callers;
    private final LogClock clock;
    private final Helper helper;
    private final RecordCodec codec = new RecordCodec(); // guarded by the lock

    // Guards all that follows; what is volatile or atomic is also read without it. The engine's thread and the callers
    // meet here for each append, so that each of them takes the lock once.
    private final ReentrantLock lock = new ReentrantLock();
    private final AppendRoom room;
    private final Deque<PendingAppend> pending = new ArrayDeque<>(); // in log order: first those sent, then the others
    private volatile @Nullable PendingAppend oldest; // of the pending ones
    private final Deque<PendingAppend> unsent = new ArrayDeque<>(); // the others: they wait for the next ledger
    private LedgerWriter ledger;
    private long epoch;
    private long nextIndex;
    private long ledgerBytes; // of the entries sent to this ledger
    private volatile boolean changing; // no entry goes to this ledger any more
    private volatile boolean changeBegun; // the next one is being made
    private boolean closed;
    private final OwnershipProof holding;
    private volatile boolean proving; // nothing is acknowledged until it is known whose the log is
    private volatile long durableIndex; // changed by the thread that reports
    private volatile long oldestNanos; // when the oldest append was sent or began to wait for a ledger; 0 if none
    private volatile @Nullable LogFailedException failure;

    private final ReentrantLock reporting = new ReentrantLock(); // held while callbacks run; no thread waits for it

    /** @param epoch part of the check of each record in this ledger */
    QuorumCommit(
            LedgerWriter ledger,
            long epoch,
            long nextIndex,
            LogOptions options,
            CallerSide callers,
            LogClock clock,
            Helper helper) {
        this.ledger = ledger;
        this.epoch = epoch;
        this.nextIndex = nextIndex;
        this.durableIndex = nextIndex - 1;
        this.options = options;
        this.room = new AppendRoom(options, lock);
        this.callers = callers;
        this.clock = clock;
        this.helper = helper;
        this.holding = new OwnershipProof(clock);
    }

    // ---- Appends ----

    /**
     * Takes an append into the order and sends it.
     *
     * @return why it was not taken; null if it was
     * @throws InterruptedException if the caller was interrupted while it waited for room; the append was not taken
     */
    @Nullable
    LogException put(CallerSide.CopiedAppend taken) throws InterruptedException {
        PendingAppend append = new PendingAppend(taken);
        int bytes = taken.payloadBytes();
        lock.lock();
        try {
            while (!closed && failure == null && room.isFullFor(bytes)) {
                if (options.overflow() == LogOptions.Overflow.REFUSE || callers.isCurrentThread()) {
                    return new LogRefusedException.QueueFull("the queue before the log is full (" + room.records()
                            + " records, " + room.bytes() + " bytes); the record was not written. Try again later");
                }
                room.await();
            }
            LogFailedException failed = failure;
            if (failed != null) {
                return notWritten(failed);
            }
            if (closed) {
                return new LogRefusedException.Closed("the log is closed; the record was not written");
            }
            append.index = nextIndex++;
            room.take(bytes);
            pending.add(append);
            if (pending.size() == 1) {
                oldest = append;
            }
            changing = changing || ledgerBytes >= options.segmentBytes();
            if (changing) {
                begin(append);
                unsent.add(append);
            } else {
                send(append);
            }
        } finally {
            lock.unlock();
        }
        reportInOrder(); // the outcome may have come while the lock was held, and the ledger may have to be changed
        return null;
    }

    private static LogFailedException notWritten(LogFailedException failed) {
        return new LogFailedException(
                "the record was not written: " + failed.getMessage(), failed, false, failed.reason());
    }

    /** From here on it counts how long the append takes. */
    private void begin(PendingAppend append) {
        append.sentNanos = clock.nanos();
        if (oldestNanos == 0) {
            oldestNanos = append.sentNanos;
        }
    }

    private void send(PendingAppend append) {
        begin(append);
        append.sentWallSeconds = clock.wallSeconds();
        append.sent = true;
        ledgerBytes += append.taken.entry().remaining();
        CallerSide.CopiedAppend taken = append.taken;
        codec.encode(
                taken.entry().duplicate(), epoch, append.index, durableIndex, taken.payloadBytes(), taken.payloadCrc());
        ledger.append(taken.entry(), error -> stored(append, error));
    }

    /** An entry's outcome, on any thread, in any order. */
    private void stored(PendingAppend append, @Nullable IOException error) {
        if (error != null) {
            fail(error);
            return;
        }
        append.stored = true;
        reportInOrder();
    }

    // ---- Outcomes ----

    /** Reports the outcomes of the oldest appends, up to the first without an outcome. If another thread is at it, that one looks again. */
    private void reportInOrder() {
        while (!lock.isHeldByCurrentThread()
                && !reporting.isHeldByCurrentThread()
                && hasWork()
                && reporting.tryLock()) {
            callers.enter();
            try {
                List<PendingAppend> group = takeDecided();
                reportForced(group);
                group.forEach(this::report);
            } finally {
                callers.leave();
                reporting.unlock();
            }
            changeLedgerIfIdle();
        }
    }

    /** Who changes what this reads calls {@link #reportInOrder} afterwards, so it needs no lock but for a change of ledgers. */
    private boolean hasWork() {
        PendingAppend first = oldest;
        return first != null && (failure != null || (first.stored && !proving) || (changing && mayChange()));
    }

    /** Takes the oldest appends whose outcome is known, in log order; none if it is not known of the first. */
    private List<PendingAppend> takeDecided() {
        List<PendingAppend> group = new ArrayList<>();
        lock.lock();
        try {
            for (PendingAppend each = pending.peek(); each != null; each = pending.peek()) {
                if (group.size() == MOST_REPORTED || (failure == null && (!each.stored || !isHolding()))) {
                    break;
                }
                group.add(pending.remove());
                if (failure == null) {
                    holding.proved(each.sentNanos, each.sentWallSeconds);
                }
            }
            PendingAppend first = pending.peek();
            oldest = first;
            oldestNanos = first == null ? 0 : first.sentNanos;
        } finally {
            lock.unlock();
        }
        return group;
    }

    /** Those of them that were stored were stored together, as far as anyone knows. */
    private void reportForced(List<PendingAppend> group) {
        int records = 0;
        long bytes = 0;
        for (PendingAppend each : group) {
            if (each.stored) {
                records++;
                bytes += each.taken.entry().remaining();
            }
        }
        if (records > 0) {
            callers.listener().batchForced(records, bytes, 0, System.nanoTime() - group.get(0).sentNanos);
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
        reportInOrder();
    }

    /** From here on the record is durable, or will never be acknowledged. */
    private void report(PendingAppend append) {
        LogFailedException failed = failure;
        if (failed == null) {
            durableIndex = append.index;
        }
        room.give(append.taken.payloadBytes());
        try {
            if (failed == null) {
                callers.acknowledge(append.taken, append.index, append.sentNanos);
            } else {
                callers.fail(append.taken, append.sent ? failed : notWritten(failed));
            }
        } finally {
            room.reported();
        }
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
                failure = new LogFailedException(
                        "the log is failed for good after an error ("
                                + (cause instanceof IOException && message != null ? message : cause.toString())
                                + "); the outcome of what was being appended is unknown. "
                                + adviceOn(cause, reason),
                        cause,
                        true,
                        reason);
                unsent.clear();
            }
        } finally {
            lock.unlock();
        }
        room.signal();
        if (first) {
            callers.listener().failed(cause);
        }
        reportInOrder();
    }

    private static String adviceOn(Throwable cause, LogFailedException.Reason reason) {
        if (reason != LogFailedException.Reason.FENCED) {
            return "Open it again to recover";
        }
        return cause instanceof LogLockedException
                ? "To open it again takes it back from that server"
                : "Another server takes it over, or BookKeeper's auto-recovery closed its ledger; to open it again takes"
                        + " it back";
    }

    /** What the engine reports may pass, whatever it is: opening the log again shows. */
    private static LogFailedException.Reason reasonOf(Throwable cause) {
        if (cause instanceof LedgerStore.FencedException || cause instanceof LogLockedException) {
            return LogFailedException.Reason.FENCED;
        }
        return cause instanceof IOException && !(cause instanceof LogDamagedException)
                ? LogFailedException.Reason.NO_QUORUM
                : LogFailedException.Reason.ERROR;
    }

    // ---- The next ledger ----

    private boolean isTimeToChange() {
        PendingAppend first = pending.peek();
        return changing && !changeBegun && failure == null && (first == null ? !closed : !first.sent);
    }

    /** Another ledger is written as soon as nothing is under way in this one. */
    void leaveLedger() {
        lock.lock();
        try {
            changing = true;
        } finally {
            lock.unlock();
        }
        changeLedgerIfIdle();
    }

    /** Whether appends go to this ledger, and it is not about to be followed by another. */
    boolean writes(LedgerWriter candidate) {
        lock.lock();
        try {
            return candidate == ledger && !changing && !closed;
        } finally {
            lock.unlock();
        }
    }

    private boolean mayChange() {
        lock.lock();
        try {
            return isTimeToChange();
        } finally {
            lock.unlock();
        }
    }

    private void changeLedgerIfIdle() {
        if (!changing) {
            return;
        }
        LedgerWriter full;
        long from;
        long bytes;
        lock.lock();
        try {
            if (!isTimeToChange()) {
                return;
            }
            full = ledger;
            PendingAppend first = pending.peek();
            from = first == null ? nextIndex : first.index; // all before are stored, though some may still be reported
            bytes = ledgerBytes;
            ledgerBytes = 0;
            changeBegun = true;
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
            changeBegun = false;
            while (failure == null && !unsent.isEmpty()) {
                send(unsent.remove());
            }
        } finally {
            lock.unlock();
        }
        room.signal();
        reportInOrder();
    }

    // ---- The end ----

    void refuse() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        room.signal();
    }

    /** Waits until every append has its outcome and no ledger is being changed, or there was no progress for so long. */
    boolean awaitIdle(long nanos) {
        return room.awaitIdle(() -> reporting.isLocked() || (changeBegun && failure == null), nanos);
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
        return room.records();
    }

    long queuedBytes() {
        return room.bytes();
    }

    long durableIndex() {
        return durableIndex;
    }

    /** How long the oldest append has taken so far, or has waited for the next ledger, in nanoseconds; 0 if there is none. */
    long stalledNanos() {
        long since = oldestNanos;
        return since == 0 ? 0 : Math.max(1, clock.nanos() - since);
    }

    @Nullable
    LogFailedException failure() {
        return failure;
    }
}
