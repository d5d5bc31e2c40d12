package io.plog.log;

import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentWriter;
import io.plog.log.segment.WorkThread;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread of the log. Each lane takes a batch of appends, writes it, forces it, and comes back for the next. Several lanes
 * work at the same time, each on a batch of its own.
 *
 * <p>One lane at a time <em>leads</em>: it alone takes appends from the queue, numbers them and lays them out. It stops
 * leading before it writes. A lane that comes back leads if no other lane does. So while appends come one by one, the
 * same thread does everything and no other is woken. A lane that finds no appends spins for a while and parks. Callers wake
 * a lane only if the busy lanes leave enough appends waiting (leader and followers, Schmidt et al. 2000).
 *
 * <p>A caller that waits for an append borrows a parked lane and does its work on the caller's thread, for its own append and
 * for others that wait. So the append of a single caller is never handed from thread to thread.
 */
final class Lane implements Runnable {
    private static final int MOST_ERRORS_AT_END = 100;

    /** Gives threads to a lane that has none of its own. */
    interface Host {
        /** Calls {@link Lane#takeTurn} on some thread. */
        void run(Lane lane);

        /** Calls {@link Lane#wakeAtDeadline} on some thread, after so many nanoseconds. */
        void wakeIn(long nanos, Lane lane);

        /** The lane has nothing more to do, for good. */
        void leave();
    }

    /** Who does the lane's work: its own thread, no thread, or a caller that waits for an append. */
    private enum State {
        AT_WORK,
        PARKED,
        LENT
    }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Lane.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final SegmentChain segments;
    final SegmentWriter writer;
    final BusyClock busy = new BusyClock();
    final Batch[] batches;

    private final LaneScheduler scheduler;
    private final GroupCommit commit;
    private final IdleWatermark idleMark;
    private final LogShutdown shutdown;
    private final LogThreads threads;
    private final long spinNanos;
    private final BooleanSupplier hasReasonToLook;
    private CallersInterrupts interrupts = new CallersInterrupts(); // of the caller that has borrowed it
    private boolean wasUnderWay;
    private volatile @Nullable Thread thread;
    private volatile State state = State.AT_WORK;
    private volatile long parkedUntil;
    private @Nullable Host shared; // who gives it a thread, if it has none of its own
    private final AtomicBoolean isToBeWoken = new AtomicBoolean(); // at a deadline

    Lane(
            LaneScheduler scheduler,
            GroupCommit commit,
            IdleWatermark idleMark,
            LogShutdown shutdown,
            LogThreads threads,
            SegmentChain segments,
            SegmentWriter writer,
            long spinNanos) {
        this.scheduler = scheduler;
        this.commit = commit;
        this.idleMark = idleMark;
        this.shutdown = shutdown;
        this.threads = threads;
        this.segments = segments;
        this.writer = writer;
        int most = writer.mostRecords();
        this.batches = new Batch[] {new Batch(segments, writer, busy, most), new Batch(segments, writer, busy, most)};
        this.spinNanos = spinNanos;
        this.hasReasonToLook = () -> scheduler.hasWaiting() || scheduler.isOver() || scheduler.areCallersLooking();
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        threads.enter();
        try {
            work();
        } finally {
            threads.leave();
        }
    }

    /** For a log that failed before this lane was started; {@link #leave} counts all of them. */
    void endIfNeverStarted() {
        if (thread == null && shared == null) {
            run();
        }
    }

    private void work() {
        try {
            for (Batch batch = next(); batch != null; batch = next()) {
                commit.commit(batch);
            }
        } catch (Throwable cause) {
            // Whatever it was, an error of the disk or of this program: nothing may be acknowledged from here on.
            fail(cause);
        } finally {
            leave();
        }
    }

    /**
     * Fails the log, and goes on until it is: an error here, which the virtual machine may throw at any moment, is tolerated. So
     * is it in {@link #leave}, so that every append that waits is completed.
     */
    private void fail(Throwable cause) {
        for (int errors = 0; ; ) {
            try {
                shutdown.fail(this, cause);
                return;
            } catch (OutOfMemoryError passes) { // or nothing works any more in this process
                LockSupport.parkNanos(this, WorkThread.SHORTAGE_NANOS);
            } catch (Throwable late) {
                if (++errors > MOST_ERRORS_AT_END) {
                    throw late;
                }
            }
        }
    }

    /** Ends this lane; the last lane ends the log. */
    void leave() {
        if (!shutdown.leave()) {
            return;
        }
        for (int errors = 0; ; ) {
            try {
                shutdown.end(this);
                return;
            } catch (OutOfMemoryError passes) {
                LockSupport.parkNanos(this, WorkThread.SHORTAGE_NANOS);
                fail(passes);
            } catch (Throwable late) {
                if (++errors > MOST_ERRORS_AT_END) {
                    throw late;
                }
                fail(late);
            }
        }
    }

    /** Waits for appends and takes a batch of them; null when the log is over. */
    private @Nullable Batch next() throws IOException {
        while (!scheduler.isOver()) {
            boolean leads = freeBatch() != null && scheduler.tryLead(this);
            if (wasUnderWay) {
                wasUnderWay = false;
                scheduler.lookAgain(); // not before it leads, or callers would wake another lane meanwhile
            }
            if (leads) {
                Batch batch = lead(false);
                scheduler.wakeAnother(); // for what is left, or is another directory's to take
                if (batch != null) {
                    wasUnderWay = true;
                    return batch;
                }
            }
            park();
        }
        return null;
    }

