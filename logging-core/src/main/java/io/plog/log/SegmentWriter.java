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
    private long epoch;
    private long at; // where in the file the next thing goes
    private long writeAt; // where the first piece goes; with whole blocks, where the staging buffer begins
    private long nextIndex;
    private int headerAt = -1; // where in the staging buffer the header of the record added last goes, -1 for none

    private SegmentFile file;

    /**
     * @param file the active segment, opened as {@link Storage.Access#forAppends} says, for this writer alone
     * @param maxBatchBytes the largest payload of a batch
     */
    SegmentWriter(SegmentFile file, Force force, int maxBatchBytes) {
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
        return Storage.Access.forAppends(force).writesWholeBlocks();
    }

    /**
     * Begins to lay something out for {@link #write}.
     *
     * @param epoch the segment's
     * @param position where in the file it goes
     * @param firstBlock with whole blocks: what the block of this position holds before it
     */
    void begin(long epoch, long position, ByteBuffer firstBlock) {
        staging.clear();
        pieceCount = 0;
        viewCount = 0;
        pieceStart = 0;
        headerAt = -1;
        this.epoch = epoch;
        at = position;
        writeAt = position;
        if (wholeBlocks) {
            int before = (int) (position % BLOCK_BYTES);
            writeAt -= before;
            staging.put(firstBlock.clear().limit(before));
        }
    }

    /** Says which index the first record has that is added, and what each says to be durable. */
    void number(long firstIndex, long watermark) {
        nextIndex = firstIndex;
        header.watermark = watermark;
    }

    /**
     * Adds a record behind those that were added before.
     *
     * @param payload a {@link ByteBuffer}, or an array of them
     */
    void add(int length, int payloadCrc, Object payload) {
        endWithPadding(RecordHeader.ALIGNMENT);
        header.type = RecordHeader.DATA;
        header.flags = 0;
        header.length = length;
        header.payloadCrc = payloadCrc;
        header.index = nextIndex++;
        headerAt = staging.position();
        staging.position(headerAt + RecordHeader.BYTES); // it is known when its padding is
        if (payload instanceof ByteBuffer one) {
            putPart(one);
        } else {
            for (ByteBuffer part : (ByteBuffer[]) payload) {
                putPart(part);
            }
        }
        at += RecordHeader.BYTES + length;
    }

    /** Pads the record added last, if there is one, and completes its header. */
    private void endWithPadding(int alignment) {
        if (headerAt >= 0) {
            long end = RecordHeader.align(at, alignment);
            header.padding = (int) (end - at);
            ControlRecords.putZeros(staging, header.padding);
            int position = staging.position();
            header.encode(staging.position(headerAt), epoch);
            staging.position(position);
            headerAt = -1;
            at = end;
        }
    }

    /**
     * Ends what is laid out after the record that was added last.
     *
     * @param alignment it ends at a multiple of this
     * @return where in the file it ends
     */
    long finish(int alignment) {
        endWithPadding(alignment);
        if (wholeBlocks) {
            ControlRecords.putZeros(staging, (int) (RecordHeader.align(at, BLOCK_BYTES) - at));
        }
        endPiece();
        return at;
    }

    /** Lays a mark, a closing mark or a seal out, and nothing else. Force it, or it says nothing. */
    long addControl(int type, long nextIndex, long durable, int alignment) {
        int from = staging.position();
        ControlRecords.encodePair(staging, header, type, nextIndex, durable, epoch, at, alignment);
        at += staging.position() - from;
        return finish(alignment);
    }

    /** With whole blocks: copies what the last block holds before its end, for whoever goes on there. */
    void copyLastBlock(long end, ByteBuffer target) {
        int used = (int) (end % BLOCK_BYTES);
        target.clear();
        target.put(0, staging, (int) (end - used - writeAt), used);
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
        file.write(pieces, pieceCount, writeAt);
    }

    /**
     * Makes what was written stable, where the write itself did not.
     *
     * @throws LogLockedException if another writer has the log now; what was written must not be acknowledged
     */
    void force() throws IOException {
        switch (force) {
            case FDATASYNC -> file.force(false);
            case FSYNC -> file.force(true);
            case OFF, WRITE, DSYNC, DIRECT -> {
                // WRITE promises no more than the operating system; DSYNC and DIRECT returned when it was stable.
            }
        }
        file.checkClaim();
    }

    /** Makes what was written to this segment stable, whatever the way of forcing. */
    void forceAlways() throws IOException {
        file.force(false);
        file.checkClaim();
    }

    /** Goes on in another segment; returns the file of the one before, still open. */
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
