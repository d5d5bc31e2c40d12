package io.plog.log.file;

import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.NewerFormatException;
import io.plog.log.storage.StateCopy;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code log.checkpoint}, a {@link ReplacedFile}.
 *
 * <pre>
 *  0          8         12        16                32      40            48          52     64
 *  +----------+---------+---------+-----------------+-------+-------------+-----------+------+-------
 *  | magic    | version | check   | log id          | index | state bytes | state crc | zero | state
 *  | PLOGCKPT |  u32 1  |  u32    | 16 bytes (UUID) |  u64  |     u64     |    u32    |      |
 *  +----------+---------+---------+-----------------+-------+-------------+-----------+------+-------
 * </pre>
 *
 * {@code check} is the CRC-32C of bytes 0 to 63 with {@code check} itself taken as zero.
 *
 * @param index the last record whose effect the state holds
 */
public record CheckpointFile(long index, ByteBuffer state) {
    public static final String NAME = "log.checkpoint";

    /** The one to come. If the log was emptied for it, it counts, whether it has its name already or not. */
    public static final String NEXT = NAME + LogFiles.TEMPORARY_SUFFIX;

    private static final ReplacedFile FILE = new ReplacedFile(NAME, 128 * 1024);
    private static final int HEADER_BYTES = 64;
    private static final int CHECK_AT = 12;
    private static final int STATE_CRC_AT = 48;
    private static final int CHUNK_BYTES = 1024 * 1024;
    private static final long MAGIC = 0x504C4F47434B5054L; // "PLOGCKPT"
    private static final int VERSION = 1;

    /**
     * Replaces the checkpoint, durably: when this returns, the new one is stable.
     *
     * @param durableIndex says how far the log is durable: while that moves on, the state is written in small pieces, each forced, with rests
     * @param state the buffers' remaining bytes, one after the other; their positions stay
     * @throws LogRefusedException.StateChanged if the state changed meanwhile; the checkpoint before is still there
     */
    public static void write(Storage storage, UUID logId, long index, LongSupplier durableIndex, ByteBuffer... state)
            throws IOException {
        prepare(storage, logId, index, durableIndex, state);
        FILE.putInPlace(storage);
    }

    /** Makes {@link #NEXT}, whose name is not forced, and returns its {@linkplain #checksOf checks}. */
    public static long prepare(Storage storage, UUID logId, long index, LongSupplier durableIndex, ByteBuffer... state)
            throws IOException {
        StateCopy copy = new StateCopy(state);
        ByteBuffer header = ByteBuffer.allocateDirect(HEADER_BYTES);
        header.putLong(MAGIC).putInt(VERSION).putInt(0);
        header.putLong(logId.getMostSignificantBits()).putLong(logId.getLeastSignificantBits());
        header.putLong(index).putLong(copy.bytes()).putInt(copy.crc());
        header.putInt(CHECK_AT, LogFiles.checkOf(header, 0)).clear();
        FILE.prepare(storage, HEADER_BYTES + (long) copy.bytes(), durableIndex, file -> {
            copy.rewind();
            WriteFully.fully(file, header.rewind(), 0);
            writeState(file, durableIndex, copy);
            copy.checkUnchanged();
        });
        return checksOf(header);
    }

    /** What distinguishes one checkpoint from others: both of its checks. */
    private static long checksOf(ByteBuffer header) {
        return (long) header.getInt(CHECK_AT) << Integer.SIZE | Integer.toUnsignedLong(header.getInt(STATE_CRC_AT));
    }

    /**
     * After the log was emptied: the checkpoint that it was emptied for gets its name, or the one before is deleted, durably.
     *
     * @param checks of the checkpoint that it was emptied for, 0 if for none
     */
    public static void settle(Storage storage, long checks) throws IOException {
        if (nameOf(storage, checks).equals(NEXT)) {
            storage.rename(NEXT, NAME);
        } else if (checks == 0 && storage.list().contains(NAME)) {
            storage.delete(NAME);
        }
        PermanentFailure.forceDirectory(storage); // also if an earlier one was not forced
    }

    /** The file of the checkpoint that a log was emptied for; {@link #NAME} if for none. */
    public static String nameOf(Storage storage, long checks) throws IOException {
        if (checks == 0) {
            return NAME;
        }
        for (String name : List.of(NEXT, NAME)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
            try (ReadAround file = ReadAround.open(storage, name)) {
                readFully(file, header, 0);
            } catch (NoSuchFileException none) {
                continue;
            }
            if (checksOf(header) == checks) {
                return name;
            }
        }
        throw damaged(NAME, 0, "the checkpoint for which the log was emptied", "none, or another one");
    }

    /**
     * Reserves the space for the next checkpoint, which may be somewhat larger than the last.
     *
     * @param state the last state
     */
    public static void reserveSpace(Storage storage, LongSupplier durableIndex, ByteBuffer... state)
            throws IOException {
        long bytes = HEADER_BYTES;
        for (ByteBuffer part : state) {
            bytes += part.remaining();
        }
        FILE.keepSpare(storage, bytes, durableIndex);
    }

