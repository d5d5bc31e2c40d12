package io.plog.measure.ledger;

import io.plog.measure.Periodic;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * The client's own record of what was acknowledged: a text file, one line for each acknowledgement, appended after the
 * reply arrived: {@code client request target index length crc32c}, decimal but for the checksum of the payload as sent,
 * which has eight hex digits. {@code target} is the target's id; {@code index} is 0 where nothing was logged.
 *
 * <p>Lines are forced one by one, or all that came in an interval together, by a thread of the writer's own. After a
 * write or a force that failed, everything fails with that first cause: a ledger that may lack a line must not go on.
 *
 * <p>Thread-safe. Whole lines only are written.
 */
public final class AuditLedgerWriter implements Closeable {
    private static final int BUFFER_BYTES = 64 * 1024;

    private static final long FORCE_MILLIS = 100;

    private final String name;
    private final LedgerFile file;
    private final @Nullable Periodic forcing; // null if each line is forced

    /** Taken before this object's own lock. A thread that waits for it may find that the one before has forced its line, too. */
    private final Object forceLock = new Object();

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final byte[] digits = new byte[20];
    private long lines;
    private @Nullable LedgerException failure;

    private long forcedLines; // guarded by forceLock

    /**
     * Writes to a file that is open; tests bring their own.
     *
     * @param forceMillis in which interval lines are forced; 0 for each by itself
     */
    AuditLedgerWriter(String name, LedgerFile file, long forceMillis) {
        this.name = name;
        this.file = file;
        forcing = forceMillis == 0 ? null : new Periodic("plog-ledger", forceMillis, this::forceLater);
    }

    /**
     * Opens a ledger to append to it, and creates it if it is not there. Its name is forced with its directory. An
     * unfinished line at its end, from a client that was killed, is cut.
     *
     * @throws LedgerException if it cannot be opened, or somebody else is writing it
     */
    public static AuditLedgerWriter open(LedgerOptions options) throws LedgerException {
        String name = options.file().toString();
        try {
            return new AuditLedgerWriter(name, LedgerFile.open(options.file()), options.forceEach() ? 0 : FORCE_MILLIS);
        } catch (IOException e) {
            throw new LedgerException("ledger " + name + " cannot be opened: " + reason(e), e);
        }
    }

    /**
     * Appends a line, and forces it if each is to be forced. Allocates nothing.
     *
     * @param client a u64
     * @param request a u64
     * @param targetId 0 to 65535
     * @param index 0 if the request was not logged
     * @param length of the payload, in bytes
     * @param crc32c of the payload
     * @throws LedgerException if this or any earlier line could not be written or forced
     */
    public void add(long client, long request, int targetId, long index, int length, int crc32c)
            throws LedgerException {
        long mine;
        synchronized (this) {
            checkUsable();
            if (buffer.remaining() < LedgerLine.LONGEST_BYTES) {
                writeOut();
            }
            LedgerLine.put(buffer, digits, client, request, targetId, index, length, crc32c);
            mine = ++lines;
        }
        if (forcing == null) {
            force(mine);
        }
    }

    /** Returns when every line added before this call is stable. */
    private void force() throws LedgerException {
        long all;
        synchronized (this) {
            checkUsable();
            all = lines;
        }
        force(all);
    }

    private void force(long upTo) throws LedgerException {
        synchronized (forceLock) {
            if (forcedLines >= upTo) {
                return;
            }
            long written;
            synchronized (this) {
                checkUsable();
                writeOut();
                written = lines;
            }
            try {
                file.force();
            } catch (IOException e) {
                throw fail("forced", e);
            }
            forcedLines = written;
        }
    }

    private synchronized void writeOut() throws LedgerException {
        buffer.flip();
        try {
            file.append(buffer);
        } catch (IOException e) {
            throw fail("written", e);
        } finally {
            buffer.clear();
        }
    }

    private synchronized LedgerException fail(String what, IOException cause) {
        if (failure == null) {
            failure = new LedgerException(
                    "ledger " + name + " could not be " + what + " (" + reason(cause)
                            + "); the acknowledgements since its last force may be missing in it",
                    cause);
        }
        return failure;
    }

    private synchronized void checkUsable() throws LedgerException {
        if (failure != null) {
            // The background thread may have failed first; it has no caller to throw to.
            throw new LedgerException(String.valueOf(failure.getMessage()), failure);
        }
    }

    private void forceLater() {
        try {
            force();
        } catch (LedgerException e) {
            // Kept as the failure: the next call from another thread throws it.
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such directory";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileSystemException known && known.getReason() != null) {
            return known.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /**
     * Writes and forces what is left.
     *
     * @throws LedgerException if that, or anything before it, failed
     */
    @Override
    public void close() throws LedgerException {
        if (forcing != null) {
            forcing.close();
        }
        try {
            force(); // waits for one that is under way; a later one finds every line forced
        } finally {
            closeFile();
        }
    }

    private void closeFile() throws LedgerException {
        try {
            file.close();
        } catch (IOException e) {
            throw fail("closed", e);
        }
    }
}
