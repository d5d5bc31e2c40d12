package io.plog.log.file;

import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.NewerFormatException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code log.cells}: two copies of a few small values, one behind the other. One is written and forced before the
 * other, in its place; so one of them is whole at any moment, and the newest that is whole counts.
 *
 * <pre>
 *  0          8         12        16                32           40      44      48      64
 *  +----------+---------+---------+-----------------+------------+-------+-------+-------+-------
 *  | magic    | version | check   | log id          | generation | bytes | crc   | zeros | cells
 *  | PLOGCELL |  u32 1  |  u32    | 16 bytes (UUID) |    u64     |  u32  |  u32  |       |
 *  +----------+---------+---------+-----------------+------------+-------+-------+-------+-------
 * </pre>
 *
 * {@code check} is that of a checkpoint; {@code docs/log-format.md} has the rest.
 *
 * @param generation counts the changes
 * @param values the cells by name; not to be changed
 * @param place which copy it was read from, 0 or 1
 * @param twice whether the other one is the same
 */
public record CellsFile(UUID logId, long generation, SortedMap<String, byte[]> values, int place, boolean twice) {
    public static final String NAME = "log.cells";
    static final int COPY_BYTES = 17 * SegmentHeader.BLOCK_BYTES;
    private static final int MOST_CELLS = 16;
    private static final int MOST_NAME_CHARACTERS = 32;
    private static final int MOST_VALUE_BYTES = 4096;
    private static final ReplacedFile FILE = new ReplacedFile(NAME, 0);
    private static final int HEADER_BYTES = 64;
    private static final int SECTOR_BYTES = 512;
    private static final int CHECK_AT = 12;
    private static final long MAGIC = 0x504C4F4743454C4CL; // "PLOGCELL"
    private static final int VERSION = 1;

    /** Of a log without cells. */
    public static CellsFile none(UUID logId) {
        return new CellsFile(logId, 0, Collections.emptySortedMap(), 0, true);
    }

