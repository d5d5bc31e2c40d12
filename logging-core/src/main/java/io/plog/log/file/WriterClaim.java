package io.plog.log.file;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Who writes to a segment: the last 512 bytes of its header block. An opener puts its own claim there before it
 * changes anything else; a writer that finds another's stops for good. Neither the header's check nor any reader looks at it.
 *
 * <pre>
 *  3584       3592    3596    3600        3616    3632        3640   3648    3656  3664     4096
 *  +----------+-------+-------+-----------+-------+-----------+------+-------+-----+--------+
 *  | magic    | check | state | writer id | boot  | namespace | pid  | start | end | zeros  |
 *  | PLOGWRIT |  u32  |  u32  | 16 bytes  | 16 b. |    u64    | u64  |  u64  | u64 |        |
 *  +----------+-------+-------+-----------+-------+-----------+------+-------+-----+--------+
 * </pre>
 *
 * {@code check} is the CRC-32C of the segment's epoch, as a u64, and of the 512 bytes with {@code check} itself taken as zero.
 * {@code state} is 1 while the log is open, 3 if its writes may not be forced, and 2 when it was closed. What follows says which process that is, see {@link ProcessIdentity}.
 *
 * @param writer a random number of each opening of a log
 * @param owner the process
 * @param state see above
 * @param end if it was closed in order, where in the segment its closing mark ends, in bytes; else 0
 */
public record WriterClaim(UUID writer, ProcessIdentity owner, int state, long end) {
    public static final int BYTES = 512;
    public static final int OFFSET = SegmentHeader.BLOCK_BYTES - BYTES;

    /** Where the writer id lies, in bytes from the start of the file. */
    public static final int WRITER_OFFSET = OFFSET + 16;

    public static final int WRITER_BYTES = 16;

    private static final long MAGIC = 0x504C4F4757524954L; // "PLOGWRIT"
    private static final int CHECK_AT = 8;
    private static final int OPEN = 1;
    private static final int CLOSED = 2;
    private static final int OPEN_WRITTEN = 3;

    /** A claim of this process, as no other process has it. */
    public static WriterClaim ofThisProcess() {
        return new WriterClaim(UUID.randomUUID(), ProcessIdentity.current(), OPEN, 0);
    }

    /** This writer's claim on a log that it closed, in order with an {@code end}. */
    public WriterClaim closed(long endOffset) {
        return new WriterClaim(writer, owner, CLOSED, endOffset);
    }

    /** This writer's claim on a log of which writes may not be forced. */
    public WriterClaim onlyWritten() {
        return new WriterClaim(writer, owner, OPEN_WRITTEN, 0);
    }

    /** Whether the log was not closed since. */
    public boolean open() {
        return state != CLOSED;
    }

    /** Whether the writer forces a seal before it writes to the next segment. */
    public boolean forces() {
        return state != OPEN_WRITTEN;
    }

    /** Puts the claim on a segment into a buffer, at a place in it; the position stays. */
    public void encode(ByteBuffer target, int at, long epoch) {
        ByteBuffer bytes = target.slice(at, BYTES);
        bytes.putLong(MAGIC).putInt(0).putInt(state);
        bytes.putLong(writer.getMostSignificantBits()).putLong(writer.getLeastSignificantBits());
        bytes.putLong(owner.boot().getMostSignificantBits())
                .putLong(owner.boot().getLeastSignificantBits());
        bytes.putLong(owner.pidNamespace()).putLong(owner.pid()).putLong(owner.start());
        bytes.putLong(end);
        while (bytes.hasRemaining()) {
            bytes.putLong(0);
        }
        bytes.putInt(CHECK_AT, checkOf(bytes, epoch));
    }

    /** Reads the claim on a segment; null if there is none that is whole. */
    public static @Nullable WriterClaim decode(ByteBuffer bytes, long epoch) {
        if (bytes.limit() < BYTES || bytes.getLong(0) != MAGIC || bytes.getInt(CHECK_AT) != checkOf(bytes, epoch)) {
            return null;
        }
        ProcessIdentity owner = new ProcessIdentity(
                new UUID(bytes.getLong(32), bytes.getLong(40)),
                bytes.getLong(48),
                bytes.getLong(56),
                bytes.getLong(64));
        return new WriterClaim(
                new UUID(bytes.getLong(16), bytes.getLong(24)), owner, bytes.getInt(12), bytes.getLong(72));
    }

    private static int checkOf(ByteBuffer bytes, long epoch) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, epoch));
        crc.update(bytes.slice(0, CHECK_AT));
        crc.update(new byte[Integer.BYTES]);
        crc.update(bytes.slice(CHECK_AT + Integer.BYTES, BYTES - CHECK_AT - Integer.BYTES));
        return (int) crc.getValue();
    }
}
