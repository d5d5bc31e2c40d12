package io.plog.log.file;

import io.plog.log.storage.Storage;

/**
 * Why a segment does not continue the one before it: the log was cut at its end ({@code DurableLog.truncateAfter}), or emptied
 * ({@code DurableLog.reset}), and goes on here. It stands in the header of the segment, so the cut is whole: once the segment has
 * its name all behind the cut is gone, and before that nothing is. What was cut keeps the epochs of its own segments, so nothing
 * of it is right for this one.
 *
 * <p>hashicorp/raft-wal cuts its tail in the same way, but keeps where in a table of its own.
 *
 * @param firstIndex the index of the first record behind the cut
 * @param segment the segment with the last record before it; 0 if there is none, because the log was emptied or is new
 * @param epoch that segment's; if there is none, the checks of the checkpoint that the log was emptied for, 0 if for none
 * @param end where in that segment the log ends, in bytes from the start of the file; 0 if there is none
 */
public record Rewind(long firstIndex, long segment, long epoch, long end) {
    /**
     * Nothing that was there before is part of the log.
     *
     * @param checks of the checkpoint that it is emptied for, 0 if for none
     */
    public static Rewind toNothing(long firstIndex, long checks) {
        return new Rewind(firstIndex, 0, checks, 0);
    }

    public boolean isToNothing() {
        return segment == 0;
    }

    /** Whether a writer can have written it into a segment of this number. */
    boolean isPossibleIn(long number) {
        boolean isPlace = segment > 0
                && segment < number
                && epoch != 0
                && end >= Storage.BLOCK_BYTES
                && end <= SegmentHeader.MOST_SEGMENT_BYTES
                && end % RecordHeader.ALIGNMENT == 0;
        return firstIndex > 0 && firstIndex <= RecordHeader.MOST_NUMBER && (isPlace || (segment == 0 && end == 0));
    }
}