    /**
     * The next generation.
     *
     * @param value empty to remove the cell
     * @throws IllegalArgumentException if the name or the value is not in its range, or there are too many
     */
    public CellsFile with(String name, byte[] value) {
        if (!name.matches("[ -~]{1," + MOST_NAME_CHARACTERS + "}")) {
            throw new IllegalArgumentException("a cell named '" + name + "': expected 1 to " + MOST_NAME_CHARACTERS
                    + " printable ASCII characters");
        }
        if (value.length > MOST_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "cell '" + name + "' with " + value.length + " bytes: expected at most " + MOST_VALUE_BYTES);
        }
        SortedMap<String, byte[]> next = new TreeMap<>(values);
        if (value.length == 0) {
            next.remove(name);
        } else {
            next.put(name, value.clone());
        }
        if (next.size() > MOST_CELLS) {
            throw new IllegalArgumentException(
                    "cell '" + name + "' would be one of " + next.size() + ": expected at most " + MOST_CELLS);
        }
        return new CellsFile(logId, generation + 1, next, 0, true);
    }

    /** Makes the file, or replaces it as a whole, durably. */
    public void create(Storage storage) throws IOException {
        ByteBuffer copy = encode().limit(COPY_BYTES);
        FILE.replace(storage, 2L * COPY_BYTES, () -> 0, file -> {
            WriteFully.fully(file, copy.rewind(), 0);
            WriteFully.fully(file, copy.rewind(), COPY_BYTES);
        });
    }

    /**
     * Writes both copies, durably.
     *
     * @param first which one comes first
     * @throws PermanentFailure if what the file holds is unknown now
     */
    public void write(Storage storage, int first) throws IOException {
        ByteBuffer copy = encode();
        try (Storage.FileHandle file = storage.open(NAME, Storage.Access.WRITE)) {
            try {
                WriteFully.fully(file, copy.rewind(), (long) first * COPY_BYTES);
                file.force(false);
                WriteFully.fully(file, copy.rewind(), (long) (1 - first) * COPY_BYTES);
                file.force(false);
            } catch (IOException e) {
                throw new PermanentFailure(e);
            }
        }
    }

    /** One copy, to the end of a block. */
    private ByteBuffer encode() {
        ByteBuffer copy = ByteBuffer.allocateDirect(COPY_BYTES).position(HEADER_BYTES);
        values.forEach((name, value) -> copy.put((byte) name.length())
                .putShort((short) value.length)
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .put(value));
        int end = (int) RecordHeader.align(copy.position(), Long.BYTES);
        mask(copy, end, generation);
        copy.putLong(0, MAGIC).putInt(8, VERSION);
        copy.putLong(16, logId.getMostSignificantBits()).putLong(24, logId.getLeastSignificantBits());
        copy.putLong(32, generation).putInt(40, end - HEADER_BYTES);
        copy.putInt(44, Payload.crcOf(copy.slice(HEADER_BYTES, end - HEADER_BYTES)));
        copy.putInt(CHECK_AT, LogFiles.checkOf(copy.clear(), 0));
        return copy.limit((int) RecordHeader.align(end, SegmentHeader.BLOCK_BYTES));
    }

    /** So no sector is as it was a generation before: a copy of which one write was lost is not whole. */
    private static void mask(ByteBuffer copy, int end, long generation) {
        for (int at = HEADER_BYTES; at < end; at += Long.BYTES) {
            copy.putLong(at, copy.getLong(at) ^ generation);
        }
    }

    /**
     * Reads the cells of the log with this head.
     *
     * @return null if there are none
     * @throws LogDamagedException if neither copy is whole, or the file is missing
     * @throws NewerFormatException if a newer plog wrote it
     */
    public static @Nullable CellsFile read(Storage storage, HeadFile head) throws IOException {
        ByteBuffer[] copies = new ByteBuffer[2];
        try (ReadAround file = ReadAround.open(storage, NAME)) {
            for (int place = 0; place < 2; place++) {
                copies[place] = copy(file, place);
            }
        } catch (NoSuchFileException missing) {
            if (head.cells()) {
                throw damaged("this file, because " + HeadFile.NAME + " says that there are cells", "no such file");
            }
            return null;
        }
        long misplaced = Math.max(misplaced(copies[0], head.logId()), misplaced(copies[1], head.logId()));
        CellsFile one = decode(copies[0], head.logId(), 0);
        CellsFile two = decode(copies[1], head.logId(), 1);
        CellsFile newest = one == null || (two != null && two.generation > one.generation) ? two : one;
        if (newest == null) {
            throw damaged("a whole copy of this log's cells here or at " + COPY_BYTES, "none");
        }
        if (misplaced > newest.generation) {
            throw damaged(
                    "a whole copy of generation " + misplaced + ", of which a write is in a wrong place",
                    "generation " + newest.generation);
        }
        boolean same = one != null && two != null && one.generation == two.generation;
        return new CellsFile(newest.logId, newest.generation, newest.values, newest.place, same);
    }

    private static ByteBuffer copy(ReadAround file, int place) throws IOException {
        ByteBuffer copy = ByteBuffer.allocateDirect(COPY_BYTES);
        while (copy.hasRemaining() && file.read(copy, (long) place * COPY_BYTES + copy.position()) > 0) {}
        return copy.flip();
    }

    private static boolean isHeader(ByteBuffer header, UUID logId) {
        return header.limit() >= HEADER_BYTES
                && header.getLong(0) == MAGIC
                && header.getInt(CHECK_AT) == LogFiles.checkOf(header, 0)
                && logId.equals(new UUID(header.getLong(16), header.getLong(24)));
    }

    /**
     * The highest generation of a header that is where none belongs. The disk wrote it there instead of over an older one, which
     * looks whole; a crash leaves none.
     */
    private static long misplaced(ByteBuffer copy, UUID logId) {
        long highest = 0;
        for (int at = SECTOR_BYTES; at < copy.limit(); at += SECTOR_BYTES) {
            ByteBuffer header = copy.slice(at, copy.limit() - at);
            highest = isHeader(header, logId) ? Math.max(highest, header.getLong(32)) : highest;
        }
        return highest;
    }

    /** One copy; null if it is not whole, or another log's. */
    private static @Nullable CellsFile decode(ByteBuffer copy, UUID logId, int place) throws NewerFormatException {
        if (!isHeader(copy, logId)) {
            return null;
        }
        NewerFormatException.check(NAME, copy.getInt(8), VERSION);
        int length = copy.getInt(40);
        if (length < 0
                || length > copy.limit() - HEADER_BYTES
                || length % Long.BYTES != 0
                || Payload.crcOf(copy.slice(HEADER_BYTES, length)) != copy.getInt(44)) {
            return null;
        }
        long generation = copy.getLong(32);
        mask(copy, HEADER_BYTES + length, generation);
        SortedMap<String, byte[]> values = new TreeMap<>();
        copy.position(HEADER_BYTES).limit(HEADER_BYTES + length);
        try {
            while (copy.hasRemaining() && copy.get(copy.position()) > 0) {
                byte[] name = new byte[copy.get()];
                byte[] value = new byte[copy.getShort() & 0xFFFF];
                copy.get(name).get(value);
                values.put(new String(name, StandardCharsets.US_ASCII), value);
            }
        } catch (BufferUnderflowException e) {
            return null;
        }
        return new CellsFile(logId, generation, values, place, true);
    }

    private static LogDamagedException damaged(String expected, String found) {
        return new LogDamagedException(NAME, 0, expected, found, LogDamagedException.RESTORE);
    }
}
