package io.plog.log;

import java.io.IOException;

/**
 * What one segment's file was found to hold.
 *
 * @param file the file's name
 * @param header its header
 * @param firstIndex the index of its first record, or that the first would have
 * @param nextIndex one more than the index of its last valid record
 * @param endOffset where its valid records end, in bytes from the start of the file
 * @param watermark the highest watermark that its valid records carry; 0 if there is none
 * @param sealed whether it ends with a seal: it is complete, and the next segment exists
 * @param closed whether the last thing in it is a closing mark
 * @param markedTwice whether its last record is followed by two copies of a mark or seal, in different blocks; otherwise one
 *     damaged sector could take the record together with the statement that it was durable
 * @param stopReason what was found where the valid records end
 * @param tail what lies behind that place
 */
record SegmentState(
        String file,
        SegmentHeader header,
        long firstIndex,
        long nextIndex,
        long endOffset,
        long watermark,
        boolean sealed,
        boolean closed,
        boolean markedTwice,
        String stopReason,
        TailEvidence tail) {

    /** Reads the whole segment. */
    static SegmentState read(StorageFile file, String name, SegmentHeader header, FileWindow window, long firstIndex)
            throws IOException {
        SegmentScanner scanner = new SegmentScanner(file, header, window, firstIndex, header.segmentBytes());
        long watermark = 0;
        int lastType = 0;
        int marks = 0;
        while (scanner.next()) {
            watermark = Math.max(watermark, scanner.record().watermark);
            lastType = scanner.record().type;
            marks = scanner.record().isData() ? 0 : marks + 1;
        }
        long end = scanner.nextOffset();
        TailEvidence tail = TailEvidence.search(file, header, window, end, scanner.expectedIndex());
        boolean damagedBehind = tail.watermark() >= scanner.expectedIndex();
        return new SegmentState(
                name,
                header,
                firstIndex,
                scanner.expectedIndex(),
                end,
                watermark,
                lastType == RecordHeader.SEAL || (tail.sealed() && !damagedBehind),
                lastType == RecordHeader.CLOSE || (tail.closed() && !damagedBehind),
                marks > 1,
                scanner.stopReason(),
                tail);
    }

    /** Whether a record that was acknowledged is damaged or missing where the valid ones end. */
    boolean isDamaged() {
        return tail.watermark() >= nextIndex;
    }

    /**
     * What the place where the valid records end looks like: {@code valid} if nothing but zeros follows, {@code empty} if
     * there is no record at all either, {@code torn} if something else follows, and {@code damaged} if a later record, valid
     * for this segment, is among it.
     */
    String content() {
        if (sealed || !tail.isNonZeroFrom(endOffset)) {
            return endOffset == SegmentHeader.BLOCK_BYTES ? "empty" : "valid";
        }
        boolean onlyClosingMarkTorn = tail.closed() && !isDamaged();
        return tail.witnessOffset() >= 0 && !onlyClosingMarkTorn ? "damaged" : "torn";
    }

    /** Whether bytes of something unfinished lie behind the valid records. */
    boolean isTorn() {
        return !sealed && tail.isNonZeroFrom(endOffset);
    }

    /** Whether it is sealed by the second copy of its seal only. */
    boolean isTornSeal() {
        return sealed && tail.sealed();
    }

    /** How many records of the caller's it holds. */
    long records() {
        return nextIndex - firstIndex;
    }

    /** The highest watermark that anything in the segment carries. */
    long highestWatermark() {
        return Math.max(watermark, tail.watermark());
    }
}
