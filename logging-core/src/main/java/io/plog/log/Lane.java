package io.plog.log;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One of the log's threads. Each takes a group of appends, writes it, forces it, and comes back for the next; the groups of
 * several lanes are under way at the same time.
 *
 * <p>One lane at a time <em>leads</em>: it alone takes appends from the queue, numbers them and lays them out. It stops
 * leading before it writes. At the moment a lane comes back it leads if nobody does, so as long as appends come one by one
 * the same thread does everything and no other is woken. A lane that finds nothing looks for a while and parks; callers
 * wake one only if more wait than the lanes under way should leave waiting (leader and followers, Schmidt et al. 2000).
 */
final class Lane implements Runnable {
    private static final long IDLE = Long.MIN_VALUE;
    private static final VarHandle PARKED;

    static {
        try {
            PARKED = MethodHandles.lookup().findVarHandle(Lane.class, "parked", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final SegmentChain segments;
    final SegmentWriter writer;
    final Batch[] batches = {new Batch(this), new Batch(this)};

    private final Committer committer;
    private final long spinNanos;
    private final BooleanSupplier hasReasonToLook;
    private final AtomicLong busySinceNanos = new AtomicLong(IDLE);
    private boolean wasUnderWay;
    private volatile @Nullable Thread thread;
    private volatile boolean parked;

    Lane(Committer committer, SegmentChain segments, SegmentWriter writer, long spinNanos) {
        this.committer = committer;
        this.segments = segments;
        this.writer = writer;
        this.spinNanos = spinNanos;
        this.hasReasonToLook = () -> committer.hasWaiting() || committer.isOver();
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            for (Batch batch = next(); batch != null; batch = next()) {
                committer.commit(batch);
            }
        } catch (Throwable cause) {
            // Whatever it was, an error of the disk or of this program: nothing may be acknowledged from here on.
            committer.fail(this, cause);
        }
        committer.end(this);
    }

    /** Waits for appends and takes a group of them; null when the log is over. */
    private @Nullable Batch next() throws IOException {
        while (!committer.isOver()) {
            boolean leads = freeBatch() != null && committer.tryLead(this);
            if (wasUnderWay) {
                wasUnderWay = false;
                committer.back(); // not before it leads, or callers would wake another lane meanwhile
            }
            if (leads) {
                Batch batch;
                try {
                    batch = lead();
                } finally {
                    committer.resign();
                }
                committer.wakeAnother(); // for what is left, or is another directory's to take
                if (batch != null) {
                    wasUnderWay = true;
                    return batch;
                }
            }
            park();
        }
        return null;
    }

    private @Nullable Batch lead() throws IOException {
        if (!committer.hasWaiting()) {
            if (committer.isMarkDue()) {
                committer.writeIdleMark(this);
            }
            Spin.until(hasReasonToLook, spinNanos);
        }
        return committer.hasWaiting() ? committer.take(this) : null;
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
        parked = true;
        // Whoever put something in before it could see "parked" is seen here, or else it sees "parked".
        if (!committer.isOver() && !committer.needs(this)) {
            long deadline = committer.idleDeadline();
            if (deadline == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, deadline - System.nanoTime());
            }
        }
        if (!PARKED.compareAndSet(this, true, false)) {
            committer.woken();
        }
    }

    boolean isParked() {
        return parked;
    }

    /** Wakes the lane up if it is parked, or about to be. */
    boolean wake() {
        if (parked && PARKED.compareAndSet(this, true, false)) {
            LockSupport.unpark(thread);
            return true;
        }
        return false;
    }

    /** A write and force began. */
    void busySince(long nanos) {
        busySinceNanos.lazySet(nanos);
    }

    /** They ended. */
    void idle() {
        busySinceNanos.lazySet(IDLE);
    }

    /** How long the write and force under way have taken so far; 0 if none is. For any thread. */
    long busyNanos(long now) {
        long since = busySinceNanos.get();
        return since == IDLE ? 0 : Math.max(0, now - since);
    }
}
