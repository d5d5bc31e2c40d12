package io.plog.log.segment;

import io.plog.log.file.ControlRecords;
import io.plog.log.file.FileWindow;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What lies behind the place where a segment's valid records end. It decides whether something that was acknowledged is
 * damaged there: a record written later carries the watermark that was known then.
 *
 * @param remainsEnd where the <em>remains</em> end: whatever was written there of this segment; the place itself if nothing
 *     was. Those are the headers that are right for its epoch, with what they say, and all of the block in which the valid
 *     records end, which each write fills; anything else may be left from an earlier use of the file
 * @param watermark the highest watermark of any later header, or of the right header at the place itself; 0 if there is none
 * @param witnessOffset where the later header with that watermark stands; -1 if there is none
 * @param laterRecord whether a later record or mark is there; a trailer alone may be that of the record at the place
 * @param sealed whether an intact second copy of the seal of exactly the valid records is there
 * @param closed whether an intact second copy of the closing mark of exactly the valid records is there
 * @param nextIndex the index that the next record must have: what that second copy says, or else what the valid records say
 */
public record TailEvidence(
        long remainsEnd,
        long watermark,
        long witnessOffset,
        boolean laterRecord,
        boolean sealed,
        boolean closed,
        long nextIndex) {

    /**
     * Looks at everything from {@code from} to the end of the segment. What was written later is recognised by its header alone,
     * at any multiple of {@link RecordHeader#ALIGNMENT}: that is right for the segment's epoch, its index lies at or behind the
     * expected one and is not higher than it can be there, and it ends where a writer would.
     *
     * @param expectedIndex the index that the record at {@code from} must have (in a striped log, at least)
     */
    static TailEvidence search(
            Storage.FileHandle file,
            SegmentHeader header,
            FileWindow window,
            long from,
            long expectedIndex,
            IndexBound bound)
            throws IOException {
        Search search = new Search(header, from, expectedIndex, bound);
        window.reset();
        for (long at = from; at < header.segmentBytes(); ) {
            int available = window.require(file, at, RecordHeader.BYTES);
            if (available < RecordHeader.ALIGNMENT) {
                break;
            }
            if (window.buffer().getLong(window.at(at)) == 0) {
                at += window.zerosFrom(at) & -RecordHeader.ALIGNMENT;
            } else if (available == RecordHeader.BYTES && search.isOldTrailer(window.buffer(), window.at(at))) {
                at += RecordHeader.BYTES;
            } else {
                search.look(available == RecordHeader.BYTES, at);
                at += RecordHeader.ALIGNMENT;
            }
        }
        return search.result();
    }

    /** Of a place behind which nothing counts. */
    static TailEvidence none(long at, long nextIndex) {
        return new TailEvidence(at, 0, -1, false, false, false, nextIndex);
    }

    public boolean hasRemainsFrom(long from) {
        return remainsEnd > from;
    }

    private static final class Search {
        private final long epoch;
        private final boolean striped;
        private final long from;
        private final long secondCopyAt;
        private final long expectedIndex;
        private final IndexBound bound;
        private final long segmentBytes;
        private final long ownUpTo; // not of an earlier use, whatever it is
        private final RecordHeader candidate = new RecordHeader();
        private boolean right;
        private long remainsEnd;
        private long watermark;
        private long witness = -1;
        private boolean laterRecord;
        private boolean sealed;
        private boolean closed;
        private boolean laterData;
        private long nextIndex;

        Search(SegmentHeader header, long from, long expectedIndex, IndexBound bound) {
            this.epoch = header.epoch();
            this.striped = header.stripe().isStriped();
            this.from = from;
            this.secondCopyAt = ControlRecords.secondCopyAt(from);
            this.expectedIndex = expectedIndex;
            this.bound = bound;
            this.nextIndex = expectedIndex;
            this.remainsEnd = from;
            this.segmentBytes = header.segmentBytes();
            this.ownUpTo = RecordHeader.align(from, SegmentHeader.BLOCK_BYTES);
        }

        /** Reads what may be a header; returns whether it is the trailer of records that are valid. */
        boolean isOldTrailer(ByteBuffer buffer, int inBuffer) {
            right = candidate.decode(buffer, inBuffer, epoch);
            return right && candidate.type == RecordHeader.TRAILER && candidate.index < expectedIndex;
        }

        /** @param whole whether {@link #isOldTrailer} read a header there */
        void look(boolean whole, long at) {
            if (at < ownUpTo) {
                remainsEnd = Math.max(remainsEnd, at + RecordHeader.ALIGNMENT);
            }
            if (!whole || !right || candidate.index < expectedIndex || !canStandAt(at)) {
                return;
            }
            remainsEnd = Math.max(remainsEnd, at + candidate.totalBytes());
            if (at == from && (striped || candidate.index == expectedIndex)) {
                // The record at the place itself: its payload is torn, its header is right, and so is what that says.
                watermark = candidate.watermark;
                return;
            }
            if (witness < 0 || candidate.watermark > watermark) {
                watermark = candidate.watermark;
                witness = at;
            }
            laterRecord |= candidate.type != RecordHeader.TRAILER;
            laterData |= candidate.isData() || candidate.type == RecordHeader.TRAILER;
            // In a striped log the index does not show that nothing is missing before it; the place does.
            boolean nothingMissing = striped ? at == secondCopyAt : candidate.index == expectedIndex;
            if (nothingMissing && (candidate.type == RecordHeader.SEAL || candidate.type == RecordHeader.CLOSE)) {
                sealed |= candidate.type == RecordHeader.SEAL;
                closed |= candidate.type == RecordHeader.CLOSE;
                nextIndex = candidate.index;
            }
        }

        private boolean canStandAt(long at) {
            return candidate.isAligned()
                    && at + candidate.totalBytes() <= segmentBytes - ControlRecords.leastFreeBehind(candidate.type)
                    && candidate.index <= bound.highest(expectedIndex, at - from);
        }

        TailEvidence result() {
            boolean damaged = striped ? laterData : watermark >= expectedIndex;
            return new TailEvidence(
                    remainsEnd,
                    watermark,
                    witness,
                    laterRecord,
                    sealed && !damaged,
                    closed && !damaged,
                    damaged ? expectedIndex : nextIndex);
        }
    }
}
