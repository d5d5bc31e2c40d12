package io.plog.log.bookkeeper;

import io.plog.log.Checkpoint;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.StateCopy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.zip.CRC32C;

/**
 * A checkpoint in a ledger of its own: entry 0 says what follows, and each further entry is a piece of the state, all but the last
 * of {@link #PIECE_BYTES}.
 *
 * <pre>
 *  0          8         12        16                32      40            48          52
 *  +----------+---------+---------+-----------------+-------+-------------+-----------+
 *  | magic    | version | check   | log             | index | state bytes | state crc |
 *  | PLOGCKPT |  u32 1  |  u32    | 16 bytes (UUID) |  u64  |     u64     |    u32    |
 *  +----------+---------+---------+-----------------+-------+-------------+-----------+
 * </pre>
 *
 * {@code check} is the CRC-32C of bytes 0 to 51 with {@code check} itself taken as zero.
 */
final class CheckpointLedger {
    static final int PIECE_BYTES = 1024 * 1024;
    private static final int HEADER_BYTES = 52;
    private static final int CHECK_AT = 12;
    private static final long MAGIC = 0x504C4F47434B5054L; // "PLOGCKPT"
    private static final int VERSION = 1;
    private static final int PIECES_UNDER_WAY = 8;

    private CheckpointLedger() {}

    /**
     * Writes it and closes the ledger: when this returns, it is stable.
     *
     * @throws io.plog.log.storage.LogRefusedException.StateChanged if the state changed meanwhile; the list must not name this ledger
     */
    static void write(LedgerWriter ledger, UUID log, long index, StateCopy state) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        header.putLong(MAGIC).putInt(VERSION).putInt(0);
        header.putLong(log.getMostSignificantBits()).putLong(log.getLeastSignificantBits());
        header.putLong(index).putLong(state.bytes()).putInt(state.crc());
        header.putInt(CHECK_AT, checkOf(header)).clear();
        Pieces pieces = new Pieces(ledger);
        pieces.append(header);
        for (int left = state.bytes(); left > 0; left -= PIECE_BYTES) {
            ByteBuffer piece = ByteBuffer.allocate(Math.min(PIECE_BYTES, left));
            state.copyTo(piece);
            pieces.append(piece.flip());
        }
        pieces.await();
        ledger.close();
        state.checkUnchanged();
    }

    /** A few entries are under way at once. */
    private static final class Pieces {
        private final LedgerWriter ledger;
        private CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        private int underWay;

        Pieces(LedgerWriter ledger) {
            this.ledger = ledger;
        }

        void append(ByteBuffer entry) throws IOException {
            if (underWay == PIECES_UNDER_WAY) {
                await();
            }
            CompletableFuture<Void> stored = new CompletableFuture<>();
            ledger.append(entry, failure -> {
                if (failure == null) {
                    stored.complete(null);
                } else {
                    stored.completeExceptionally(failure);
                }
            });
            all = all.thenCombine(stored, (one, other) -> null);
            underWay++;
        }

        void await() throws IOException {
            underWay = 0;
            try {
                all.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new LogException("interrupted while saving a checkpoint; the one before is there", e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
            }
        }
    }

    /** Reads the checkpoint that the list names. */
    static Checkpoint read(LedgerStore store, LedgerList list, LedgerList.Pointer pointer) throws IOException {
        try (LedgerReader reader = store.openLedger(pointer.ledger())) {
            ByteBuffer header = reader.entries() < 1 ? ByteBuffer.allocate(0) : entry(reader, 0);
            if (header.remaining() != HEADER_BYTES
                    || header.getLong(0) != MAGIC
                    || header.getInt(CHECK_AT) != checkOf(header)) {
                throw damaged(pointer, 0, "a checkpoint's first entry", header.remaining() + " other bytes");
            }
            if (header.getInt(8) > VERSION) {
                throw new LogException(
                        "the checkpoint was written by a newer version (form " + header.getInt(8)
                                + ", this program knows " + VERSION + "): use that version",
                        null);
            }
            UUID log = new UUID(header.getLong(16), header.getLong(24));
            if (!log.equals(list.log()) || header.getLong(32) != pointer.index()) {
                throw damaged(
                        pointer,
                        0,
                        "the checkpoint of log " + list.log() + " at index " + pointer.index(),
                        "that of log " + log + " at index " + header.getLong(32));
            }
            return new Checkpoint(pointer.index(), state(reader, pointer, header.getLong(40), header.getInt(48)));
        } catch (LedgerStore.NoLedgerException e) {
            throw damaged(pointer, 0, "the checkpoint at index " + pointer.index(), "no such ledger");
        }
    }

    private static ByteBuffer state(LedgerReader reader, LedgerList.Pointer pointer, long bytes, int crc)
            throws IOException {
        long pieces = (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
        if (bytes < 0 || bytes > StateCopy.MOST_BYTES || reader.entries() != 1 + pieces) {
            throw damaged(pointer, 0, (1 + pieces) + " entries", reader.entries() + " entries");
        }
        ByteBuffer state = room((int) bytes, Runtime.getRuntime().maxMemory());
        for (long entry = 1; entry <= pieces; entry++) {
            ByteBuffer piece = entry(reader, entry);
            if (piece.remaining() != Math.min(PIECE_BYTES, state.remaining())) {
                throw damaged(pointer, entry, "a full piece of the state", piece.remaining() + " bytes");
            }
            state.put(piece);
        }
        CRC32C found = new CRC32C();
        found.update(state.flip());
        if ((int) found.getValue() != crc) {
            throw damaged(pointer, 1, "a state with check " + Integer.toHexString(crc), "another one");
        }
        return state.flip();
    }

    /** Room for a state, if the heap may become large enough. */
    static ByteBuffer room(int bytes, long heapBytes) throws LogException {
        OutOfMemoryError refused = null;
        if (bytes < heapBytes) { // or the JVM may be one that ends when it is refused memory, and says less
            try {
                return ByteBuffer.allocate(bytes);
            } catch (OutOfMemoryError e) {
                refused = e;
            }
        }
        throw new LogException(
                "the log's checkpoint has a state of " + bytes + " bytes, for which the heap, at most " + heapBytes
                        + " bytes, is too small. Nothing was changed; give the JVM more (-Xmx)",
                refused);
    }

    private static ByteBuffer entry(LedgerReader reader, long entry) throws IOException {
        return reader.read(entry, entry).get(0);
    }

    private static LogException damaged(LedgerList.Pointer pointer, long entry, String expected, String found) {
        return new LogDamagedException(
                "ledger " + pointer.ledger() + " (checkpoint)",
                entry,
                expected,
                found,
                "The offset counts entries. Nothing was changed; restore the ledger's bookies from a copy");
    }

    private static int checkOf(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.slice(0, CHECK_AT));
        crc.update(new byte[Integer.BYTES]);
        crc.update(header.slice(CHECK_AT + Integer.BYTES, HEADER_BYTES - CHECK_AT - Integer.BYTES));
        return (int) crc.getValue();
    }
}
