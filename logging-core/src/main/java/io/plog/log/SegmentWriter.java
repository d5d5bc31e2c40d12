package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes records to the active segment, each batch in one gathered write, and forces it. Owned by the log's thread.
 *
 * <p>Headers and small payloads are put into one direct buffer; a large direct payload goes to the file from where it lies.
 * With {@code force=direct} everything is put into the buffer, which is aligned, and each batch ends at a block boundary:
 * a block that holds a durable record is never written again.
 */
final class SegmentWriter implements Closeable {
    /** Below this, copying a payload costs less than handing the kernel one buffer more. */
    private static final int GATHER_BYTES = 16 * 1024;

    /** What is kept free at the end of a segment: a mark and a seal always fit behind the last record. */
    static final int RESERVE_BYTES = 2 * ControlRecords.MOST_BYTES;

    private final Force force;
    private final int alignment;
    private final ByteBuffer staging;
    private final RecordHeader header = new RecordHeader();

    // The pieces of the write being prepared: stretches of the staging buffer and callers' payloads, in file order.
    private ByteBuffer[] pieces = new ByteBuffer[16];
    private ByteBuffer[] views = new ByteBuffer[0];
    private int pieceCount;
    private int viewCount;
    private int pieceStart;

    private StorageFile file;
    private SegmentHeader segment;
    private long position;

    /**
     * @param position where the next record goes
     * @param maxBatchBytes the largest payload of a batch
     */
    SegmentWriter(StorageFile file, SegmentHeader segment, long position, Force force, int maxBatchBytes) {
        this.file = file;
        this.segment = segment;
        this.position = position;
        this.force = force;
        this.alignment = alignmentOf(force);
        int overhead = Batch.MOST_RECORDS * (RecordHeader.BYTES + RecordHeader.ALIGNMENT);
        int capacity = (int) RecordHeader.align(
                (long) maxBatchBytes + overhead + alignment + ControlRecords.MOST_BYTES, SegmentHeader.BLOCK_BYTES);
        this.staging =
                ByteBuffer.allocateDirect(capacity + SegmentHeader.BLOCK_BYTES).alignedSlice(SegmentHeader.BLOCK_BYTES);
    }

    /** At multiples of how many bytes a batch ends. */
    static int alignmentOf(Force force) {
        return force == Force.DIRECT ? SegmentHeader.BLOCK_BYTES : RecordHeader.ALIGNMENT;
    }

    /** How segments are opened for this way of forcing. */
    static Storage.Access accessFor(Force force) {
        return switch (force) {
            case DSYNC -> Storage.Access.WRITE_DSYNC;
            case DIRECT -> Storage.Access.WRITE_DIRECT;
            default -> Storage.Access.WRITE;
        };
    }

    /** Bytes left for records, padding at the end of a batch taken off. */
    long room() {
        return segment.segmentBytes() - RESERVE_BYTES - position - (alignment - RecordHeader.ALIGNMENT);
    }

    SegmentHeader segment() {
        return segment;
    }

    /**
     * Lays out a batch for {@link #write}. Gives every append its index.
     *
     * @return the bytes that will be written
     */
    long encode(Batch batch, long firstIndex, long watermark) {
        begin();
        long at = position;
        int count = batch.count();
        for (int i = 0; i < count; i++) {
            Append append = batch.get(i);
            append.index = firstIndex + i;
            long end = at + RecordHeader.BYTES + append.payloadBytes;
            long next = RecordHeader.align(end, i == count - 1 ? alignment : RecordHeader.ALIGNMENT);
            header.type = RecordHeader.DATA;
            header.flags = 0;
            header.padding = (int) (next - end);
            header.length = append.payloadBytes;
            header.payloadCrc = append.payloadCrc;
            header.index = append.index;
            header.watermark = watermark;
            header.encode(staging, segment.epoch());
            putPayload(append);
            ControlRecords.putZeros(staging, header.padding);
            at = next;
        }
        endPiece();
        return at - position;
    }

    private void putPayload(Append append) {
        ByteBuffer[] payload = append.payload;
        if (payload == null) {
            throw new IllegalStateException("append without a payload");
        }
        for (ByteBuffer part : payload) {
            if (part.remaining() >= GATHER_BYTES && part.isDirect() && force != Force.DIRECT) {
                endPiece();
                addPiece(part);
            } else {
                staging.put(part);
            }
        }
    }

    private void begin() {
        staging.clear();
        pieceCount = 0;
        viewCount = 0;
        pieceStart = 0;
    }

    /** Closes the stretch of the staging buffer that was filled since the last piece. */
    private void endPiece() {
        int end = staging.position();
        if (end > pieceStart) {
            if (viewCount == views.length) {
                views = Arrays.copyOf(views, Math.max(16, viewCount * 2));
                for (int i = viewCount; i < views.length; i++) {
                    views[i] = staging.duplicate();
                }
            }
            ByteBuffer view = views[viewCount++];
            view.limit(end).position(pieceStart);
            addPiece(view);
            pieceStart = end;
        }
    }

    private void addPiece(ByteBuffer piece) {
        if (pieceCount == pieces.length) {
            pieces = Arrays.copyOf(pieces, pieceCount * 2);
        }
        pieces[pieceCount++] = piece;
    }

    /** Writes what was laid out. */
    void write(long bytes) throws IOException {
        Writes.fully(file, pieces, pieceCount, position);
        position += bytes;
    }

    /** Makes what was written stable, where the write itself did not. */
    void force() throws IOException {
        switch (force) {
            case FDATASYNC -> file.force(false);
            case FSYNC -> file.force(true);
            case OFF, WRITE, DSYNC, DIRECT -> {
                // WRITE promises no more than the operating system; DSYNC and DIRECT returned when it was stable.
            }
        }
    }

    /** Whether there is room for a mark that still leaves room for a seal. */
    boolean hasRoomForMark() {
        return position + 2L * ControlRecords.MOST_BYTES <= segment.segmentBytes();
    }

    /** Writes a mark, a closing mark or a seal. Force it, or it says nothing. */
    void control(int type, long nextIndex, long durable) throws IOException {
        begin();
        ControlRecords.encodePair(staging, header, type, nextIndex, durable, segment.epoch(), position, alignment);
        endPiece();
        int bytes = staging.position();
        write(bytes);
    }

    /** Makes what was written to this segment stable, whatever the way of forcing. */
    void forceAlways() throws IOException {
        file.force(false);
    }

    /** Goes on in another, empty segment; returns the file of the one before, still open. */
    StorageFile changeTo(StorageFile nextFile, SegmentHeader next) {
        StorageFile before = file;
        file = nextFile;
        segment = next;
        position = SegmentHeader.BLOCK_BYTES;
        return before;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
