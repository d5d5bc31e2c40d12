package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Lays a batch out and writes it with one call: what one lane needs for that, used again and again.
 *
 * <p>There are two ways. <em>Whole blocks</em> ({@code fdatasync}, {@code direct}): everything is put into one aligned buffer
 * that goes around the page cache, beginning with what the first block holds already and filled up with zeros to the end of
 * the last. <em>Gathered</em> (the others): headers and small payloads are put into the buffer; a large direct payload goes
 * to the file from where it lies.
 */
final class SegmentWriter implements Closeable {
    /** Below this, copying a payload costs less than handing the kernel one buffer more. */
    private static final int GATHER_BYTES = 16 * 1024;

    private static final int BLOCK_BYTES = SegmentHeader.BLOCK_BYTES;

    /** What is kept free at the end of a segment: a mark and a seal always fit behind the last record. */
    static final int RESERVE_BYTES = 2 * ControlRecords.MOST_BYTES;

    private final Force force;
    private final boolean wholeBlocks;
    private final ByteBuffer staging;
    private final RecordHeader header = new RecordHeader();

    // What is laid out: stretches of the staging buffer and callers' payloads, in file order.
    private ByteBuffer[] pieces = new ByteBuffer[16];
    private ByteBuffer[] views = new ByteBuffer[0];
    private int pieceCount;
    private int viewCount;
    private int pieceStart;
    private long writeAt; // where the first piece goes
    private long blockStart; // with whole blocks: where in the file the staging buffer begins

    private StorageFile file;

    /**
     * @param file the active segment, opened as {@link #accessFor} says, by this writer alone
     * @param maxBatchBytes the largest payload of a batch
     */
    SegmentWriter(StorageFile file, Force force, int maxBatchBytes) {
        this.file = file;
        this.force = force;
        this.wholeBlocks = writesWholeBlocks(force);
        int overhead = Batch.MOST_RECORDS * (RecordHeader.BYTES + RecordHeader.ALIGNMENT);
        int capacity =
                (int) RecordHeader.align((long) maxBatchBytes + overhead + ControlRecords.MOST_BYTES, BLOCK_BYTES);
        this.staging = ByteBuffer.allocateDirect(capacity + 3 * BLOCK_BYTES).alignedSlice(BLOCK_BYTES);
    }

    /** At multiples of how many bytes each batch ends. */
    static int alignmentOf(Force force) {
        return force == Force.DIRECT ? BLOCK_BYTES : RecordHeader.ALIGNMENT;
    }

    /** Whether writes begin and end at multiples of a block, wherever records do. */
    static boolean writesWholeBlocks(Force force) {
        return force == Force.DIRECT || force == Force.FDATASYNC;
    }

    /** How segments are opened for this way of forcing. */
    static Storage.Access accessFor(Force force) {
        return switch (force) {
            case DSYNC -> Storage.Access.WRITE_DSYNC;
            case DIRECT -> Storage.Access.WRITE_DIRECT;
            case FDATASYNC -> Storage.Access.WRITE_UNCACHED;
            case OFF, WRITE, FSYNC -> Storage.Access.WRITE;
        };
    }

    /**
     * Lays a batch out for {@link #write}.
     *
     * @param place where the batch goes
     * @param watermark what each record says to be durable
     * @param alignment the batch ends at a multiple of this
     * @return where in the file it ends
     */
    long layOut(Batch batch, AppendQueue queue, Place place, long watermark, int alignment) {
        begin(place);
        long at = place.position();
        int count = batch.count;
        for (int i = 0; i < count; i++) {
            long number = batch.firstNumber + i;
            int length = queue.length(number);
            long end = at + RecordHeader.BYTES + length;
            long next = RecordHeader.align(end, i == count - 1 ? alignment : RecordHeader.ALIGNMENT);
            header.type = RecordHeader.DATA;
            header.flags = 0;
            header.padding = (int) (next - end);
            header.length = length;
            header.payloadCrc = queue.crc(number);
            header.index = batch.firstIndex + i;
            header.watermark = watermark;
            header.encode(staging, place.segment().epoch());
            putPayload(queue.payload(number));
            ControlRecords.putZeros(staging, header.padding);
            at = next;
        }
        end(at);
        return at;
    }

    /** Lays a mark, a closing mark or a seal out. Force it, or it says nothing. */
    long layOutControl(int type, Place place, long nextIndex, long durable, int alignment) {
        begin(place);
        int from = staging.position();
        ControlRecords.encodePair(
                staging, header, type, nextIndex, durable, place.segment().epoch(), place.position(), alignment);
        long at = place.position() + staging.position() - from;
        end(at);
        return at;
    }

    /**
     * Where something is laid out.
     *
     * @param firstBlock with whole blocks: what the block of this position holds before it
     */
    record Place(SegmentHeader segment, long position, ByteBuffer firstBlock) {}

    private void begin(Place place) {
        staging.clear();
        pieceCount = 0;
        viewCount = 0;
        pieceStart = 0;
        writeAt = place.position();
        if (wholeBlocks) {
            int before = (int) (place.position() % BLOCK_BYTES);
            writeAt -= before;
            staging.put(place.firstBlock().clear().limit(before));
        }
        blockStart = writeAt;
    }

    private void end(long at) {
        if (wholeBlocks) {
            ControlRecords.putZeros(staging, (int) (RecordHeader.align(at, BLOCK_BYTES) - at));
        }
        endPiece();
    }

    /** With whole blocks: copies what the last block holds before its end, for whoever goes on there. */
    void copyLastBlock(long end, ByteBuffer target) {
        int used = (int) (end % BLOCK_BYTES);
        target.clear();
        target.put(0, staging, (int) (end - used - blockStart), used);
    }

    private void putPayload(Object payload) {
        if (payload instanceof ByteBuffer one) {
            putPart(one);
        } else {
            for (ByteBuffer part : (ByteBuffer[]) payload) {
                putPart(part);
            }
        }
    }

    private void putPart(ByteBuffer part) {
        if (!wholeBlocks && part.remaining() >= GATHER_BYTES && part.isDirect()) {
            endPiece();
            addPiece(part);
        } else {
            staging.put(part);
        }
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
    void write() throws IOException {
        Writes.fully(file, pieces, pieceCount, writeAt);
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

    /** Makes what was written to this segment stable, whatever the way of forcing. */
    void forceAlways() throws IOException {
        file.force(false);
    }

    /** Goes on in another segment; returns the file of the one before, still open. */
    StorageFile changeTo(StorageFile next) {
        StorageFile before = file;
        file = next;
        return before;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
