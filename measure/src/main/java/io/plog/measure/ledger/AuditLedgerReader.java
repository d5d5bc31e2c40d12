package io.plog.measure.ledger;

import io.plog.protocol.Frame;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a ledger strictly, line by line; {@link AuditLedgerWriter} says what a line holds. What no writer writes is refused. The
 * one exception is a last line without a line feed: that is an append that was interrupted, which is left out and reported by
 * {@link #unfinishedBytes}.
 *
 * <p>Memory is bounded whatever the file holds. For one thread.
 */
public final class AuditLedgerReader implements Closeable {
    private static final int MAX_TARGET = 0xFFFF;
    private static final int SHOWN_BYTES = 48;
    private static final String NUMBER = "(0|[1-9][0-9]{0,19}) ";
    private static final Pattern LINE = Pattern.compile(NUMBER.repeat(5) + "([0-9a-f]{8})");
    private static final String EXPECTED = "the client's id and the request's number (0 to 18446744073709551615), the"
            + " target's id (to " + MAX_TARGET + "), the record's index (to " + Long.MAX_VALUE
            + "), the payload's length (to " + Frame.MAX_PAYLOAD_BYTES
            + "), and its CRC-32C in eight hex digits, with one space between them";

    private final String name;
    private final InputStream in;
    private final byte[] line = new byte[LedgerLine.LONGEST_BYTES];
    private int bytes; // of the current line
    private long lines;
    private long client;
    private long request;
    private int target;
    private long index;
    private int length;
    private int crc32c;
    private int unfinishedBytes;

    private AuditLedgerReader(String name, InputStream in) {
        this.name = name;
        this.in = new BufferedInputStream(in);
    }

    /**
     * Opens a file.
     *
     * @throws IOException if it cannot be opened
     */
    public static AuditLedgerReader open(Path file) throws IOException {
        return new AuditLedgerReader(file.toString(), Files.newInputStream(file));
    }

    /** Reads from a stream, which the reader closes in the end; the name is for messages. */
    public static AuditLedgerReader of(String name, InputStream in) {
        return new AuditLedgerReader(name, in);
    }

    /**
     * Goes to the next line.
     *
     * @return false at the end
     * @throws LedgerFormatException if the line is not one of a ledger
     * @throws IOException if the file cannot be read, or is of a newer version
     */
    public boolean next() throws IOException {
        if (!readLine()) {
            return false;
        }
        String later = lines == 0 ? LedgerLine.objection(ByteBuffer.wrap(line, 0, bytes)) : "";
        if (!later.isEmpty()) {
            throw new IOException("ledger " + name + ": " + later);
        }
        lines++;
        Matcher numbers = LINE.matcher(new String(line, 0, bytes - 1, StandardCharsets.ISO_8859_1));
        if (!numbers.matches() || !take(numbers)) {
            throw new LedgerFormatException(name, lines, EXPECTED, shown(bytes - 1));
        }
        return true;
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
        throw new LedgerFormatException(
                name,
                lines + 1,
                "a line of at most " + (line.length - 1) + " bytes",
                "a longer one that begins with " + shown(bytes));
    }

    /** Returns whether each number is in its range. */
    private boolean take(Matcher numbers) {
        try {
            client = Long.parseUnsignedLong(numbers.group(1));
            request = Long.parseUnsignedLong(numbers.group(2));
            target = Integer.parseInt(numbers.group(3));
            index = Long.parseLong(numbers.group(4));
            length = Integer.parseInt(numbers.group(5));
            crc32c = Integer.parseUnsignedInt(numbers.group(6), 16);
            return target <= MAX_TARGET && length <= Frame.MAX_PAYLOAD_BYTES;
        } catch (NumberFormatException tooLarge) {
            return false;
        }
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

    /** How many lines were read so far; the number of the current one, from 1. */
    public long line() {
        return lines;
    }

    /** The client's id, a u64. */
    public long client() {
        return client;
    }

    /** The client's number for the request, a u64. */
    public long request() {
        return request;
    }

    /** The target's id, 0 to 65535. */
    public int target() {
        return target;
    }

    /** The record's index in the target's log; 0 if it was not logged. */
    public long index() {
        return index;
    }

    /** The payload's length in bytes, 0 to {@link Frame#MAX_PAYLOAD_BYTES}. */
    public int length() {
        return length;
    }

    /** The payload's CRC-32C. */
    public int crc32c() {
        return crc32c;
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
