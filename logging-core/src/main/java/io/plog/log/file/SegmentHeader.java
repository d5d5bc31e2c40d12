package io.plog.log.file;

import io.plog.log.storage.NewerFormatException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The first block of a segment file. It is written and forced before the segment gets its name, and never changes, except
 * for the {@link WriterClaim} at its end.
 *
 * <pre>
 *  0          8         12        16                32        40       48               56        64    4096
 *  +----------+---------+---------+-----------------+---------+--------+----------------+---------+------+---
 *  | magic    | version | check   | log id          | segment | epoch  | segment bytes  | stripe, | zero, | records
 *  | PLOGSEG1 |  u32 1  |  u32    | 16 bytes (UUID) |   u64   |  u64   |      u64       | of: u32 | claim |
 *  +----------+---------+---------+-----------------+---------+--------+----------------+---------+------+---
 *
 *  64            72          80          88     96             100   of a segment behind a cut, whose version is 2
 *  +-------------+-----------+-----------+------+---------------+
 *  | first index | continues | its epoch | at   | check of 0-95 |
 *  |     u64     |    u64    |    u64    | u64  |      u32      |
 *  +-------------+-----------+-----------+------+---------------+
 * </pre>
 *
 * {@code check} is the CRC-32C of bytes 0 to 63 with {@code check} itself taken as zero. The <em>epoch</em> is a random
 * number that goes into the check of every record of the segment, so that no record of another file, another log or an
 * earlier life of the same blocks can pass for one of this segment.
 *
 * @param logId the log that the segment belongs to
 * @param stripe the directory of the log that the segment belongs to
 * @param segment the segment's number, from 1
 * @param epoch a random number, never 0
 * @param segmentBytes the file's whole length
 * @param rewind where the log goes on from, if that is not the end of the segment before
 */
