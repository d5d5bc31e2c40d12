package io.plog.log.file;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The 32 bytes before every record's payload. One object is a cursor that is filled again and again, so that neither
 * writing nor reading allocates. Not thread-safe.
 *
 * <pre>
 *  0         4      5       6         8         12            16      24       28      32
 *  +---------+------+-------+---------+---------+-------------+-------+--------+-------+---------+---------+
 *  | check   | type | flags | padding | length  | payload crc | index | behind | salt  | payload | padding |
 *  |  u32    |  u8  | u8 0  |  u16    |  u32    |    u32      |  u64  |  u32   |  u32  |         |  zeros  |
 *  +---------+------+-------+---------+---------+-------------+-------+--------+-------+---------+---------+
 * </pre>
 *
 * {@code check} is the CRC-32C of the segment's epoch (u64) followed by bytes 4 to 31: it covers type, length, index,
 * watermark, the payload's own CRC-32C and, through the epoch, the identity of the segment. {@code salt} is the upper half of the
 * epoch. The lower half, which is written in no record, decides the check; so bytes of another use of the file, or of a payload that
 * was made for it, are right with a probability of 2^-64, and not of 2^-32 as with a check alone. {@code behind} is the distance
 * from the index back to the watermark, 0 if nothing is known to be durable. A record begins at a multiple of {@link #ALIGNMENT}
 * bytes; {@code padding} leads to the next.
 *
 * <p>Type 0 does not exist, so that a header of zeros is never a record: it is where the log ends.
 */
public final class RecordHeader {
    public static final int BYTES = 32;
    public static final int ALIGNMENT = 8;

    /** The most that an index, or the number of a segment, can be. */
    public static final long MOST_NUMBER = 1L << 62;

    private static final long MOST_BEHIND = 0xFFFFFFFFL;

    /** A record of the caller's. */
    public static final int DATA = 1;
    /** Says only how far the log is durable; written when the log falls idle and after a recovery. */
    public static final int MARK = 2;
    /** A mark that also says: the log was closed in order. */
    public static final int CLOSE = 3;
    /** A mark that also says: this segment is complete and the next one exists. */
    public static final int SEAL = 4;
    /** No record, but what ends each write of records; see {@link Trailer}. */
    public static final int TRAILER = 5;

    int check;
    public int type;
    public int padding;
    public int length;
    public int payloadCrc;
    public long index;
    public long watermark;

    private final CRC32C crc = new CRC32C();
    private final ByteBuffer covered = ByteBuffer.allocate(Long.BYTES + BYTES - 4);

    /** What a record with this payload takes in the file, padding to the next record included. */
    public static long encodedBytes(int payloadBytes) {
        return align((long) BYTES + payloadBytes, ALIGNMENT);
    }

    /** The smallest multiple of {@code alignment} (a power of two) that is not less than {@code bytes}. */
    public static long align(long bytes, int alignment) {
        return (bytes + alignment - 1) & -alignment;
    }

    /** Header, payload and padding together, as this header says. */
    public long totalBytes() {
        return (long) BYTES + length + padding;
    }

    /** Whether what follows begins where a record can. */
    public boolean isAligned() {
        return totalBytes() % ALIGNMENT == 0;
    }

    public boolean isData() {
        return type == DATA;
    }

    /** Puts the header at the buffer's position, with the check for this epoch. */
    public void encode(ByteBuffer target, long epoch) {
        covered.clear().position(Long.BYTES);
        covered.put((byte) type).put((byte) 0).putShort((short) padding);
        covered.putInt(length)
                .putInt(payloadCrc)
                .putLong(index)
                .putInt(behind())
                .putInt(saltOf(epoch));
        check = checkFor(epoch);
        target.putInt(check).put(covered.array(), Long.BYTES, BYTES - 4);
    }

    private int behind() {
        long distance = index - watermark;
        return watermark == 0 || distance > MOST_BEHIND ? 0 : (int) distance;
    }

    /**
     * Reads the header at an offset of the buffer, whatever it holds.
     *
     * @return whether it is <em>right</em> for this epoch: its check is, and no writer writes anything else into its fields
     */
    public boolean decode(ByteBuffer source, int offset, long epoch) {
        if (!decodeOfAnyEpoch(source, offset) || source.getInt(offset + 28) != saltOf(epoch)) {
            return false;
        }
        source.get(offset + 4, covered.array(), Long.BYTES, BYTES - 4);
        return check == checkFor(epoch);
    }

    /**
     * Reads the header at an offset of the buffer, whatever it holds.
     *
     * @return whether its fields are what a writer writes, in whatever segment
     */
    public boolean decodeOfAnyEpoch(ByteBuffer source, int offset) {
        check = source.getInt(offset);
        type = source.get(offset + 4) & 0xFF;
        padding = source.getShort(offset + 6) & 0xFFFF;
        length = source.getInt(offset + 8);
        payloadCrc = source.getInt(offset + 12);
        index = source.getLong(offset + 16);
        long behind = source.getInt(offset + 24) & MOST_BEHIND;
        watermark = behind == 0 ? 0 : index - behind;
        return type >= DATA
                && type <= TRAILER
                && source.get(offset + 5) == 0
                && length >= 0
                && (type == DATA || length == 0)
                && index >= 1
                && watermark >= 0;
    }

    private static int saltOf(long epoch) {
        return (int) (epoch >>> Integer.SIZE);
    }

    private int checkFor(long epoch) {
        covered.putLong(0, epoch);
        crc.reset();
        crc.update(covered.array(), 0, covered.capacity());
        return (int) crc.getValue();
    }

    /** Whether the 32 bytes at an offset are all zero. */
    public static boolean isZero(ByteBuffer source, int offset) {
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
            case TRAILER -> "trailer";
            default -> "type " + type;
        };
    }

    /** For messages: the fields as they were read, valid or not. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s index %s, length %s, check %08x",
                nameOf(type),
                Long.toUnsignedString(index),
                Integer.toUnsignedString(length),
                check);
    }
}
