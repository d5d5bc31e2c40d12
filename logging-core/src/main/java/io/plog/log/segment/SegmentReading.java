package io.plog.log.segment;

import io.plog.log.file.FileWindow;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;

/**
 * Goes through one segment and gathers what it holds on the way, so that each byte is read once. Not thread-safe. It belongs
 * to no other reader while it is open: the window is its own until then.
 */
final class SegmentReading implements Closeable {
    private final Storage.FileHandle file;
    private final String name;
    private final SegmentHeader header;
    private final FileWindow window;
    private final SegmentScanner scanner;
    private final long firstIndex;
    private final long limit;
    private final IndexBound bound;
    private long firstRecord;
    private long lastRecord;
    private long records;
    private long recordsEnd = SegmentHeader.BLOCK_BYTES;
    private long watermark;
    private long watermarkOffset = -1;
    private int lastType;
    private int marks;

    /**
     * @param segment what stands behind its end is taken for something that follows the valid records
     * @param bound how high an index can be behind the valid records
     */
    SegmentReading(
            Storage.FileHandle file, String name, SegmentLinks.Link segment, FileWindow window, IndexBound bound) {
        this.file = file;
        this.name = name;
        this.header = segment.header();
        this.window = window;
        this.firstIndex = segment.firstIndex();
        this.limit = segment.end();
        this.bound = bound;
        this.scanner = new SegmentScanner(file, segment, window);
        Rewind rewind = header.rewind();
        if (rewind != null) { // what it continues was durable when its header was written
            watermark = rewind.firstIndex() - 1;
            watermarkOffset = 0;
        }
    }

    /** Goes to the next valid record, marks included. */
    boolean next() throws IOException {
        if (!scanner.next()) {
            return false;
        }
        RecordHeader record = scanner.record();
        if (record.watermark > watermark) {
            watermark = record.watermark;
            watermarkOffset = scanner.offset();
        }
        lastType = record.type;
        if (record.isData()) {
            firstRecord = firstRecord == 0 ? record.index : firstRecord;
            lastRecord = record.index;
            records++;
            recordsEnd = scanner.nextOffset();
            marks = 0;
        } else {
            marks++;
        }
        return true;
    }

    /** The record found last. */
    RecordHeader record() {
        return scanner.record();
    }

    /** Where the record found last begins. */
    long offset() {
        return scanner.offset();
    }

    /** Whether what follows the valid records is unknown, since the disk cannot read it. */
    boolean endsAtLost() {
        return !scanner.lost().isEmpty();
    }

    /** What the segment holds. To be called when there is no next record; looks at what lies behind the last. */
    SegmentState state() throws IOException {
        long end = scanner.nextOffset();
        TailEvidence tail = search();
        boolean earlier = !scanner.stoppedAtEnd() && scanner.lost().isEmpty() && !tail.hasRemainsFrom(end);
        boolean sealed = lastType == RecordHeader.SEAL || tail.sealed();
        boolean closed = lastType == RecordHeader.CLOSE || tail.closed();
        return state(tail, sealed, closed, earlier ? SegmentState.LEFTOVERS : scanner.stopReason());
    }

    private TailEvidence search() throws IOException {
        return TailEvidence.search(file, header, window, scanner.nextOffset(), scanner.expectedIndex(), bound);
    }

    /** Where the valid records end if a closing mark is the last of them; else 0. */
    long closedAt() {
        return lastType == RecordHeader.CLOSE ? scanner.nextOffset() : 0;
    }

    SegmentHeader header() {
        return header;
    }

    /** What it holds if nothing behind the valid records can be the log's, as at the limit, if the log was cut there. */
    SegmentState stateWithoutRest() {
        TailEvidence nothing = TailEvidence.none(scanner.nextOffset(), scanner.expectedIndex());
        return state(nothing, scanner.nextOffset() == limit, lastType == RecordHeader.CLOSE, scanner.stopReason());
    }

    /** What it holds if what lies behind the limit is none of the log's any more: neither is a seal there. */
    SegmentState stateBeforeCut(String reason) throws IOException {
        TailEvidence tail = search();
        return state(tail, false, lastType == RecordHeader.CLOSE && !tail.closed(), reason);
    }

    private SegmentState state(TailEvidence tail, boolean sealed, boolean closed, String stopReason) {
        return new SegmentState(
                name,
                header,
                firstIndex,
                tail.nextIndex(),
                firstRecord,
                lastRecord,
                records,
                recordsEnd,
                scanner.nextOffset(),
                watermark,
                watermarkOffset,
                sealed,
                closed,
                marks > 1,
                stopReason,
                tail);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
