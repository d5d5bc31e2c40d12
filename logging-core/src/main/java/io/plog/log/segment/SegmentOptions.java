package io.plog.log.segment;

import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Force;

/**
 * How the segments of a log are recovered and written: its {@code LogOptions}, as far as they are about segments.
 *
 * @param force what an append waits for
 * @param lanes how many batches may be written at once
 * @param firstBytes the size of a new log's first segment
 * @param mostBytes the size that none exceeds
 * @param firstIndex the index that the first record of a new log gets
 * @param skipsCovered whether records that a checkpoint covers are checked only later
 * @param mostRecords how many records a batch may have
 * @param batchBytes how many payload bytes are written together
 * @param recordBytes the largest payload of a record
 * @param listBytes the most payload bytes of records that are accepted together
 */
public record SegmentOptions(
        Force force,
        int lanes,
        long firstBytes,
        long mostBytes,
        long firstIndex,
        boolean skipsCovered,
        int mostRecords,
        int batchBytes,
        int recordBytes,
        long listBytes) {
    /** The most records that are laid out for one write, whatever their size. */
    public static final int MOST_RECORDS = 4096;

    public SegmentSizes sizes() {
        return new SegmentSizes(firstBytes, mostBytes);
    }

    /** At multiples of how many bytes each batch ends. */
    int alignment() {
        return force.padsGroups() ? SegmentHeader.BLOCK_BYTES : RecordHeader.ALIGNMENT;
    }
}
