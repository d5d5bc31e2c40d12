package io.plog.log.file;

import java.nio.ByteBuffer;

/**
 * The last 32 bytes of each write of records: a header of a type of its own with the index of the last record that was written.
 * It stands in another sector than that record's header, so no single bad sector takes the last record of a log and all that
 * says that there was one. It is no record: it stands in the padding of the last one, or behind it where the next write goes over it.
 */
public final class Trailer {
    /** Devices lose at least this much at once. */
    static final int SECTOR_BYTES = 512;

    /** A write goes at most so far beyond its last record. */
    public static final int MOST_BYTES = SegmentHeader.BLOCK_BYTES + SECTOR_BYTES;

    private Trailer() {}

    /**
     * Where a write ends, at a multiple of a block; its trailer ends there, too.
     *
     * @param headerEnd where the header of its last record ends, in bytes from the start of the file
     * @param recordEnd where that record ends
     */
    public static long endOfWrite(long headerEnd, long recordEnd) {
        return RecordHeader.align(
                Math.max(recordEnd + RecordHeader.BYTES, headerEnd + SECTOR_BYTES), SegmentHeader.BLOCK_BYTES);
    }

    /**
     * Puts a trailer over the last bytes before the buffer's position.
     *
     * @param header carries the watermark
     */
    public static void put(ByteBuffer write, RecordHeader header, long lastIndex, long epoch) {
        header.type = RecordHeader.TRAILER;
        header.padding = 0;
        header.length = 0;
        header.payloadCrc = 0;
        header.index = lastIndex;
        header.encode(write.position(write.position() - RecordHeader.BYTES), epoch);
    }
}
