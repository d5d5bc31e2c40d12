package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What lies behind the place where a segment's valid records end. It decides whether something that was acknowledged is
 * damaged there: a record written later carries the watermark that was known then.
 *
 * @param nonZeroEnd the end of the last bytes that are not zero; the place itself if all are
 * @param watermark the highest watermark of any later record; 0 if there is none
 * @param witnessOffset where the record with that watermark stands; -1 if there is none
 * @param sealed whether an intact second copy of the seal of exactly the valid records is there
 * @param closed whether an intact second copy of the closing mark of exactly the valid records is there
 */
record TailEvidence(long nonZeroEnd, long watermark, long witnessOffset, boolean sealed, boolean closed) {

    /**
     * Looks at everything from {@code from} to the end of the segment. A later record is recognised by its header alone,
     * at any multiple of {@link RecordHeader#ALIGNMENT}: its check covers the segment's epoch, and its index must lie at
     * or behind the expected one, so neither old bytes nor a payload that contains log records can pass for one.
     */
    static TailEvidence search(StorageFile file, SegmentHeader header, FileWindow window, long from, long expectedIndex)
            throws IOException {
        RecordHeader candidate = new RecordHeader();
        long nonZeroEnd = from;
        long watermark = 0;
        long witness = -1;
        boolean sealed = false;
        boolean closed = false;
        window.reset();
        for (long at = from; at < header.segmentBytes(); at += RecordHeader.ALIGNMENT) {
            int available = window.require(file, at, RecordHeader.BYTES);
            if (available < RecordHeader.ALIGNMENT) {
                break;
            }
            ByteBuffer buffer = window.buffer();
            int inBuffer = window.at(at);
            if (buffer.getLong(inBuffer) == 0) {
                continue;
            }
            nonZeroEnd = at + RecordHeader.ALIGNMENT;
            if (available < RecordHeader.BYTES
                    || !candidate.decode(buffer, inBuffer, header.epoch())
                    || candidate.index < expectedIndex) {
                continue;
            }
            if (at == from && candidate.index == expectedIndex) {
                // The record at the place itself: its payload is torn, its header is right, and so is what that says.
                watermark = candidate.watermark;
                continue;
            }
            if (witness < 0 || candidate.watermark > watermark) {
                watermark = candidate.watermark;
                witness = at;
            }
            boolean nothingMissing = candidate.index == expectedIndex;
            sealed |= nothingMissing && candidate.type == RecordHeader.SEAL;
            closed |= nothingMissing && candidate.type == RecordHeader.CLOSE;
        }
        return new TailEvidence(nonZeroEnd, watermark, witness, sealed, closed);
    }

    /** Whether there is anything but zeros from {@code from} on. */
    boolean isNonZeroFrom(long from) {
        return nonZeroEnd > from;
    }
}
