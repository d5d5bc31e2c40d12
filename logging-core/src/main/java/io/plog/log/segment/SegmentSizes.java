package io.plog.log.segment;

import io.plog.log.file.ControlRecords;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.Trailer;

/**
 * How large the next segment of a log is. A log that begins with small segments takes little space while it holds little: each is
 * a part of what the log holds by then, up to the size that was chosen. For any thread.
 */
public final class SegmentSizes {
    /** The next segment is this part of the log, so that the one in use and the one that is ready take half of it at most. */
    private static final int SHARE = 4;

    private final long first;
    private final long most;
    private volatile long held;
    private volatile long least;

    /**
     * @param first the size of a new log's first segment, in bytes
     * @param most the size that none exceeds
     */
    SegmentSizes(long first, long most) {
        this.first = first;
        this.most = most;
    }

    /** Of a log whose segments have one size. */
    public static SegmentSizes of(long bytes) {
        return new SegmentSizes(bytes, bytes);
    }

    /** Bytes for records in an empty segment, padding at the end of a batch taken off. */
    static long roomOfEmpty(long segmentBytes) {
        return segmentBytes - ControlRecords.RESERVE_BYTES - SegmentHeader.BLOCK_BYTES - Trailer.MOST_BYTES;
    }

    /** Says how many bytes the segments in use have. */
    void hold(long bytes) {
        held = bytes;
    }

    /** Says that the next segments must take a record of so many bytes, its header included. For the leading lane. */
    void require(long recordBytes) {
        least = Math.max(
                least, recordBytes + SegmentHeader.BLOCK_BYTES + ControlRecords.RESERVE_BYTES + Trailer.MOST_BYTES);
    }

    /** The size of the next segment to be made. */
    long next() {
        long wanted = Math.max(Math.max(first, least), held / SHARE);
        return Math.min(most, RecordHeader.align(wanted, SegmentHeader.GRAIN_BYTES));
    }

    /** How many bytes to keep ready: of a log that begins small one segment, until it is large; also one made when it was smaller. */
    long reserveBytes(int segments) {
        return next() == most ? segments * most : Math.max(1, least);
    }

    /** Whether a segment of this size serves as the next one. */
    boolean isFit(long bytes) {
        return bytes >= next() && bytes <= most;
    }
}
