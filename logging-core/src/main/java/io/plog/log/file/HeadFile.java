package io.plog.log.file;

import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.NewerFormatException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code log.head}: which log this is and where it begins. It is a {@link ReplacedFile}, replaced when the log
 * is created and whenever a prefix is dropped; so a segment that should be there and is not is
 * noticed even if it is the first or the only one.
 *
 * <pre>
 *  0          8         12        16                32              40            48           56       60      64
 *  +----------+---------+---------+-----------------+---------------+-------------+------------+--------+-------+
 *  | magic    | version | check   | log id          | first segment | first index | checkpoint | stripe |  of   |
 *  | PLOGHEAD |  u32 1  |  u32    | 16 bytes (UUID) |      u64      |     u64     |    u64     |  u32   |  u32  |
 *  +----------+---------+---------+-----------------+---------------+-------------+------------+--------+-------+
 * </pre>
 *
 * Each directory of a striped log has one; of a log with one directory the last two are 0.
 *
 * {@code check} is the CRC-32C of bytes 0 to 63 with {@code check} itself taken as zero. If the log was ever {@linkplain Rewind
 * rewound}, or has cells, the version is 2, and the number of the segment that did it last (u64, 0 for none), whether there are
 * cells (u32, 0 or 1) and the CRC-32C of all before (u32) follow.
 *
 * @param logId the log's identity
 * @param stripe which of the log's directories this is
 * @param firstSegment the number of the first segment in use
 * @param firstIndex the index of the first record in it; in a striped log, the index of the first record of the whole log:
 *     records before it are none of the log's any more
 * @param checkpoint the index of the checkpoint that stood for the dropped records when they were dropped; 0 for none. So
 *     a checkpoint that is missing or too old is noticed
 * @param rewound the number of the last segment that begins behind a cut, 0 if none does. So one whose header was lost is noticed
 * @param cells whether there is a {@link CellsFile}
 */
