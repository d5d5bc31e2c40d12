package io.plog.fuzz;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/** The bytes of a log's files, written from docs/log-format.md and none of the code that reads them. */
final class LogBytes {
    static final int SEGMENT_BYTES = 64 * 1024;
    static final int FIRST_RECORD = 4_096;
    static final int RECORD_HEADER_BYTES = 32;
    static final int HEADER_BYTES = 64; // of a head, a segment and a checkpoint

    private static final long HEAD = 0x504C4F4748454144L;
    private static final long SEGMENT = 0x504C4F4753454731L;
    private static final long CHECKPOINT = 0x504C4F47434B5054L;
    private static final long LOG_ID_HIGH = 0x0123456789ABCDEFL;
    private static final long LOG_ID_LOW = 0xFEDCBA9876543210L;

    private LogBytes() {}

    static String segmentName(long number) {
        return String.format(Locale.ROOT, "%020d.seg", number);
    }

    static long epoch(long segment) {
        return 0x1122334455667700L + segment;
    }

    static byte[] head(long firstSegment, long firstIndex, long checkpoint) {
        byte[] head = new byte[HEADER_BYTES];
        start(head, HEAD, 0).putLong(firstSegment).putLong(firstIndex).putLong(checkpoint);
        fixCheck(head);
        return head;
    }

    static byte[] checkpoint(long index, byte[] state) {
        byte[] file = new byte[HEADER_BYTES + state.length];
        start(file, CHECKPOINT, 0).putLong(index).putLong(state.length).putInt(crc(state, 0, state.length));
        System.arraycopy(state, 0, file, HEADER_BYTES, state.length);
        fixCheck(file);
        return file;
    }

    static byte[] segment(long number) {
        return segment(0, number, epoch(number), SEGMENT_BYTES);
    }

    /** A segment of zeros with this header; {@code otherLog} is 0 for the log that the others belong to. */
    static byte[] segment(int otherLog, long number, long epoch, long segmentBytes) {
        byte[] segment = new byte[SEGMENT_BYTES];
        start(segment, SEGMENT, otherLog).putLong(number).putLong(epoch).putLong(segmentBytes);
        fixCheck(segment);
        return segment;
    }

    private static ByteBuffer start(byte[] file, long magic, int otherLog) {
        return ByteBuffer.wrap(file)
                .putLong(magic)
                .putInt(1)
                .putInt(0)
                .putLong(LOG_ID_HIGH)
                .putLong(LOG_ID_LOW + otherLog);
    }

    /** Makes the check of a file's header right. */
    static void fixCheck(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file).putInt(12, 0);
        bytes.putInt(12, crc(file, 0, HEADER_BYTES));
    }

    /** Puts a record's header around the payload that is there already; both checks are right. */
    static void record(
            byte[] segment, int at, long epoch, int type, int padding, int length, long index, long watermark) {
        int there = Math.max(0, Math.min(length, segment.length - at - RECORD_HEADER_BYTES));
        ByteBuffer.wrap(segment)
                .position(at + 4)
                .put((byte) type)
                .put((byte) 0)
                .putShort((short) padding)
                .putInt(length)
                .putInt(crc(segment, at + RECORD_HEADER_BYTES, there))
                .putLong(index)
                .putInt(watermark == 0 ? 0 : (int) (index - watermark))
                .putInt((int) (epoch >>> Integer.SIZE));
        fixRecordCheck(segment, at, epoch);
    }

    static void fixRecordCheck(byte[] segment, int at, long epoch) {
        byte[] covered = new byte[Long.BYTES + RECORD_HEADER_BYTES - 4];
        ByteBuffer.wrap(covered).putLong(epoch).put(segment, at + 4, RECORD_HEADER_BYTES - 4);
        ByteBuffer.wrap(segment).putInt(at, crc(covered, 0, covered.length));
    }

    static int align(int value, int alignment) {
        return (value + alignment - 1) / alignment * alignment;
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
