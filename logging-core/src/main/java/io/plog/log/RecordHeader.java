package io.plog.log;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The 32 bytes before every record's payload. One object is a cursor that is filled again and again, so that neither
 * writing nor reading allocates. Not thread-safe.
 *
 * <pre>
 *  0         4      5       6         8         12            16      24          32
 *  +---------+------+-------+---------+---------+-------------+-------+-----------+---------+---------+
 *  | check   | type | flags | padding | length  | payload crc | index | watermark | payload | padding |
 *  |  u32    |  u8  |  u8   |  u16    |  u32    |    u32      |  u64  |    u64    |         |  zeros  |
 *  +---------+------+-------+---------+---------+-------------+-------+-----------+---------+---------+
 * </pre>
 *
 * {@code check} is the CRC-32C of the segment's epoch (u64) followed by bytes 4 to 31: it covers type, length, index,
 * watermark, the payload's own CRC-32C and, through the epoch, the identity of the segment. A record begins at a multiple
 * of {@link #ALIGNMENT} bytes; {@code padding} leads to the next.
 *
 * <p>Type 0 does not exist, so that a header of zeros is never a record: it is where the log ends.
 */
final class RecordHeader {
    static final int BYTES = 32;
    static final int ALIGNMENT = 8;

    /** A record of the caller's. */
    static final int DATA = 1;
    /** Says only how far the log is durable; written when the log falls idle and after a recovery. */
    static final int MARK = 2;
    /** A mark that also says: the log was closed in order. */
    static final int CLOSE = 3;
    /** A mark that also says: this segment is complete and the next one exists. */
    static final int SEAL = 4;

    int check;
    int type;
    int flags;
    int padding;
    int length;
    int payloadCrc;
    long index;
    long watermark;

    private final CRC32C crc = new CRC32C();
    private final ByteBuffer covered = ByteBuffer.allocate(8 + BYTES - 4);

    /** What a record with this payload takes in the file, padding to the next record included. */
    static long encodedBytes(int payloadBytes) {
        return align((long) BYTES + payloadBytes, ALIGNMENT);
    }

    /** The smallest multiple of {@code alignment} (a power of two) that is not less than {@code bytes}. */
    static long align(long bytes, int alignment) {
        return (bytes + alignment - 1) & -alignment;
    }

    /** Header, payload and padding together, as this header says. */
    long totalBytes() {
        return (long) BYTES + length + padding;
    }

    boolean isData() {
        return type == DATA;
    }

    /** Puts the header at the buffer's position, with the check for this epoch. */
    void encode(ByteBuffer target, long epoch) {
        encodeFields(index);
        check = checkFor(epoch);
        target.putInt(check).put(covered.array(), 8, BYTES - 4);
    }

    /**
     * Reads the header at an offset of the buffer, whatever it holds.
     *
     * @return whether the check is right for this epoch
     */
    boolean decode(ByteBuffer source, int offset, long epoch) {
        check = source.getInt(offset);
        type = source.get(offset + 4) & 0xFF;
        flags = source.get(offset + 5) & 0xFF;
        padding = source.getShort(offset + 6) & 0xFFFF;
        length = source.getInt(offset + 8);
        payloadCrc = source.getInt(offset + 12);
        index = source.getLong(offset + 16);
        watermark = source.getLong(offset + 24);
        if (type < DATA || type > SEAL || length < 0 || index < 1 || watermark < 0 || watermark >= index) {
            return false;
        }
        source.get(offset + 4, covered.array(), 8, BYTES - 4);
        return check == checkFor(epoch);
    }

    /** Whether the header that was read last would be right with another index. */
    boolean isRightWith(long index, long epoch) {
        encodeFields(index);
        return check == checkFor(epoch);
    }

    private void encodeFields(long index) {
        covered.clear().position(8);
        covered.put((byte) type).put((byte) flags).putShort((short) padding);
        covered.putInt(length).putInt(payloadCrc).putLong(index).putLong(watermark);
    }

    private int checkFor(long epoch) {
        covered.putLong(0, epoch);
        return checkOfCovered();
    }

    private int checkOfCovered() {
        crc.reset();
        crc.update(covered.array(), 0, covered.capacity());
        return (int) crc.getValue();
    }

    /** What an epoch contributes to checks. Two epochs for which this differs never give the same check for one header. */
    static int checkOfEpoch(long epoch) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, epoch));
        return (int) crc.getValue();
    }

    /** Whether the 32 bytes at an offset are all zero. */
    static boolean isZero(ByteBuffer source, int offset) {
        return (source.getLong(offset)
                        | source.getLong(offset + 8)
                        | source.getLong(offset + 16)
                        | source.getLong(offset + 24))
                == 0;
    }

    static String nameOf(int type) {
        return switch (type) {
            case DATA -> "record";
            case MARK -> "mark";
            case CLOSE -> "closing mark";
            case SEAL -> "seal";
            default -> "type " + type;
        };
    }

    /** For messages: the fields as they were read, valid or not. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s index %d, length %d, watermark %d, check %08x",
                nameOf(type),
                index,
                length,
                watermark,
                check);
    }
}
