package io.plog.log;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one place where the rule lives: <em>append, force, and only then acknowledge, in order</em>. See {@link #commit}; who is
 * told what is the {@link Acknowledger}'s.
 *
 * <p>Group commit without a timer: whatever came in while a batch was being forced is the next batch, and more than one may
 * be under way. They may become durable in any order; none is acknowledged before all that lie before it are. After a
 * failed write or force nothing is tried again, since a force that is repeated may succeed over bytes that the kernel has
 * already dropped (Rebello et al., <cite>Can Applications Recover from fsync Failures?</cite>, ATC 2020): the log is failed
 * for good, and every append that waits is told so.
 */
final class Committer {
    private static final VarHandle LEADER;

    static {
        try {
            LEADER = MethodHandles.lookup().findVarHandle(Committer.class, "leader", Lane.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AppendQueue queue;
    private final BatchFormer former;
    private final List<SegmentChain> stripes;
    private final List<Lane> lanes;
    private final LogListener listener;
    private final AtWork atWork;
    private final Acknowledger acknowledger;
    private final DiskGate disk = new DiskGate();
    private final LogFailedException indescribable = new LogFailedException(
            "the log is failed for good after an error that could not be described, mostly for want of heap; the outcome of"
                    + " what was being appended is unknown. Open it again to recover");
    private final long idleMarkNanos;

    private volatile @Nullable Lane leader;
    private final AtomicInteger active = new AtomicInteger(); // lanes between taking a batch and looking for the next
    private final AtomicInteger lanesAlive;
    private final AtomicInteger waking = new AtomicInteger();
    private final AtomicInteger callersLooking = new AtomicInteger();

    Committer(
            LogOptions options,
            LogListener listener,
            AtWork atWork,
            Callbacks callbacks,
            AppendQueue queue,
            List<SegmentChain> stripes,
            long nextIndex,
            long markedIndex,
            IntSupplier mostRecords) {
        this.queue = queue;
        this.stripes = stripes;
        this.listener = listener;
        this.atWork = atWork;
        this.idleMarkNanos = options.idleMark().toNanos();
        this.lanes = stripes.stream()
                .flatMap(stripe -> stripe.writers().stream()
                        .map(writer ->
                                new Lane(this, stripe, writer, options.spin().toNanos())))
                .toList();
        this.lanesAlive = new AtomicInteger(lanes.size());
        this.former = new BatchFormer(options, queue, this, disk, nextIndex, markedIndex, stripes.size(), mostRecords);
        this.acknowledger = new Acknowledger(queue, listener, former, callbacks, lanes.size(), nextIndex - 1);
    }

    List<Lane> lanes() {
        return lanes;
    }

    long durableIndex() {
        return acknowledger.durableIndex();
    }

    /** How long the write or force under way for the longest time has taken so far; 0 if none is. */
    long stalledNanos() {
        long longest = 0;
        long now = System.nanoTime();
        for (Lane lane : lanes) {
            longest = Math.max(longest, lane.busyNanos(now));
        }
        return longest;
    }

    @Nullable
    LogFailedException failure() {
        return acknowledger.failure();
    }

    /** The rule, for one batch. */
    void commit(Batch batch) throws IOException {
        write(batch); // append ...
        force(batch); // ... force ...
        acknowledgeInOrder(); // ... and only then acknowledge, after all that lies before it.
    }

    void write(Batch batch) throws IOException {
        batch.writeBegin = System.nanoTime();
        disk.enter();
        try {
            batch.lane.busySince(batch.writeBegin);
            batch.lane.writer.write();
        } finally {
            disk.leave();
        }
    }

    void force(Batch batch) throws IOException {
        batch.forceBegin = System.nanoTime();
        disk.enter();
        try {
            batch.lane.writer.force();
        } finally {
            disk.leave();
        }
        batch.end = System.nanoTime();
        batch.lane.idle();
        batch.lane.segments.written(batch.encodedBytes);
        batch.done = true;
    }

    void acknowledgeInOrder() {
        acknowledger.acknowledgeInOrder();
    }

    // ---- Who leads, and who is woken ----

    /** Becomes the one lane that takes from the queue, unless another is. */
    boolean tryLead(Lane lane) {
        return leader == null && LEADER.compareAndSet(this, null, lane);
    }

    /** Whether some lane leads now. */
    boolean isLed() {
        return leader != null;
    }

    void resign() {
        leader = null;
    }

    /** A lane that was under way looks for its next batch. */
    void back() {
        active.decrementAndGet();
    }

    boolean hasWaiting() {
        return queue.waiting() > 0;
    }

    /** Whether the next one that waits can be taken: its caller has put all of it in. */
    boolean hasPublished() {
        return hasWaiting() && queue.isPublished(queue.firstWaiting());
    }

    /** Takes a group of appends; null if none can be taken at present. For the leading lane. */
    @Nullable
    Batch take(Lane lane) throws IOException {
        Batch batch = former.take(lane);
        if (batch == null) {
            return null;
        }
        acknowledger.add(batch);
        if (batch.records > 0) {
            active.incrementAndGet();
            return batch;
        }
        batch.done = true;
        acknowledgeInOrder();
        return null;
    }

    /** Whether this lane should take what waits. */
    boolean needs(Lane lane) {
        return needsLane() && former.mayTake(lane.segments);
    }

    /** Whether a lane that is not under way should take what waits. */
    private boolean needsLane() {
        return isWorthTaking() && !callersLook();
    }

    private boolean isWorthTaking() {
        return leader == null && queue.waiting() >= former.leastWorth(active.get());
    }

    /** Wakes a lane, if one should take what waits and none is being woken. After an append was put in, or a group taken. */
    void wakeAnother() {
        if (needsLane() && waking.get() == 0 && waking.compareAndSet(0, 1)) {
            Lane best = parkedLane();
            if (best == null || !best.wake()) {
                waking.set(0); // those that are under way will look themselves
            }
        }
    }

    /** The parked lane that should take what waits, if there is one; of several directories that are at rest each in turn. */
    private @Nullable Lane parkedLane() {
        Lane best = null;
        int first = stripes.size() == 1 ? 0 : (int) (former.nextTicket() % lanes.size());
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get((first + i) % lanes.size());
            boolean can = lane.isParked() && former.mayTake(lane.segments);
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

    // ---- Callers who wait ----

    /**
     * Waits a while for something that an append of the calling thread brings about; takes what waits, writes it and forces it
     * itself meanwhile, if no lane does.
     */
    void workUntil(BooleanSupplier done, long nanos) {
        callersLooking.incrementAndGet();
        try {
            Spin.until(() -> done.getAsBoolean() || (work() && done.getAsBoolean()), nanos);
        } finally {
            callersLooking.decrementAndGet();
            wakeAnother(); // the lanes left what waits to this caller
        }
    }

    /** Whether callers are about to take what waits, so that the lanes need not. */
    boolean callersLook() {
        return callersLooking.get() > 0;
    }

    private boolean work() {
        Lane lane = isWorthTaking() ? parkedLane() : null;
        if (lane == null || !lane.lend()) {
            return false;
        }
        callersLooking.decrementAndGet(); // does not look while it works
        lane.workForCaller();
        callersLooking.incrementAndGet();
        return true;
    }

    /** The threads that do the log's work. */
    AtWork atWork() {
        return atWork;
    }

    // ---- At rest ----

    /** When the watermark is to be written by itself, as {@link System#nanoTime} counts; {@link Long#MAX_VALUE} for never. */
    long idleDeadline() {
        return former.isUnmarked(durableIndex()) && isAtRest()
                ? acknowledger.idleSinceNanos() + idleMarkNanos
                : Long.MAX_VALUE;
    }

    boolean isMarkDue() {
        long deadline = idleDeadline();
        return deadline != Long.MAX_VALUE && System.nanoTime() - deadline >= 0;
    }

    /** The last batch's watermark would otherwise travel with the next one only, whenever that comes. For the leading lane. */
    void writeIdleMark(Lane lane) throws IOException {
        former.mark(lane, durableIndex());
    }

    /** Whether nothing is under way. Says what stays true only to the leading lane. */
    private boolean isAtRest() {
        return acknowledger.nextToAcknowledge() == former.nextTicket();
    }

    // ---- The end ----

    /** Takes no more appends, lets the lanes finish what was taken, and then mark the log as closed in order. */
    void closeSoon() {
        queue.close();
        lanes.forEach(Lane::wake);
    }

    /** Whether the lanes have nothing more to do. */
    boolean isOver() {
        return failure() != null || (queue.isClosed() && queue.waiting() == 0);
    }

    /** A lane could not do its work. */
    void fail(Lane lane, Throwable cause) {
        lane.idle();
        fail(cause);
    }

    /**
     * Fails the log for good. The first cause is the one that everybody is told. The batch that is being acknowledged at this
     * moment is durable and is told so to its end: a callback that takes its time does not hold the failure up. For any thread.
     */
    void fail(Throwable cause) {
        boolean first = declareFailed(cause);
        queue.close();
        wakeAll();
        if (first) {
            listener.failed(cause);
        }
    }

    /** The first step of a failure: nothing is acknowledged from here on. The lanes may end the log before the next step. */
    boolean declareFailed(Throwable cause) {
        return acknowledger.fail(failedBy(cause));
    }

    private LogFailedException failedBy(Throwable cause) {
        try {
            return new LogFailedException(
                    "the log is failed for good after an error (" + describe(cause)
                            + "); the outcome of what was being appended is unknown. Open it again to recover",
                    cause);
        } catch (Throwable wanting) {
            return indescribable;
        }
    }

    private void wakeAll() {
        for (Lane lane : lanes) {
            lane.wake();
        }
    }

    static String describe(Throwable cause) {
        String message = cause.getMessage();
        return cause instanceof IOException && message != null ? message : cause.toString();
    }

    /** A lane has nothing more to do. Returns whether it is the last one, which has to {@link #end} the log. */
    boolean leave() {
        wakeAll(); // one may have parked while others still had something to take
        return lanesAlive.decrementAndGet() == 0;
    }

    /**
     * Leaves the files in order or, after a failure, tells all who still wait. Not before the last lane has left: until then
     * another may be writing from their buffers. If it throws, it goes on where it was when it is called again.
     */
    void end(Lane lane) {
        LogFailedException failed = failure();
        if (failed == null) {
            closeInOrder(lane);
        } else {
            queue.close(); // who declared the failure may not have come so far; an append behind the last would
            // never be told
            acknowledger.tellAllFailed(former.takeAll(), failed);
            stripes.forEach(SegmentChain::abandon);
        }
    }

    private void closeInOrder(Lane lane) {
        try {
            disk.enter();
            try {
                for (SegmentChain stripe : stripes) {
                    stripe.makeStable();
                }
                for (SegmentChain stripe : stripes) {
                    stripe.closeInOrder(former.nextIndex(), durableIndex());
                }
            } finally {
                disk.leave();
            }
        } catch (Throwable cause) {
            fail(lane, cause);
            stripes.forEach(SegmentChain::abandon);
        }
    }

    // ---- The end, if somebody does not let it come ----

    /** Changes as long as the lanes get on with what is left. For any thread. */
    long progress() {
        return disk.ended() + acknowledger.told();
    }

    /** Whether nothing of the log's appends is under way on the disk. For any thread. */
    boolean isDiskIdle() {
        return disk.isIdle();
    }

    /**
     * Gives the log up while it is being closed, since a callback does not return or the disk does not: nothing more is
     * written, and nobody but the caller tells anybody anything.
     *
     * @return what is left to be told, in log order
     */
    List<LastOutcome> giveUp(LogFailedException cause) {
        disk.shut();
        queue.close();
        long unwritten = queue.firstWaiting(); // none of those behind got through the gate
        List<LastOutcome> rest = acknowledger.takeOver(cause, queue.lastClaimed(), unwritten);
        lanes.forEach(Lane::wake);
        return rest;
    }
}