public record HeadFile(
        UUID logId, StripeId stripe, long firstSegment, long firstIndex, long checkpoint, long rewound, boolean cells) {
    public static final String NAME = "log.head";
    private static final ReplacedFile FILE = new ReplacedFile(NAME, 0);
    private static final int BYTES = 64;
    private static final int STRIPE_AT = 56;
    private static final int CHECK_AT = 12;
    private static final long MAGIC = 0x504C4F4748454144L; // "PLOGHEAD"
    private static final int VERSION = 1;
    private static final int REWOUND_VERSION = 2;
    private static final int REWOUND_CHECK_AT = BYTES + Long.BYTES + Integer.BYTES;
    private static final int MOST_BYTES = REWOUND_CHECK_AT + Integer.BYTES;
    private static final String UNFINISHED = "an unfinished copy of a log";

    /** What {@code LogCopy} has in the head's place until the copy is whole. */
    public static final byte[] OF_UNFINISHED_COPY = (UNFINISHED + "\n").getBytes(StandardCharsets.US_ASCII);

    /** The head of a log that was never rewound and has no cells. */
    public HeadFile(UUID logId, StripeId stripe, long firstSegment, long firstIndex, long checkpoint) {
        this(logId, stripe, firstSegment, firstIndex, checkpoint, 0, false);
    }

    /** A head of this log, with another beginning. */
    public HeadFile beginningAt(long segment, long index, long checkpointIndex, long rewoundBy) {
        return new HeadFile(logId, stripe, segment, index, checkpointIndex, rewoundBy, cells);
    }

    /** A copy of this head that says whether there are cells. */
    public HeadFile withCells(boolean there) {
        return new HeadFile(logId, stripe, firstSegment, firstIndex, checkpoint, rewound, there);
    }

    /** Replaces the head, durably: when this returns, the new one is stable. */
    public void write(Storage storage) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(MOST_BYTES);
        bytes.putLong(MAGIC)
                .putInt(rewound == 0 && !cells ? VERSION : REWOUND_VERSION)
                .putInt(0);
        bytes.putLong(logId.getMostSignificantBits()).putLong(logId.getLeastSignificantBits());
        bytes.putLong(firstSegment).putLong(firstIndex).putLong(checkpoint);
        bytes.putInt(stripe.number()).putInt(stripe.of());
        bytes.putInt(CHECK_AT, LogFiles.checkOf(bytes, 0));
        if (rewound > 0 || cells) {
            bytes.putLong(rewound).putInt(cells ? 1 : 0);
            bytes.putInt(Payload.crcOf(bytes.slice(0, REWOUND_CHECK_AT)));
        }
        bytes.flip();
        FILE.replace(storage, bytes.limit(), () -> 0, file -> WriteFully.fully(file, bytes.rewind(), 0));
    }

    /** Reserves the space for the next head. */
    public static void reserveSpace(Storage storage) throws IOException {
        FILE.keepSpare(storage, MOST_BYTES, () -> 0);
    }

    /**
     * Reads the head.
     *
     * @return null if there is none
     * @throws LogDamagedException if it is not a valid one
     * @throws NewerFormatException if a newer plog wrote it
     */
    public static @Nullable HeadFile read(Storage storage) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES + 1);
        try (ReadAround file = ReadAround.open(storage, NAME)) {
            while (bytes.hasRemaining() && file.read(bytes, bytes.position()) >= 0) {}
            file.checkWhole(NAME);
        } catch (NoSuchFileException none) {
            return null;
        }
        int length = bytes.flip().limit();
        if (bytes.equals(ByteBuffer.wrap(OF_UNFINISHED_COPY))) {
            throw new LogDamagedException(
                    NAME, 0, BYTES + " bytes", UNFINISHED, "Delete this directory, and copy the log again");
        }
        if (length < BYTES) {
            throw damaged(0, BYTES + " bytes", length + " bytes");
        }
        if (bytes.getLong(0) != MAGIC) {
            throw damaged(0, LogFiles.hex(MAGIC), LogFiles.hex(bytes.getLong(0)));
        }
        int computed = LogFiles.checkOf(bytes, 0);
        if (bytes.getInt(CHECK_AT) != computed) {
            throw damaged(CHECK_AT, "check " + LogFiles.hex(computed), LogFiles.hex(bytes.getInt(CHECK_AT)));
        }
        int version = bytes.getInt(8);
        NewerFormatException.check(NAME, version, REWOUND_VERSION);
        if (version < VERSION) {
            throw damaged(8, "format version " + VERSION + " or " + REWOUND_VERSION, "version " + version);
        }
        boolean isRewound = version == REWOUND_VERSION;
        boolean isInSpare = !isRewound && length == MOST_BYTES; // written over the spare file, which has room for both
        if (!isInSpare && length != (isRewound ? MOST_BYTES : BYTES)) {
            throw damaged(
                    0, (isRewound ? MOST_BYTES : BYTES) + " bytes", length > MOST_BYTES ? "more" : length + " bytes");
        }
        if (isRewound) {
            int right = Payload.crcOf(bytes.slice(0, REWOUND_CHECK_AT));
            if (bytes.getInt(REWOUND_CHECK_AT) != right) {
                throw damaged(
                        REWOUND_CHECK_AT, "check " + LogFiles.hex(right), LogFiles.hex(bytes.getInt(REWOUND_CHECK_AT)));
            }
            checkNumber(bytes, BYTES, 0, "segment behind a cut");
        }
        checkNumber(bytes, 32, 1, "first segment");
        checkNumber(bytes, 40, 1, "first index");
        checkNumber(bytes, 48, 0, "checkpoint");
        StripeId stripe = new StripeId(bytes.getInt(STRIPE_AT), bytes.getInt(STRIPE_AT + Integer.BYTES));
        if (!stripe.equals(StripeId.NONE) && !stripe.isPossible()) {
            throw damaged(STRIPE_AT, "none, or one of 2 to " + StripeId.MOST + " stripes", stripe.toString());
        }
        return new HeadFile(
                new UUID(bytes.getLong(16), bytes.getLong(24)),
                stripe,
                bytes.getLong(32),
                bytes.getLong(40),
                bytes.getLong(48),
                isRewound ? bytes.getLong(BYTES) : 0,
                isRewound && bytes.getInt(BYTES + Long.BYTES) != 0);
    }

    /**
     * Reads the header of a segment, and checks that it is the one that its name and this directory promise.
     *
     * @param place the place of the directory in the log
     * @param number the number of the segment, from the file's name
     * @param problem takes what was found instead, as a noun phrase
     * @return the header; null if it is damaged or belongs elsewhere
     * @throws NewerFormatException if a newer plog wrote it
     */
    public @Nullable SegmentHeader headerOf(Storage.FileHandle file, StripeId place, long number, StringBuilder problem)
            throws IOException {
        SegmentHeader header = SegmentHeader.read(file, SegmentHeader.fileName(number), problem);
        if (header == null) {
            return null;
        }
        if (header.segment() != number) {
            problem.append("the header of segment ").append(header.segment());
            return null;
        }
        if (!header.logId().equals(logId)) {
            problem.append("a segment of another log, ").append(header.logId());
            return null;
        }
        if (!header.stripe().equals(place)) {
            problem.append("a segment of ").append(header.stripe());
            return null;
        }
        return header;
    }

    /** No log comes near 2^62; from there on, what is appended next would soon have no number. */
    private static void checkNumber(ByteBuffer bytes, int at, long least, String name) throws LogDamagedException {
        long number = bytes.getLong(at);
        if (number < least || number > RecordHeader.MOST_NUMBER) {
            throw damaged(at, "a " + name + " from " + least + " to 2^62", Long.toUnsignedString(number));
        }
    }

    private static LogDamagedException damaged(long offset, String expected, String found) {
        return new LogDamagedException(NAME, offset, expected, found, LogDamagedException.RESTORE);
    }
}
