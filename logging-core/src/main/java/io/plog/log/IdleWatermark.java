package io.plog.log;

import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentWriter;
import java.io.IOException;

/**
 * The watermark of the last batch travels with the next batch. If none comes for a while it is written by itself, as a mark.
 */
final class IdleWatermark {
    static final long NEVER = Long.MAX_VALUE;

    private final GroupCommit commit;
    private final BatchBuilder builder;
    private final BatchMetrics metrics;
    private final DiskGate disk;
    private final long delayNanos;
    private final boolean enabled;
    private volatile long markedIndex;
    private volatile int cuts; // when that was so; what a cut took back proves nothing

    /** @param markedIndex every record up to this index is known to be durable from the disk alone */
    IdleWatermark(
            LogOptions options,
            GroupCommit commit,
            BatchBuilder builder,
            BatchMetrics metrics,
            DiskGate disk,
            long markedIndex) {
        this.commit = commit;
        this.builder = builder;
        this.metrics = metrics;
        this.disk = disk;
        this.delayNanos = options.idleMark().toNanos();
        this.enabled = options.force().isStable();
        this.markedIndex = markedIndex;
    }

    /** When it is to be written, as {@link System#nanoTime} counts; {@link #NEVER} if it is not. For any thread. */
    long deadline() {
        return enabled && (markedIndex < commit.durableIndex() || cuts != builder.cuts()) && isAtRest()
                ? metrics.idleSinceNanos() + delayNanos
                : NEVER;
    }

    /** Whether it is to be written now. For any thread. */
    boolean isDue() {
        long deadline = deadline();
        return deadline != NEVER && System.nanoTime() - deadline >= 0;
    }

    /** Whether every batch is acknowledged. The answer stays true for the leading lane only. */
    private boolean isAtRest() {
        return commit.nextTicket() == builder.nextTicket();
    }

    /** Writes and forces it. For the leading lane. */
    void write(SegmentChain segments, SegmentWriter writer) throws IOException {
        long durableIndex = commit.durableIndex();
        disk.enter();
        try {
            segments.mark(writer, builder.nextIndex(), durableIndex);
        } finally {
            disk.leave();
        }
        markedIndex = durableIndex;
        cuts = builder.cuts();
    }
}
