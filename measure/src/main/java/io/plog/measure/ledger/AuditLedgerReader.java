package io.plog.measure.ledger;

import io.plog.protocol.Frame;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a ledger strictly, line by line; {@link AuditLedgerWriter} says what a line holds. What no writer writes is refused. The
 * one exception is a last line without a line feed: that is an append that was interrupted, which is left out and reported by
 * {@link #unfinishedBytes}.
 *
 * <p>Memory is bounded whatever the file holds, and {@link #next} allocates nothing. For one thread.
 */
public final class AuditLedgerReader implements Closeable {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int MAX_TARGET = 0xFFFF;
    private static final int CHECKSUM_DIGITS = 8;
    private static final int SHOWN_BYTES = 48;

    private final String name;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private boolean atEnd;

    // Where the current line is in the buffer, and what stands there.
    private int lineStart;
    private int at;
    private int lineEnd;
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
        this.in = in;
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
        if (!findLine()) {
            return false;
        }
        if (lines == 0) {
            checkVersion();
        }
        lines++;
        at = lineStart;
        client = number("the client's id", -1L);
        request = number("the request's number", -1L);
        target = (int) number("the target's id", MAX_TARGET);
        index = number("the record's index", Long.MAX_VALUE);
        length = (int) number("the payload's length", Frame.MAX_PAYLOAD_BYTES);
        crc32c = checksum();
        return true;
    }

    private void checkVersion() throws IOException {
        String objection = LedgerLine.objection(ByteBuffer.wrap(buffer, lineStart, position - lineStart));
        if (!objection.isEmpty()) {
            throw new IOException("ledger " + name + ": " + objection);
        }
    }

    /** Has the whole line in the buffer, or says that there is none. */
    private boolean findLine() throws IOException {
        int scanned = position;
        while (true) {
            for (; scanned < limit; scanned++) {
                if (scanned - position >= LedgerLine.LONGEST_BYTES) {
                    throw wrong(
                            lines + 1,
                            "a line of at most " + (LedgerLine.LONGEST_BYTES - 1) + " bytes",
                            "a longer one that begins with " + shown(position, scanned));
                }
                if (buffer[scanned] == '\n') {
                    lineStart = position;
                    lineEnd = scanned;
                    position = scanned + 1;
                    return true;
                }
            }
            if (atEnd) {
                unfinishedBytes = limit - position;
                return false;
            }
            scanned -= position;
            fill();
        }
    }

    private void fill() throws IOException {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        limit -= position;
        position = 0;
        int count = in.read(buffer, limit, buffer.length - limit);
        if (count < 0) {
            atEnd = true;
        } else {
            limit += count;
        }
    }

    /** Reads a decimal number and the space behind it. */
    private long number(String what, long most) throws LedgerFormatException {
        int start = at;
        long value = 0;
        boolean fits = true;
        while (at < lineEnd && buffer[at] >= '0' && buffer[at] <= '9') {
            int digit = buffer[at] - '0';
            // The largest u64 is ten times this, and five more.
            long tenth = 0x1999999999999999L;
            int order = Long.compareUnsigned(value, tenth);
            fits &= order < 0 || (order == 0 && digit <= 5);
            value = value * 10 + digit;
            at++;
        }
        boolean isNumber = at > start && (buffer[start] != '0' || at == start + 1);
        if (!isNumber || !fits || Long.compareUnsigned(value, most) > 0) {
            throw wrong(lines, what + ", 0 to " + Long.toUnsignedString(most), field(start));
        }
        if (at == lineEnd || buffer[at] != ' ') {
            throw wrong(lines, "one space after " + what, at == lineEnd ? "the end of the line" : shown(at, lineEnd));
        }
        at++;
        return value;
    }

    private int checksum() throws LedgerFormatException {
        int start = at;
        int value = 0;
        for (; at < lineEnd; at++) {
            byte b = buffer[at];
            int digit = b >= '0' && b <= '9' ? b - '0' : b >= 'a' && b <= 'f' ? b - 'a' + 10 : -1;
            if (digit < 0 || at - start == CHECKSUM_DIGITS) {
                break;
            }
            value = value << 4 | digit;
        }
        if (at != lineEnd || at - start != CHECKSUM_DIGITS) {
            throw wrong(
                    lines,
                    "the payload's CRC-32C in eight hex digits and the end of the line",
                    start == lineEnd ? "the end of the line" : shown(start, lineEnd));
        }
        return value;
    }

    private String field(int start) {
        int end = start;
        while (end < lineEnd && buffer[end] != ' ') {
            end++;
        }
        return start == lineEnd ? "the end of the line" : start == end ? "a space" : shown(start, end);
    }

    private LedgerFormatException wrong(long line, String expected, String found) {
        return new LedgerFormatException(name, line, expected, found);
    }

    /** The bytes as text that a terminal can take. */
    private String shown(int start, int end) {
        StringBuilder text = new StringBuilder("'");
        for (int i = start; i < end && i < start + SHOWN_BYTES; i++) {
            if (buffer[i] >= ' ' && buffer[i] < 0x7F) {
                text.append(new String(buffer, i, 1, StandardCharsets.US_ASCII));
            } else {
                text.append(String.format("\\x%02x", buffer[i]));
            }
        }
        return text.append(end - start > SHOWN_BYTES ? "...'" : "'").toString();
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
