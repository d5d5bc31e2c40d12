package io.plog.log.segment;

import io.plog.log.file.ControlRecords;
import io.plog.log.file.Payload;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.Trailer;
import io.plog.log.file.Zeros;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Lays a batch out and writes it with one call: what one lane needs for that, used again and again.
 *
 * <p>Everything is copied into one aligned buffer of the log's own and checked as it is copied, so nothing that a caller does
 * to its buffers meanwhile reaches the disk. Whole blocks are written: a write begins with what its first block holds already
 * and is filled up with zeros to the end of its last, where the {@link Trailer} stands. Writes around the page cache need that. Through the page cache it spares
 * reading a block of which only a part is written; and in a segment that is used again it overwrites what an earlier life left
 * in the last block.
 */
public final class SegmentWriter implements Closeable {
    private static final int BLOCK_BYTES = SegmentHeader.BLOCK_BYTES;

    /** What a log that begins small has for a batch, until one needs more. */
    private static final int LEAST_BYTES = 16 * 1024;

    private final Force force;
    private final int mostRecords;
    private ByteBuffer staging;
    private final RecordHeader header = new RecordHeader();

    private CheckedCopy copy;
    private ByteBuffer[] written; // the staging buffer once more, for the write

    private long epoch;
    private long at; // where in the file the next thing goes
    private long writeAt; // where in the file the staging buffer begins
    private long nextIndex;
    private RecordPlaces places = new RecordPlaces(0);
    private int headerAt = -1; // where in the staging buffer the header of the record added last goes, -1 for none

    private SegmentFile file;

    /**
     * @param file the active segment, opened as {@link Force#access} says, for this writer alone
     */
    SegmentWriter(SegmentFile file, SegmentOptions options) {
        this.file = file;
        this.force = options.force();
        this.mostRecords = options.mostRecords();
        int overhead = SegmentOptions.MOST_RECORDS * (RecordHeader.BYTES + RecordHeader.ALIGNMENT);
        // A log that begins small takes memory as it is needed; any other has all of it before it is open.
        use(options.firstBytes() < options.mostBytes() ? LEAST_BYTES : options.batchBytes() + overhead);
    }

    private void use(long bytes) {
        long capacity = RecordHeader.align(bytes + ControlRecords.MOST_BYTES, BLOCK_BYTES) + 4 * BLOCK_BYTES;
        staging = ByteBuffer.allocateDirect(Math.toIntExact(capacity)).alignedSlice(BLOCK_BYTES);
        copy = new CheckedCopy(staging);
        written = new ByteBuffer[] {staging.duplicate()};
    }

    /** Makes the buffer so large that so many bytes more fit into it, and what may follow them. */
    private void makeRoom(long bytes) {
        long needed = staging.position() + RecordHeader.ALIGNMENT + bytes + ControlRecords.MOST_BYTES + 2 * BLOCK_BYTES;
        if (needed > staging.capacity()) {
            ByteBuffer before = staging;
            use(2 * needed);
            staging.put(before.flip());
        }
    }

    /** The most appends that a batch may have. */
    public int mostRecords() {
        return mostRecords;
    }

    /**
     * Begins to lay something out for {@link #write}.
     *
     * @param epoch the segment's
     * @param position where in the file it goes
     * @param firstBlock what the block of this position holds before it
     */
    void begin(long epoch, long position, ByteBuffer firstBlock) {
        staging.clear();
        headerAt = -1;
        this.epoch = epoch;
        at = position;
        int before = (int) (position % BLOCK_BYTES);
        writeAt = position - before;
        staging.put(firstBlock.clear().limit(before));
    }

    /** Says which index the first record has that is added, what each says to be durable, and who notes where they begin. */
    void number(long firstIndex, long watermark, RecordPlaces segmentPlaces) {
        nextIndex = firstIndex;
        places = segmentPlaces;
        header.watermark = watermark;
    }

    /**
     * Adds a record behind those that were added before, unless it changed since its check was computed.
     *
     * @return null if it was added; otherwise why not, and nothing was changed
     */
    public LogRefusedException.@Nullable RecordChanged add(Payload payload) {
        makeRoom(RecordHeader.encodedBytes(payload.length));
        LogRefusedException.@Nullable RecordChanged changed = copy.copy(payload, nextPayloadAt());
        if (changed == null) {
            include(payload.length, payload.crc);
        }
        return changed;
    }

