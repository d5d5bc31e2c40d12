package io.plog.log.segment;

import io.plog.log.file.ControlRecords;
import io.plog.log.file.FileWindow;
import io.plog.log.file.ReadAround;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Goes through the records of one segment from its beginning, as long as each is valid and follows the one before: with
 * the next index, or, in a striped log, of which other directories hold the records between, with a higher one. Where it
 * stops, it says why; what that means is decided elsewhere ({@link LogAnalysis}). Not thread-safe.
 */
public final class SegmentScanner {
    private final Storage.FileHandle file;
    private final SegmentLinks.Link segment;
    private final SegmentHeader header;
    private final FileWindow window;
    private final RecordHeader record = new RecordHeader();
    private final long limit;

    private long offset = -1;
    private long nextOffset = SegmentHeader.BLOCK_BYTES;
    private long expectedIndex;
    private String stopReason = "";
    private boolean stoppedAtEnd;

    /**
     * @param firstIndex the index that the first record must have; in a striped log, at least
     * @param limit where to stop in any case, in bytes from the start of the file
     */
    public SegmentScanner(
            Storage.FileHandle file, SegmentHeader header, FileWindow window, long firstIndex, long limit) {
        this(file, new SegmentLinks.Link(header, firstIndex, limit), window);
    }

    /** Stops at the segment's end, and notes its places on the way. */
    public SegmentScanner(Storage.FileHandle file, SegmentLinks.Link segment, FileWindow window) {
        this.file = file;
        this.segment = segment;
        this.header = segment.header();
        this.window = window;
        this.expectedIndex = segment.firstIndex();
        this.limit = segment.end();
        window.reset(FileWindow.MOST_AHEAD_BYTES);
    }

    /** Goes on from the last known place before a record, or stays if it comes next or is nearer from here. */
    void approach(long index) {
        RecordPlaces places = segment.places();
        int place = places.before(index);
        long at = place < 0 ? SegmentHeader.BLOCK_BYTES : places.offset(place);
        if (index < expectedIndex || at > nextOffset || offset < 0) {
            nextOffset = at;
            expectedIndex = place < 0 ? segment.firstIndex() : places.index(place);
            window.reset(place < 0 ? FileWindow.MOST_AHEAD_BYTES : places.bytesFrom(place));
        }
    }

    /** Begins with the record at this offset, which is to have the first index. */
    void startAt(long first) {
        nextOffset = first;
    }

    /** Goes to the next valid record; {@code false} if there is none, and then {@link #stopReason} says why. */
    public boolean next() throws IOException {
        return next(0);
    }

    /** Goes to the next valid record. The payload of a record before this index is skipped and not checked. */
    public boolean next(long wanted) throws IOException {
        long at = nextOffset;
        if (at + RecordHeader.BYTES > limit) {
            return stop("the end of the segment");
        }
        if (window.require(file, at, RecordHeader.BYTES) < RecordHeader.BYTES) {
            return stop("the end of the file");
        }
        boolean valid = record.decode(window.buffer(), window.at(at), header.epoch());
        if (!valid) {
            stoppedAtEnd = RecordHeader.isZero(window.buffer(), window.at(at));
            return stop(stoppedAtEnd ? "zeros" : "bytes that are no valid record header (read as " + record + ")");
        }
        if (record.type == RecordHeader.TRAILER) {
            stoppedAtEnd = record.index < expectedIndex;
            return stop("the trailer of record " + record.index);
        }
        long total = record.totalBytes();
        if (record.index < expectedIndex
                || (record.index > expectedIndex && !header.stripe().isStriped())) {
            return stop("a record with index " + record.index);
        }
        if (!record.isAligned() || at + total > Math.min(limit, endOfRoom())) {
            return stop("a record of " + total + " bytes, which does not fit");
        }
        if (record.index >= wanted && !isPayloadRight(at)) {
            return false;
        }
        offset = at;
        nextOffset = at + total;
        expectedIndex = record.isData() ? record.index + 1 : record.index;
        if (record.isData()) {
            segment.places().note(record.index, at);
        }
        return true;
    }

    private boolean isPayloadRight(long at) throws IOException {
        if (window.require(file, at, RecordHeader.BYTES + record.length) < RecordHeader.BYTES + record.length) {
            return stop("the end of the file within the payload");
        }
        int computed = window.crcOf(at + RecordHeader.BYTES, record.length);
        if (computed != record.payloadCrc) {
            return stop(
                    String.format(Locale.ROOT, "a payload of %d bytes that gives crc %08x", record.length, computed));
        }
        return true;
    }

    /** No writer goes further: what has to follow would not fit, and a full segment could not be distinguished from a cut one. */
    private long endOfRoom() {
        return header.segmentBytes() - ControlRecords.leastFreeBehind(record.type);
    }

    private boolean stop(String reason) {
        stopReason = reason;
        return false;
    }

    /** The record found last. Valid until the next {@link #next}. */
    public RecordHeader record() {
        return record;
    }

    /** The payload of the record found last, read-only. Valid until the next {@link #next}. */
    public ByteBuffer payload() {
        return window.slice(offset + RecordHeader.BYTES, record.length);
    }

    /** Where the record found last begins. */
    public long offset() {
        return offset;
    }

    /** Where the next record must begin: the end of what is valid so far. */
    long nextOffset() {
        return nextOffset;
    }

    /** The index that the next record of the caller's must have; in a striped log, at least. */
    long expectedIndex() {
        return expectedIndex;
    }

    /** What was found where the next record should be. */
    String stopReason() {
        return lost().isEmpty() ? stopReason : lost();
    }

    /** What of the next record the disk cannot read: nobody knows what that was. */
    String lost() {
        long bytes = (long) RecordHeader.BYTES + (stoppedAtEnd ? 0 : Math.max(0, record.length));
        return ReadAround.lostIn(file, nextOffset, nextOffset + bytes);
    }

    /** Whether the scan stopped at a header of zeros or at the trailer of what was read, which is how a log ends. */
    boolean stoppedAtEnd() {
        return stoppedAtEnd;
    }
}