public record SegmentHeader(
        UUID logId,
        StripeId stripe,
        long segment,
        long epoch,
        long segmentBytes,
        @Nullable Rewind rewind) {
    public static final int BLOCK_BYTES = Storage.BLOCK_BYTES;

    /** The size of each segment is a multiple of this, so that every way of forcing can write it in whole pages. */
    public static final int GRAIN_BYTES = 64 * 1024;

    /** The largest segment, in bytes. */
    public static final long MOST_SEGMENT_BYTES = 1L << 30;

    private static final int VERSION = 1;
    private static final int REWINDING_VERSION = 2;
    private static final long MAGIC = 0x504C4F4753454731L; // "PLOGSEG1"
    private static final int FIELD_BYTES = 64;
    private static final int CHECK_AT = 12;
    private static final int REWIND_CHECK_AT = 96;
    private static final String SUFFIX = ".seg";
    private static final int DIGITS = 20;

    /** The header of a segment that continues the one before it. */
    public SegmentHeader(UUID logId, StripeId stripe, long segment, long epoch, long segmentBytes) {
        this(logId, stripe, segment, epoch, segmentBytes, null);
    }

    /** The name of a segment's file; names sort as their numbers do. */
    public static String fileName(long segment) {
        String digits = Long.toString(segment);
        return "0".repeat(DIGITS - digits.length()) + digits + SUFFIX;
    }

    /** The number in a segment's file name, or -1 if it is not the name of one. */
    public static long numberOf(String fileName) {
        if (fileName.length() != DIGITS + SUFFIX.length() || !fileName.endsWith(SUFFIX)) {
            return -1;
        }
        for (int i = 0; i < DIGITS; i++) {
            if (fileName.charAt(i) < '0' || fileName.charAt(i) > '9') {
                return -1;
            }
        }
        try {
            return Long.parseLong(fileName.substring(0, DIGITS));
        } catch (NumberFormatException tooLarge) {
            return -1;
        }
    }

    /** The numbers of the segments in a directory, from the names of the files. */
    public static NavigableSet<Long> numbersIn(Storage storage) throws IOException {
        NavigableSet<Long> numbers = new TreeSet<>();
        for (String name : storage.list()) {
            if (numberOf(name) > 0) {
                numbers.add(numberOf(name));
            }
        }
        return numbers;
    }

    /** Puts the whole header block at the buffer's position. */
    public void encode(ByteBuffer target) {
        int start = target.position();
        Rewind from = rewind;
        target.putLong(MAGIC).putInt(from == null ? VERSION : REWINDING_VERSION).putInt(0);
        target.putLong(logId.getMostSignificantBits()).putLong(logId.getLeastSignificantBits());
        target.putLong(segment).putLong(epoch).putLong(segmentBytes);
        target.putInt(stripe.number()).putInt(stripe.of());
        target.putInt(start + CHECK_AT, LogFiles.checkOf(target, start));
        if (from != null) {
            target.putLong(from.firstIndex()).putLong(from.segment());
            target.putLong(from.epoch()).putLong(from.end());
            target.putInt(crcOf(target, start));
            target.putInt(0);
        }
        while (target.position() < start + BLOCK_BYTES) {
            target.putLong(0);
        }
    }

    /** Reads the header of the file of this name; null if it is not a valid one, or there is no such file. */
    public static @Nullable SegmentHeader read(Storage storage, String name) throws IOException {
        try (Storage.FileHandle file = ReadAround.open(storage, name)) {
            return read(file, name, new StringBuilder());
        } catch (NoSuchFileException missing) {
            return null;
        }
    }

    /** Reads the header of a segment's file, as {@link #decode} does. */
    public static @Nullable SegmentHeader read(Storage.FileHandle file, String name, StringBuilder problem)
            throws IOException {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
        while (block.hasRemaining() && file.read(block, block.position()) >= 0) {}
        StringBuilder found = new StringBuilder();
        SegmentHeader header = decode(block.flip(), name, found);
        String lost = ReadAround.lostIn(file, 0, BLOCK_BYTES);
        problem.append(lost.isEmpty() ? found : lost);
        return header;
    }

    /**
     * Reads a header from the start of a block.
     *
     * @param name the file's name
     * @param problem receives what is wrong, if anything
     * @return the header, or null if it is not a valid one
     * @throws NewerFormatException if it is one of a format that is not known here
     */
    public static @Nullable SegmentHeader decode(ByteBuffer block, String name, StringBuilder problem)
            throws NewerFormatException {
        if (block.remaining() < FIELD_BYTES) {
            problem.append("only ").append(block.remaining()).append(" bytes");
            return null;
        }
        int start = block.position();
        if (block.getLong(start) != MAGIC) {
            problem.append(String.format(Locale.ROOT, "magic %016x", block.getLong(start)));
            return null;
        }
        int stored = block.getInt(start + CHECK_AT);
        int computed = LogFiles.checkOf(block, start);
        if (stored != computed) {
            problem.append(String.format(Locale.ROOT, "check %08x over bytes that give %08x", stored, computed));
            return null;
        }
        int version = block.getInt(start + 8);
        NewerFormatException.check(name, version, REWINDING_VERSION);
        if (version < VERSION) {
            problem.append("format version ").append(version);
            return null;
        }
        boolean rewinds = version == REWINDING_VERSION;
        if (rewinds
                && (block.remaining() < REWIND_CHECK_AT + Integer.BYTES
                        || block.getInt(start + REWIND_CHECK_AT) != crcOf(block, start))) {
            problem.append("a cut of which the check is wrong");
            return null;
        }
        SegmentHeader header = new SegmentHeader(
                new UUID(block.getLong(start + 16), block.getLong(start + 24)),
                new StripeId(block.getInt(start + 56), block.getInt(start + 60)),
                block.getLong(start + 32),
                block.getLong(start + 40),
                block.getLong(start + 48),
                rewinds ? rewindAt(block, start) : null);
        if (header.segment < 1
                || (header.rewind != null && !header.rewind.isPossibleIn(header.segment))
                || header.epoch == 0
                || header.segmentBytes < GRAIN_BYTES
                || header.segmentBytes > MOST_SEGMENT_BYTES
                || header.segmentBytes % GRAIN_BYTES != 0) {
            String bytes = Long.toUnsignedString(header.segmentBytes) + " bytes";
            problem.append("a right check over numbers that cannot be, such as ")
                    .append(bytes);
            return null;
        }
        return header;
    }

    private static Rewind rewindAt(ByteBuffer block, int start) {
        return new Rewind(
                block.getLong(start + 64),
                block.getLong(start + 72),
                block.getLong(start + 80),
                block.getLong(start + 88));
    }

    /** Of everything before the second check, the first one included. */
    private static int crcOf(ByteBuffer block, int start) {
        return Payload.crcOf(block.slice(start, REWIND_CHECK_AT));
    }
}
