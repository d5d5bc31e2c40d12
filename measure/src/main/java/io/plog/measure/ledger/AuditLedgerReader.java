package io.plog.measure.ledger;

import io.plog.protocol.security.RegularFile;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads a ledger strictly, line by line. What no writer writes is refused. The one exception is a last line without a line
 * feed: that is an append that was interrupted, which is left out and reported by {@link #unfinishedBytes}.
 *
 * <p>Memory is bounded whatever the file holds. For one thread.
 */
public final class AuditLedgerReader implements Closeable {
    private static final int SHOWN_BYTES = 48;

    private final String name;
    private final InputStream in;
    private final byte[] line = new byte[LedgerLine.LONGEST_BYTES];
    private int bytes; // of the current line
    private long lines;
    private int unfinishedBytes;

    private AuditLedgerReader(String name, InputStream in) {
        this.name = name;
        this.in = new BufferedInputStream(in);
    }

    public static AuditLedgerReader open(Path file) throws IOException {
        RegularFile.check(file, Long.MAX_VALUE);
        return of(file.toString(), Files.newInputStream(file));
    }

    /** Reads from a stream, which the reader closes in the end; the name is for messages. */
    public static AuditLedgerReader of(String name, InputStream in) {
        return new AuditLedgerReader(name, in);
    }

    /**
     * Reads the next line; null at the end.
     *
     * @throws LedgerException if the line is not one of a ledger; the message names it
     * @throws IOException if the file cannot be read, or is of a newer version
     */
    public @Nullable LedgerLine next() throws IOException {
        if (!readLine()) {
            return null;
        }
        String later = lines == 0 ? LedgerLine.objection(ByteBuffer.wrap(line, 0, bytes)) : "";
        if (!later.isEmpty()) {
            throw new IOException("ledger " + name + ": " + later);
        }
        lines++;
        LedgerLine read = LedgerLine.parse(new String(line, 0, bytes - 1, StandardCharsets.ISO_8859_1));
        if (read == null) {
            throw malformed(lines, LedgerLine.EXPECTED, shown(bytes - 1));
        }
        return read;
    }

    /** Says whether there is a whole line, which ends with its line feed. */
    private boolean readLine() throws IOException {
        for (bytes = 0; bytes < line.length; ) {
            int next = in.read();
            if (next < 0) {
                unfinishedBytes = bytes > 0 ? bytes : unfinishedBytes;
                return false;
            }
            line[bytes++] = (byte) next;
            if (next == '\n') {
                return true;
            }
        }
        throw malformed(
                lines + 1,
                "a line of at most " + (line.length - 1) + " bytes",
                "a longer one that begins with " + shown(bytes));
    }

    private LedgerException malformed(long number, String expected, String found) {
        return new LedgerException(
                "ledger " + name + ", line " + number + ": expected " + expected + ", found " + found, null);
    }

    /** The line's beginning as text that a terminal can take. */
    private String shown(int count) {
        StringBuilder text = new StringBuilder("'");
        for (int i = 0; i < Math.min(count, SHOWN_BYTES); i++) {
            boolean visible = line[i] >= ' ' && line[i] < 0x7F;
            text.append(visible ? String.valueOf((char) line[i]) : String.format("\\x%02x", line[i]));
        }
        return text.append(count > SHOWN_BYTES ? "...'" : "'").toString();
    }

    /** How many lines were read so far. */
    public long lines() {
        return lines;
    }

    /** At the end: how long the unfinished line is that was left out; 0 if there is none. */
    public int unfinishedBytes() {
        return unfinishedBytes;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
