package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What lies behind the place where a segment's valid records end. It decides whether something that was acknowledged is
 * damaged there: a record written later carries the watermark that was known then.
 *
 * @param remainsEnd where the <em>remains</em> end: whatever was written there of this segment; the place itself if nothing
 *     was. In a new segment that is all that is not zero. In one that is used again it is what is right for its epoch, what
 *     resembles the header of the next record, and all of the block in which the valid records end, which a write would have
 *     filled with zeros; anything else may be left from an earlier use
 * @param watermark the highest watermark of any later record, or of the right header at the place itself; 0 if there is none
 * @param witnessOffset where the later record with that watermark stands; -1 if there is none
 * @param sealed whether an intact second copy of the seal of exactly the valid records is there
 * @param closed whether an intact second copy of the closing mark of exactly the valid records is there
 * @param nextIndex the index that the next record must have: what that second copy says, or else what the valid records say
 */
record TailEvidence(
        long remainsEnd, long watermark, long witnessOffset, boolean sealed, boolean closed, long nextIndex) {

    /**
     * Looks at everything from {@code from} to the end of the segment. A later record is recognised by its header alone,
     * at any multiple of {@link RecordHeader#ALIGNMENT}: its check covers the segment's epoch, and its index must lie at
     * or behind the expected one, so neither old bytes nor a payload that contains log records can pass for one.
     *
     * @param expectedIndex the index that the record at {@code from} must have (in a striped log, at least); 0 if there should
     *     be none, and any is a later one
     */
    static TailEvidence search(
            Storage.FileHandle file, SegmentHeader header, FileWindow window, long from, long expectedIndex)
            throws IOException {
        Search search = new Search(header, from, expectedIndex);
        window.reset();
        for (long at = from; at < header.segmentBytes(); ) {
            int available = window.require(file, at, RecordHeader.BYTES);
            if (available < RecordHeader.ALIGNMENT) {
                break;
            }
            ByteBuffer buffer = window.buffer();
            int inBuffer = window.at(at);
            if (buffer.getLong(inBuffer) == 0) {
                at += window.zerosFrom(at) & -RecordHeader.ALIGNMENT;
                continue;
            }
            search.remainsUpTo(at, RecordHeader.ALIGNMENT);
            if (available == RecordHeader.BYTES) {
                search.look(buffer, inBuffer, at);
            }
            at += RecordHeader.ALIGNMENT;
        }
        return search.result();
    }

    /** Whether there are remains from {@code from} on. */
    boolean hasRemainsFrom(long from) {
        return remainsEnd > from;
    }

    private static final class Search {
        private final long epoch;
        private final boolean striped;
        private final long from;
        private final long secondCopyAt;
        private final long expectedIndex;
        private final long segmentBytes;
        private final boolean usedAgain;
        private final long ownUpTo; // not of an earlier life, whatever it is
        private final RecordHeader candidate = new RecordHeader();
        private long remainsEnd;
        private long watermark;
        private long witness = -1;
        private boolean sealed;
        private boolean closed;
        private boolean laterData;
        private long nextIndex;

        Search(SegmentHeader header, long from, long expectedIndex) {
            this.epoch = header.epoch();
            this.striped = header.stripe().isStriped();
            this.from = from;
            this.secondCopyAt = ControlRecords.secondCopyAt(from);
            this.expectedIndex = expectedIndex;
            this.nextIndex = expectedIndex;
            this.remainsEnd = from;
            this.segmentBytes = header.segmentBytes();
            this.usedAgain = header.usedAgain();
            this.ownUpTo = usedAgain ? RecordHeader.align(from, SegmentHeader.BLOCK_BYTES) : segmentBytes;
        }

        void remainsUpTo(long at, long bytes) {
            if (at < ownUpTo) {
                remainsEnd = Math.max(remainsEnd, at + bytes);
            }
        }

        void look(ByteBuffer buffer, int inBuffer, long at) {
            boolean right = candidate.decode(buffer, inBuffer, epoch);
            if (usedAgain && (right ? candidate.index >= expectedIndex : at == from && resemblesTheNextRecord())) {
                remainsEnd = Math.max(remainsEnd, Math.min(at + candidate.totalBytes(), segmentBytes));
            }
            if (!right || candidate.index < expectedIndex) {
                return;
            }
            if (at == from && ((striped && expectedIndex > 0) || candidate.index == expectedIndex)) {
                // The record at the place itself: its payload is torn, its header is right, and so is what that says.
                watermark = candidate.watermark;
                return;
            }
            if (witness < 0 || candidate.watermark > watermark) {
                watermark = candidate.watermark;
                witness = at;
            }
            laterData |= candidate.isData();
            // In a striped log the index alone does not tell that nothing is missing before it, but the place does.
            boolean nothingMissing = striped ? at == secondCopyAt : candidate.index == expectedIndex;
            if (nothingMissing && (candidate.type == RecordHeader.SEAL || candidate.type == RecordHeader.CLOSE)) {
                sealed |= candidate.type == RecordHeader.SEAL;
                closed |= candidate.type == RecordHeader.CLOSE;
                nextIndex = candidate.index;
            }
        }

        /**
         * Whether a header that is not right was one of the next record: no earlier use of the file had a record with this
         * index. So damage to the last record of a log is told from what an earlier use left, unless it took all of the header.
         */
        private boolean resemblesTheNextRecord() {
            return expectedIndex > 0
                    && (candidate.index == expectedIndex || (!striped && candidate.isRightWith(expectedIndex, epoch)))
                    && candidate.length >= 0;
        }

        TailEvidence result() {
            boolean damaged = striped ? laterData : watermark >= expectedIndex;
            return new TailEvidence(
                    remainsEnd,
                    watermark,
                    witness,
                    sealed && !damaged,
                    closed && !damaged,
                    damaged ? expectedIndex : nextIndex);
        }
    }
}