    /** In pieces: the runtime would copy a large heap buffer into a direct one of the same size, and keep that. */
    private static void writeState(Storage.FileHandle file, LongSupplier durableIndex, StateCopy state)
            throws IOException {
        PacedWriter writer = new PacedWriter(file, durableIndex);
        ByteBuffer chunk = ByteBuffer.allocateDirect(Math.min(PacedWriter.MOST_BYTES, Math.max(1, state.bytes())));
        for (int done = 0; done < state.bytes(); done += chunk.limit()) {
            int piece = Math.min(chunk.capacity(), writer.pieceBytes());
            state.copyTo(chunk.clear().limit(Math.min(piece, state.bytes() - done)));
            writer.write(chunk.flip(), HEADER_BYTES + (long) done);
        }
    }

    /**
     * Reads the checkpoint of the log with this head.
     *
     * @return null if there is none
     * @throws LogDamagedException if it is not a valid one
     * @throws NewerFormatException if a newer plog wrote it
     */
    public static @Nullable CheckpointFile read(Storage storage, HeadFile head) throws IOException {
        return read(storage, NAME, head);
    }

    /** Reads a checkpoint from a file with one of the two names. */
    public static @Nullable CheckpointFile read(Storage storage, String name, HeadFile head) throws IOException {
        try (ReadAround file = ReadAround.open(storage, name)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
            readFully(file, header, 0);
            file.checkWhole(name);
            if (header.hasRemaining()) {
                throw damaged(name, 0, "a header of " + HEADER_BYTES + " bytes", header.position() + " bytes");
            }
            UUID logId = checkHeader(header, name);
            if (!logId.equals(head.logId())) {
                throw damaged(name, 16, "log id " + head.logId(), "a checkpoint of another log, " + logId);
            }
            if (header.getLong(32) < 0) {
                throw damaged(name, 32, "an index below 2^63", Long.toUnsignedString(header.getLong(32)));
            }
            long stateBytes = header.getLong(40);
            if (stateBytes < 0 || stateBytes > StateCopy.MOST_BYTES) {
                throw damaged(
                        name,
                        40,
                        "a state of at most " + StateCopy.MOST_BYTES + " bytes",
                        Long.toUnsignedString(stateBytes));
            }
            if (file.size() < HEADER_BYTES + stateBytes) {
                throw damaged(
                        name,
                        file.size(),
                        "a file of at least " + (HEADER_BYTES + stateBytes) + " bytes",
                        file.size() + " bytes");
            }
            ByteBuffer state = readState(file, (int) stateBytes, name);
            file.checkWhole(name);
            int crc = Payload.crcOf(state.duplicate());
            if (crc != header.getInt(STATE_CRC_AT)) {
                throw damaged(
                        name,
                        HEADER_BYTES,
                        "a state with crc " + LogFiles.hex(header.getInt(STATE_CRC_AT)),
                        "bytes that give " + LogFiles.hex(crc));
            }
            return new CheckpointFile(header.getLong(32), state);
        } catch (NoSuchFileException none) {
            return null;
        }
    }

    private static UUID checkHeader(ByteBuffer header, String name) throws LogException {
        if (header.getLong(0) != MAGIC) {
            throw damaged(name, 0, LogFiles.hex(MAGIC), LogFiles.hex(header.getLong(0)));
        }
        int computed = LogFiles.checkOf(header, 0);
        if (header.getInt(CHECK_AT) != computed) {
            throw damaged(name, CHECK_AT, "check " + LogFiles.hex(computed), LogFiles.hex(header.getInt(CHECK_AT)));
        }
        NewerFormatException.check(name, header.getInt(8), VERSION);
        if (header.getInt(8) != VERSION) {
            throw damaged(name, 8, "format version " + VERSION, "version " + header.getInt(8));
        }
        return new UUID(header.getLong(16), header.getLong(24));
    }

    /** Heap memory, since a service keeps what it restores from; read in pieces for the same reason as written so. */
    private static ByteBuffer readState(Storage.FileHandle file, int bytes, String name) throws IOException {
        ByteBuffer state = ByteBuffer.allocate(bytes);
        ByteBuffer chunk = ByteBuffer.allocateDirect(Math.min(CHUNK_BYTES, Math.max(1, bytes)));
        while (state.hasRemaining()) {
            chunk.clear().limit(Math.min(chunk.capacity(), state.remaining()));
            readFully(file, chunk, HEADER_BYTES + (long) state.position());
            if (chunk.position() == 0) {
                throw damaged(
                        name, HEADER_BYTES + state.position(), "a state of " + bytes + " bytes", "the end of the file");
            }
            state.put(chunk.flip());
        }
        return state.flip();
    }

    private static void readFully(Storage.FileHandle file, ByteBuffer target, long position) throws IOException {
        int start = target.position();
        while (target.hasRemaining() && file.read(target, position + target.position() - start) >= 0) {}
    }

    private static LogDamagedException damaged(String name, long offset, String expected, String found) {
        return new LogDamagedException(name, offset, expected, found, LogDamagedException.RESTORE);
    }
}
