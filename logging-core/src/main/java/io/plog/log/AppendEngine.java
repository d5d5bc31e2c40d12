package io.plog.log;

import io.plog.log.file.Payload;
import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentWriter;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The parts through which appends go to the disk, how they are put together, and how a record gets into the queue before them. */
final class AppendEngine implements AppendOrder {
    final AppendQueue queue;
    final GroupCommit commit;
    final LaneScheduler scheduler;
    final IdleWatermark idleMark;
    final LogShutdown shutdown;
    final LogThreads threads;
    final DurableWait durableWait;
    private final CallbackMonitor callbacks;
    private final boolean waitsForRoom;
    private final long spinNanos;

    /**
     * @param nextIndex the index of the next record
     * @param markedIndex every record up to this index is known to be durable from the disk alone
     * @param mostRecords how many records a batch may have; asked before each
     */
    AppendEngine(
            LogOptions options,
            LogListener listener,
            LogThreads threads,
            CallbackMonitor callbacks,
            List<SegmentChain> stripes,
            long nextIndex,
            long markedIndex,
            IntSupplier mostRecords) {
        this.threads = threads;
        this.callbacks = callbacks;
        waitsForRoom = options.overflow() == LogOptions.Overflow.WAIT;
        spinNanos = options.spin().toNanos();
        int lanes = stripes.stream().mapToInt(stripe -> stripe.writers().size()).sum();
        DiskGate disk = new DiskGate();
        BatchMetrics metrics = new BatchMetrics();
        queue = new AppendQueue(options.maxQueuedRecords(), options.maxQueuedBytes());
        AppendNotifier notifier = new AppendNotifier(queue, listener, metrics, callbacks);
        durableWait = notifier.durableWait;
        commit = new GroupCommit(notifier, disk, lanes, nextIndex - 1);
        BatchBuilder builder =
                new BatchBuilder(options, queue, commit, metrics, disk, nextIndex, stripes.size(), mostRecords);
        scheduler = new LaneScheduler(queue, builder, commit, stripes.size() > 1);
        idleMark = new IdleWatermark(options, commit, builder, metrics, disk, markedIndex);
        shutdown = new LogShutdown(queue, builder, commit, notifier, scheduler, stripes, listener, disk, lanes);
        long laneSpinNanos = options.runtime() == null ? spinNanos : 0; // on a thread that others need
        for (SegmentChain stripe : stripes) {
            for (SegmentWriter writer : stripe.writers()) {
                scheduler.add(new Lane(scheduler, commit, idleMark, shutdown, threads, stripe, writer, laneSpinNanos));
            }
        }
    }

    /**
     * How long the slowest current write or force has taken so far, or the oldest append has waited for one though no callback
     * holds the lanes up, in nanoseconds; 0 if there is none. For any thread.
     */
    long stalledNanos() {
        long now = System.nanoTime();
        long longest = callbacks.longestNanos() > 0 ? 0 : queue.longestWaitNanos(now);
        for (Lane lane : scheduler.lanes()) {
            longest = Math.max(longest, lane.busy.nanos(now));
        }
        return longest;
    }

    // ---- What callers put in, on their threads ----

    @Override
    public @Nullable LogException put(Completion completion, Payload payload, long calledNanos)
            throws InterruptedException {
        AppendQueue.Put put = queue.tryPut(completion, payload, calledNanos);
        if (put == AppendQueue.Put.FULL && waitsForRoom && !threads.isCurrentThread()) {
            put = queue.put(completion, payload, calledNanos);
        }
        return switch (put) {
            case ACCEPTED -> null;
            case FULL -> overloaded();
            case CLOSED -> closedOrFailed();
        };
    }

    @Override
    public void wake() {
        scheduler.wakeAnother();
    }

    /** The caller looks for a while before it parks: waking a thread takes tens of microseconds. */
    @Override
    public void workUntil(BooleanSupplier done) {
        scheduler.workUntil(done, spinNanos);
    }

    private LogException overloaded() {
        return new LogRefusedException.QueueFull("the queue before the log is full (" + queue.records() + " records, "
                + queue.bytes() + " bytes); the record was not written. Try again later");
    }

    private LogException closedOrFailed() {
        LogFailedException failed = commit.failure();
        if (failed == null) {
            return new LogRefusedException.Closed("the log is closed; the record was not written");
        }
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        return new LogFailedException(
                "the record was not written: the log had failed before, after an error ("
                        + LogFailedException.describe(cause) + ")" + LogFailedException.advice(cause),
                failed,
                false);
    }
}
