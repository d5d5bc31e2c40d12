package io.plog.log;

import io.plog.log.segment.SegmentChain;
import io.plog.log.storage.LogException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** How the lanes end: in order when the log is closed, after a failure, or given up because something does not return. */
final class LogShutdown {
    private final AppendQueue queue;
    private final BatchBuilder builder;
    private final GroupCommit commit;
    private final AppendNotifier notifier;
    private final LaneScheduler scheduler;
    private final List<SegmentChain> stripes;
    private final LogListener listener;
    private final DiskGate disk;
    private final AtomicInteger lanesAlive;
    private final AtomicReference<@Nullable Throwable> unreported = new AtomicReference<>(); // to the listener
    private final LogFailedException indescribable = LogFailedException.indescribable();

    /** Made at the start: it cannot be linked when there is no memory. */
    private final LongFunction<@Nullable LogException> refusals;

    LogShutdown(
            AppendQueue queue,
            BatchBuilder builder,
            GroupCommit commit,
            AppendNotifier notifier,
            LaneScheduler scheduler,
            List<SegmentChain> stripes,
            LogListener listener,
            DiskGate disk,
            int lanes) {
        this.queue = queue;
        this.builder = builder;
        this.commit = commit;
        this.notifier = notifier;
        this.scheduler = scheduler;
        this.refusals = scheduler::refusalOf;
        this.stripes = stripes;
        this.listener = listener;
        this.disk = disk;
        this.lanesAlive = new AtomicInteger(lanes);
    }

    /** Takes no more appends. The lanes finish what was taken, and then mark the log as closed in order. */
    void begin() {
        queue.close();
        scheduler.wakeAll();
    }

    // ---- After a failure ----

    /** A lane could not do its work. */
    void fail(Lane lane, Throwable cause) {
        lane.busy.end();
        fail(cause);
    }

    /**
     * Fails the log for good. The first cause is the one that is reported. A slow callback does not delay the failure. For any
     * thread.
     */
    void fail(Throwable cause) {
        if (declareFailed(cause)) {
            unreported.set(cause);
        }
        notifier.durableWait.changed();
        queue.close();
        scheduler.wakeAll();
        report();
    }

    private void report() {
        Throwable first = unreported.getAndSet(null);
        if (first != null) {
            try {
                listener.failed(first);
            } catch (Throwable shortage) {
                unreported.set(first); // the caller tries again
                throw shortage;
            }
        }
    }

    /** The first step of a failure: nothing is acknowledged from here on. The lanes may end the log before the next step. */
    boolean declareFailed(Throwable cause) {
        return commit.fail(LogFailedException.because(cause, indescribable));
    }

    // ---- The last lane ----

    /** A lane has nothing more to do. Returns whether it is the last one, which has to {@link #end} the log. */
    boolean leave() {
        scheduler.wakeAll(); // one may have parked while others still had something to take
        return lanesAlive.decrementAndGet() == 0;
    }

    /**
     * Closes the files in order or, after a failure, fails all appends that still wait. Call after the last lane has ended:
     * until then a lane may read the appends' buffers. If this throws, call it again: it continues where it stopped.
     */
    void end(Lane lane) {
        LogFailedException failed = commit.failure();
        if (failed == null) {
            closeInOrder(lane);
        } else {
            queue.close(); // the thread that declared the failure may be suspended before it does so itself
            notifier.failAll(builder.takeAll(), failed, refusals);
            for (SegmentChain stripe : stripes) {
                stripe.abandon();
            }
            report(); // the thread that declared the failure may have had no memory for that
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
                    stripe.closeInOrder(builder.nextIndex(), commit.durableIndex());
                }
            } finally {
                disk.leave();
            }
        } catch (Throwable cause) {
            fail(lane, cause);
            stripes.forEach(SegmentChain::abandon);
        }
    }

    // ---- If a callback or the disk does not return ----

    /** A number that changes with each step of the lanes. For any thread. */
    long progress() {
        return disk.ended() + notifier.claimed();
    }

    /** Whether no operation of the lanes runs on the disk. For any thread. */
    boolean isDiskIdle() {
        return disk.isIdle();
    }

    /**
     * Gives the log up while it is being closed, because a callback or the disk does not return. Nothing more is written, and
     * only the caller of this method completes appends from now on.
     *
     * @return the appends that are left to complete, in log order
     */
    List<AppendNotifier.Pending> giveUp(LogFailedException cause) {
        disk.shut();
        queue.close();
        long unwritten = queue.firstWaiting(); // none of those behind got through the gate
        List<AppendNotifier.Pending> rest = commit.giveUp(cause, queue.lastClaimed(), unwritten);
        scheduler.wakeAll();
        return rest;
    }
}