    /** What the leading lane does, up to its resignation. */
    private @Nullable Batch lead(boolean forCaller) throws IOException {
        try {
            if (!forCaller && !scheduler.hasWaiting()) {
                if (idleMark.isDue()) {
                    idleMark.write(segments, writer);
                }
                SpinWait.until(hasReasonToLook, spinNanos);
            }
            return scheduler.hasWaiting() ? scheduler.take(this) : null;
        } catch (Throwable cause) {
            fail(cause); // first, or the next lane to lead continues behind a mark or a seal that is not there
            throw cause;
        } finally {
            scheduler.resign();
        }
    }

    /** A batch that is neither under way nor waits for its turn to be acknowledged. */
    @Nullable
    Batch freeBatch() {
        for (Batch batch : batches) {
            if (!batch.inUse) {
                return batch;
            }
        }
        return null;
    }

    private void park() {
        state = State.PARKED;
        while (state != State.AT_WORK) {
            // While it is lent the caller looks after what the lane has to do, and while another leads, that one does.
            boolean lent = state == State.LENT;
            boolean led = scheduler.isLed();
            long deadline = lent || led ? IdleWatermark.NEVER : idleMark.deadline();
            parkedUntil = deadline;
            // A thread that put something in before it could see "parked" is seen here, or else it sees "parked".
            if (!lent && hasToWork(deadline) && STATE.compareAndSet(this, State.PARKED, State.AT_WORK)) {
                return;
            }
            boolean isStillSo = lent ? state == State.LENT : led || idleMark.deadline() >= deadline;
            if (isStillSo) {
                parkUntil(deadline);
            }
        }
        scheduler.woken();
    }

    private boolean hasToWork(long deadline) {
        return scheduler.isOver()
                || scheduler.needs(this)
                || (deadline != IdleWatermark.NEVER && System.nanoTime() - deadline >= 0);
    }

    private void parkUntil(long deadline) {
        if (deadline == IdleWatermark.NEVER) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, deadline - System.nanoTime());
        }
    }

    boolean isParked() {
        return state == State.PARKED;
    }

    /** Wakes the lane up if it is parked, or about to be. */
    boolean wake() {
        if (isParked() && STATE.compareAndSet(this, State.PARKED, State.AT_WORK)) {
            if (shared == null) {
                LockSupport.unpark(thread);
            } else {
                shared.run(this);
            }
            return true;
        }
        return false;
    }

    // ---- On shared threads ----

    /** It has no thread of its own, and is given one for each batch. Called once, instead of {@link #run}. */
    void share(Host lanes) {
        shared = lanes;
        rest(lanes);
    }

    /** What it does with a thread that it was given: takes one batch of appends, so that other logs have their turn. */
    void takeTurn() {
        Host lanes = Objects.requireNonNull(shared);
        scheduler.woken();
        threads.enter();
        boolean over;
        try {
            workOnce(false);
            over = scheduler.isOver();
            if (over) {
                leave();
            }
        } finally {
            threads.leave();
        }
        if (over) {
            lanes.leave();
        } else {
            rest(lanes);
        }
    }

    private void rest(Host lanes) {
        state = State.PARKED;
        if (hasToWork(IdleWatermark.NEVER)) {
            wake();
        } else {
            wakeAtIdle(lanes);
        }
    }

    private void wakeAtIdle(Host lanes) {
        long deadline = idleMark.deadline();
        if (deadline != IdleWatermark.NEVER && isToBeWoken.compareAndSet(false, true)) {
            lanes.wakeIn(Math.max(0, deadline - System.nanoTime()), this);
        }
    }

    /** The deadline has come that was next when it began to rest. */
    void wakeAtDeadline() {
        isToBeWoken.set(false);
        Host lanes = shared;
        if (lanes != null && isParked()) {
            if (idleMark.isDue()) {
                wake();
            } else {
                wakeAtIdle(lanes);
            }
        }
    }

    // ---- Lent to a caller ----

    /** Lends the lane to the calling thread, which must {@link #giveBack} it; false if it cannot be had. */
    boolean lend() {
        if (!isParked()) {
            return false;
        }
        threads.enter(); // first, since it may lack memory: what is lent has to be given back
        if (STATE.compareAndSet(this, State.PARKED, State.LENT)) {
            return true;
        }
        threads.leave();
        return false;
    }

    /** Takes a batch of appends, if any wait, writes it and forces it. */
    void workOnce(boolean forCaller) {
        try {
            Batch batch = null;
            if (!scheduler.isOver() && scheduler.tryLead(this)) {
                batch = lead(forCaller);
                scheduler.wakeAnother(); // for what is left, or is another directory's to take
            }
            if (batch != null) {
                commit.commit(batch);
                scheduler.lookAgain();
            }
        } catch (Throwable cause) {
            fail(cause);
        }
    }

    /** The caller's interrupts are no business of those whose callbacks it calls. */
    void keepInterruptsApart() {
        interrupts = interrupts.keepApart();
    }

    /** It has them back. */
    void restoreInterrupts() {
        interrupts.restore();
    }

    /** Ends the loan. The lane's own thread continues if there is something to do that no caller looks for. */
    void giveBack() {
        threads.leave();
        state = State.PARKED;
        if (hasToWork(IdleWatermark.NEVER)) {
            wake();
        } else if (shared != null) {
            wakeAtIdle(shared);
        } else if (idleMark.deadline() < parkedUntil) {
            LockSupport.unpark(thread); // to park only until then
        }
    }
}
