package io.plog.log;

import io.plog.log.storage.LogException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which lane leads, which is woken when appends wait, and which a waiting caller borrows.
 *
 * <p>This is group commit without a timer: whatever came in while a batch was being forced is the next batch, and more than
 * one may be under way.
 */
final class LaneScheduler {
    private static final VarHandle LEADER;

    static {
        try {
            LEADER = MethodHandles.lookup().findVarHandle(LaneScheduler.class, "leader", Lane.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AppendQueue queue;
    private final BatchBuilder builder;
    private final GroupCommit commit;
    private final boolean striped;
    private final List<Lane> lanes = new ArrayList<>();

    private volatile @Nullable Lane leader;
    private final AtomicInteger active = new AtomicInteger(); // lanes between taking a batch and looking for the next
    private final AtomicInteger waking = new AtomicInteger();
    private final AtomicInteger callersLooking = new AtomicInteger();

    LaneScheduler(AppendQueue queue, BatchBuilder builder, GroupCommit commit, boolean striped) {
        this.queue = queue;
        this.builder = builder;
        this.commit = commit;
        this.striped = striped;
    }

    /** Adds a lane. Before the first is started. */
    void add(Lane lane) {
        lanes.add(lane);
    }

    List<Lane> lanes() {
        return lanes;
    }

    // ---- The leading lane ----

    /** Makes this lane the one that takes from the queue. Returns false if another lane leads. */
    boolean tryLead(Lane lane) {
        return leader == null && LEADER.compareAndSet(this, null, lane);
    }

    /** Whether some lane leads now. */
    boolean isLed() {
        return leader != null;
    }

    /** Ends leading. For the leading lane. */
    void resign() {
        leader = null;
    }

    /** Takes a batch of appends; null if none can be taken at present. For the leading lane. */
    @Nullable
    Batch take(Lane lane) throws IOException {
        Batch free = lane.freeBatch();
        Batch batch = free == null ? null : builder.take(free);
        if (batch == null) {
            return null;
        }
        commit.begin(batch);
        if (batch.records > 0) {
            active.incrementAndGet();
            return batch;
        }
        batch.skip();
        commit.acknowledgeInOrder();
        return null;
    }

    /** A lane that ended its batch looks for its next. */
    void lookAgain() {
        active.decrementAndGet();
    }

    /** Whether the lanes have nothing more to do. For any thread. */
    boolean isOver() {
        return builder.isOver();
    }

    /** Why this append was left out of a batch that is under way; null if it was not. When no lane works any more. */
    @Nullable
    LogException refusalOf(long number) {
        for (Lane lane : lanes) {
            for (Batch batch : lane.batches) {
                LogException refusal = batch.refusalOf(number);
                if (refusal != null) {
                    return refusal;
                }
            }
        }
        return null;
    }

    /** Whether an append waits for a lane. For any thread. */
    boolean hasWaiting() {
        return queue.waiting() > 0;
    }

    /** Whether the append that waits first can be taken: its caller has put all of it in. */
    boolean hasPublished() {
        return hasWaiting() && queue.isPublished(queue.firstWaiting());
    }

    // ---- Waking a lane ----

    /** Whether this lane should take what waits. */
    boolean needs(Lane lane) {
        return needsLane() && builder.mayTake(lane.segments);
    }

    /** Whether a lane without a batch should take the waiting appends. */
    private boolean needsLane() {
        return isWorthTaking() && !areCallersLooking();
    }

    private boolean isWorthTaking() {
        return leader == null && queue.waiting() >= builder.leastWorth(active.get());
    }

    /** Wakes a lane, if one should take what waits and none is being woken. After an append was put in, or a batch taken. */
    void wakeAnother() {
        if (needsLane() && waking.get() == 0 && waking.compareAndSet(0, 1)) {
            Lane best = parkedLane();
            if (best == null || !best.wake()) {
                waking.set(0); // the lanes that are under way will look themselves
            }
        }
    }

    /** The parked lane that should take what waits, if there is one. Directories that are at rest get it in turn. */
    private @Nullable Lane parkedLane() {
        Lane best = null;
        int first = striped ? (int) (builder.nextTicket() % lanes.size()) : 0;
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get((first + i) % lanes.size());
            boolean can = lane.isParked() && builder.mayTake(lane.segments);
            if (can && (best == null || lane.segments.bytesUnderWay() < best.segments.bytesUnderWay())) {
                best = lane;
            }
        }
        return best;
    }

    /** Called by a lane that was woken. */
    void woken() {
        waking.set(0);
    }

    /** Wakes every parked lane. For any thread. Allocates nothing: the log may have failed because there is no memory. */
    void wakeAll() {
        for (int i = 0; i < lanes.size(); i++) {
            lanes.get(i).wake();
        }
    }

    // ---- Callers that wait ----

    /**
     * Waits a while for something that an append of the calling thread brings about. Meanwhile the thread takes what waits,
     * writes it and forces it itself, if no lane does. A thread with little stack left does not, and does not wait either.
     */
    void workUntil(BooleanSupplier done, long nanos) {
        if (!StackRoom.isEnoughForWork()) {
            wakeAnother();
            return;
        }
        callersLooking.incrementAndGet();
        try {
            SpinWait.until(() -> done.getAsBoolean() || (work() && done.getAsBoolean()), nanos);
        } finally {
            callersLooking.decrementAndGet();
            wakeAnother(); // the lanes left what waits to this caller
        }
    }

    /** Whether callers are about to take what waits, so that the lanes need not. */
    boolean areCallersLooking() {
        return callersLooking.get() > 0;
    }

    /** Returns whether it had a lane, and may have found nothing to take. */
    private boolean work() {
        Lane lane = isWorthTaking() ? parkedLane() : null;
        if (lane == null || !lane.lend()) {
            return false;
        }
        callersLooking.decrementAndGet(); // does not look while it works
        try {
            lane.keepInterruptsApart();
            try {
                lane.workOnce(true);
            } finally {
                lane.restoreInterrupts();
            }
        } finally {
            callersLooking
                    .incrementAndGet(); // before the lane is free, or its own thread is woken for what this one takes
            lane.giveBack();
        }
        return true;
    }
}
