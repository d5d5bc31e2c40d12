package io.plog.log.file;

import java.nio.ByteBuffer;

/**
 * Marks, closing marks and seals. Each is written twice: directly behind the last record, and again at the beginning of
 * the next block of 4096 bytes. So the loss of any one sector or block cannot take a record <em>and</em> the statement
 * that it was durable.
 */
public final class ControlRecords {
    /** No pair is longer than this, wherever it begins and however it is aligned. */
    public static final int MOST_BYTES = 3 * SegmentHeader.BLOCK_BYTES;

    /** What is kept free at the end of a segment: a mark and a seal always fit behind the last record. */
    public static final int RESERVE_BYTES = 2 * MOST_BYTES;

    /** What no writer goes beyond at the end of a segment with something of this type, in bytes. */
    public static int leastFreeBehind(int type) {
        return switch (type) {
            case RecordHeader.DATA -> RESERVE_BYTES;
            case RecordHeader.MARK, RecordHeader.CLOSE -> MOST_BYTES;
            default -> 0;
        };
    }

    private ControlRecords() {}

    /**
     * Puts a pair at the buffer's position.
     *
     * @param position where in the file the pair will stand
     * @param nextIndex the index that the next record of the caller's will have
     * @param durable every record up to this index is durable
     * @param alignment the pair ends at a multiple of this, a power of two
     */
    public static void encodePair(
            ByteBuffer target,
            RecordHeader header,
            int type,
            long nextIndex,
            long durable,
            long epoch,
            long position,
            int alignment) {
        header.type = type;
        header.length = 0;
        header.payloadCrc = 0;
        header.index = nextIndex;
        header.watermark = durable;
        long second = secondCopyAt(position);
        encodeOne(target, header, epoch, position, second);
        long end = RecordHeader.align(second + RecordHeader.BYTES, alignment);
        encodeOne(target, header, epoch, second, end);
    }

    /** Where in the file the second of a pair stands, if the first one does at {@code position}. */
    public static long secondCopyAt(long position) {
        return RecordHeader.align(position + RecordHeader.BYTES, SegmentHeader.BLOCK_BYTES);
    }

    private static void encodeOne(ByteBuffer target, RecordHeader header, long epoch, long from, long to) {
        header.padding = (int) (to - from - RecordHeader.BYTES);
        header.encode(target, epoch);
        Zeros.put(target, header.padding);
    }
}
