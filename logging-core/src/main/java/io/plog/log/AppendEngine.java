package io.plog.log;

import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentWriter;
import java.util.List;
import java.util.function.IntSupplier;

/** The parts through which appends go from the queue to the disk, and how they are put together. */
final class AppendEngine {
    final AppendQueue queue;
    final GroupCommit commit;
    final LaneScheduler scheduler;
    final IdleWatermark idleMark;
    final LogShutdown shutdown;
    final LogThreads threads;
    final DurableWait durableWait;
    private final CallbackMonitor callbacks;

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
        long spinNanos = options.runtime() == null ? options.spin().toNanos() : 0; // on a thread that others need
        for (SegmentChain stripe : stripes) {
            for (SegmentWriter writer : stripe.writers()) {
                scheduler.add(new Lane(scheduler, commit, idleMark, shutdown, threads, stripe, writer, spinNanos));
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
}
