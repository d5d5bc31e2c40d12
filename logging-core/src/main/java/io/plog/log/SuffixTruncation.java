package io.plog.log;

import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentWriter;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cut of the log at its end, or of all of it, on its way through the queue: it has its turn among the appends, behind all that
 * were accepted before it and in front of all that come later. Its caller waits.
 */
final class SuffixTruncation extends Append {
    private final long nextIndex;
    private final @Nullable Rewind begin;
    private final Runnable taken;
    private List<SegmentHeader> gone = List.of();
    private long rewoundBy;
    private boolean beyond;
    private @Nullable LogException failure;

    /**
     * @param nextIndex the index that the next record is to have
     * @param begin how the log begins if everything goes, also what lies before it; else null
     * @param taken is called when it is stable, before a reader can find anything new
     */
    SuffixTruncation(long nextIndex, @Nullable Rewind begin, Runnable taken) {
        super(true);
        this.taken = taken;
        this.nextIndex = nextIndex;
        this.begin = begin;
    }

    long nextIndex() {
        return nextIndex;
    }

    /** Whether it was to keep a record that had not been appended, so nothing was cut. Once its caller goes on. */
    boolean isBeyond() {
        return beyond;
    }

    /**
     * Does it, unless nothing is to go. For the leading lane, when every batch is acknowledged.
     *
     * @param before the index of the next record as it was
     * @param rewound is called when it is stable, before a reader can find anything new
     */
    void carryOut(SegmentChain segments, SegmentWriter writer, long before, Runnable rewound) throws IOException {
        beyond = begin == null && nextIndex > before;
        if (begin != null || nextIndex < before) {
            gone = segments.rewind(writer, before, nextIndex, begin, () -> {
                rewound.run();
                taken.run();
            });
            rewoundBy = segments.links().byNumber().lastKey();
        }
    }

    /** The number of the segment that made the cut; 0 if there was nothing to cut. Once its caller goes on. */
    long rewoundBy() {
        return rewoundBy;
    }

    /** What is none of the log's any more. Once its caller goes on. */
    List<SegmentHeader> gone() {
        return gone;
    }

    /** Why nothing was cut, or nobody knows whether it was; null if it was. Once its caller goes on. */
    @Nullable
    LogException failure() {
        return failure;
    }

    @Override
    protected void onDurable() {
        // the waiter is notified
    }

    @Override
    protected void onFailed(LogException cause) {
        failure = cause;
    }
}