    /** Adds all records of a list, or none: the first is only included when the last was copied. */
    public LogRefusedException.@Nullable RecordChanged add(RecordList list) {
        makeRoom(list.space);
        int payloadAt = nextPayloadAt();
        Payload part = new Payload();
        for (int i = 0; i < list.parts.length; i++) {
            part.set(list.parts[i], null, list.positions[i], list.lengths[i], list.crcs[i]);
            LogRefusedException.@Nullable RecordChanged changed = copy.copy(part, payloadAt);
            if (changed != null) {
                return changed;
            }
            payloadAt += (int) RecordHeader.encodedBytes(list.lengths[i]);
        }
        for (int i = 0; i < list.parts.length; i++) {
            include(list.lengths[i], list.crcs[i]);
        }
        return null;
    }

    /** Where in the staging buffer the payload of the next record goes. */
    private int nextPayloadAt() {
        int padding = headerAt < 0 ? 0 : (int) (RecordHeader.align(at, RecordHeader.ALIGNMENT) - at);
        return staging.position() + padding + RecordHeader.BYTES;
    }

    /** Adds a record whose payload is in its place. */
    private void include(int length, int payloadCrc) {
        endWithPadding(RecordHeader.align(at, RecordHeader.ALIGNMENT));
        header.type = RecordHeader.DATA;
        header.length = length;
        header.payloadCrc = payloadCrc;
        places.note(nextIndex, at);
        header.index = nextIndex++;
        headerAt = staging.position(); // it is known when its padding is
        staging.position(headerAt + RecordHeader.BYTES + length);
        at += RecordHeader.BYTES + length;
    }

    /** Pads the record added last, if there is one, and completes its header. */
    private void endWithPadding(long end) {
        if (headerAt >= 0) {
            header.padding = (int) (end - at);
            Zeros.put(staging, header.padding);
            int position = staging.position();
            header.encode(staging.position(headerAt), epoch);
            staging.position(position);
            headerAt = -1;
            at = end;
        }
    }

    /**
     * Ends what is laid out after the record that was added last, with a {@link Trailer}.
     *
     * @param padded whether nothing else may go into the blocks of this write: then the last record is padded to its end
     * @return where in the file the last record ends
     */
    long finish(boolean padded) {
        long end = RecordHeader.align(at, RecordHeader.ALIGNMENT);
        long endOfWrite = Trailer.endOfWrite(writeAt + headerAt + RecordHeader.BYTES, end);
        boolean fills = endOfWrite - end == RecordHeader.BYTES; // the next write would go over the trailer alone
        endWithPadding(padded || fills ? endOfWrite : end);
        Zeros.put(staging, (int) (endOfWrite - at));
        Trailer.put(staging, header, nextIndex - 1, epoch);
        return at;
    }

    /** Where in the file the write ends: behind the last record, if it is not padded up to there. */
    long endOfWrite() {
        return writeAt + staging.position();
    }

    /** Adds a seal behind records that are {@link #finish finished} and padded. It carries their watermark. */
    long addSeal(int alignment) {
        return addControl(RecordHeader.SEAL, nextIndex, header.watermark, alignment);
    }

    /** Lays a mark, a closing mark or a seal out, and nothing else. Force it, or it says nothing. */
    long addControl(int type, long nextIndex, long durable, int alignment) {
        int from = staging.position();
        ControlRecords.encodePair(staging, header, type, nextIndex, durable, epoch, at, alignment);
        at += staging.position() - from;
        Zeros.put(staging, (int) (RecordHeader.align(at, BLOCK_BYTES) - at));
        return at;
    }

    /** Copies what the last block holds before its end, for the writer that continues there. */
    void copyLastBlock(long end, ByteBuffer target) {
        int used = (int) (end % BLOCK_BYTES);
        target.clear();
        target.put(0, staging, (int) (end - used - writeAt), used);
    }

    /** Writes what was laid out. */
    public void write() throws IOException {
        written[0].limit(staging.position()).position(0);
        file.write(written, 1, writeAt);
    }

    /** Whether {@link #force} does anything. */
    public boolean callsForce() {
        return force.callsForce();
    }

    /** Makes what was written stable, where the write itself did not. {@link #checkClaim} has to follow. */
    public void force() throws IOException {
        file.force(force);
    }

    /** Makes what was written to this segment stable, whatever the way of forcing. {@link #checkClaim} has to follow. */
    void forceAlways() throws IOException {
        file.forceData();
    }

    /**
     * Looks whether the log is still this writer's, after a force.
     *
     * @throws LogLockedException if another writer has the log now; what was written must not be acknowledged
     */
    public void checkClaim() throws IOException {
        file.checkClaim();
    }

    /** Continues in another segment; returns the file of the one before, still open. */
    SegmentFile changeTo(SegmentFile next) {
        SegmentFile before = file;
        file = next;
        return before;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
