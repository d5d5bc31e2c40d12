package io.plog.log.segment;

import io.plog.log.file.SegmentHeader;

/**
 * What one segment's file was found to hold.
 *
 * @param file the file's name
 * @param header its header
 * @param firstIndex the index that its first record must have; in a striped log, at least
 * @param nextIndex the index that the record behind its valid ones must have; in a striped log, at least
 * @param firstRecord the index of its first record of the caller's; 0 if it has none
 * @param lastRecord the index of its last valid record of the caller's; 0 if it has none
 * @param records how many valid records of the caller's it holds
 * @param recordsEnd where the last of those ends, in bytes from the start of the file
 * @param endOffset where its valid records end, in bytes from the start of the file
 * @param watermark the highest watermark that its valid records carry; 0 if there is none
 * @param watermarkOffset where the first record with that watermark stands; -1 if there is none
 * @param sealed whether it ends with a seal: it is complete, and the next segment exists
 * @param closed whether the last thing in it is a closing mark
 * @param markedTwice whether its last record is followed by two copies of a mark or seal, in different blocks; otherwise one
 *     damaged sector could take the record together with the statement that it was durable
 * @param stopReason what was found where the valid records end
 * @param tail what lies behind that place
 */
public record SegmentState(
        String file,
        SegmentHeader header,
        long firstIndex,
        long nextIndex,
        long firstRecord,
        long lastRecord,
        long records,
        long recordsEnd,
        long endOffset,
        long watermark,
        long watermarkOffset,
        boolean sealed,
        boolean closed,
        boolean markedTwice,
        String stopReason,
        TailEvidence tail) {

    /** Found where the valid records end. */
    static final String LEFTOVERS = "what an earlier use of the file left";

    /**
     * What the place where the valid records end looks like: {@code valid} if nothing of this segment follows, {@code empty} if
     * there is no record at all either, {@code torn} if something follows, and {@code damaged} if a later record, valid
     * for this segment, is among it.
     */
    public String content() {
        if (sealed || !tail.hasRemainsFrom(endOffset)) {
            return endOffset == SegmentHeader.BLOCK_BYTES ? "empty" : "valid";
        }
        return tail.laterRecord() && !tail.closed() ? "damaged" : "torn";
    }

    /** Whether bytes of something unfinished lie behind the valid records. */
    public boolean isTorn() {
        return !sealed && tail.hasRemainsFrom(endOffset);
    }

    /** Whether the valid records end with a block, and the next one holds something that nobody wrote to this segment. */
    boolean endsAtLeftovers() {
        return stopReason.equals(LEFTOVERS);
    }

    /** Whether the last valid record is a closing mark. */
    boolean endsWithClosingMark() {
        return closed && !tail.closed();
    }

    /** Whether it is sealed by the second copy of its seal only. */
    boolean isTornSeal() {
        return sealed && tail.sealed();
    }

    /** The highest watermark that anything in the segment carries. */
    public long highestWatermark() {
        return Math.max(watermark, tail.watermark());
    }

    /** Where the record with the highest watermark stands. */
    long witnessOffset() {
        if (tail.watermark() <= watermark) {
            return watermarkOffset;
        }
        return tail.witnessOffset() < 0 ? endOffset : tail.witnessOffset();
    }
}
