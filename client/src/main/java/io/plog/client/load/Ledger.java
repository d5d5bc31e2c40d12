package io.plog.client.load;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The client's own record of what was acknowledged: a text file, one line for each acknowledgement, appended after the
 * reply arrived: {@code client request target index length crc32c}, decimal but for the checksum of the payload as sent,
 * which has eight hex digits. {@code target} is the target's id; {@code index} is 0 where nothing was logged.
 *
 * <p>Thread-safe. Lines are buffered until {@link #flush} or until the buffer is full; whole lines only are written.
 */
final class Ledger implements Closeable {
    private static final int LONGEST_LINE_BYTES = 5 * 21 + 9;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);
    private final byte[] digits = new byte[20];

    private Ledger(FileChannel channel) {
        this.channel = channel;
    }

    /** Opens a ledger to append to it, and creates it if it is not there. */
    static Ledger open(Path file) throws IOException {
        return new Ledger(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    /** Appends a line. Client, request and index are u64; allocates nothing. */
    synchronized void add(long client, long request, int targetId, long index, int length, int crc) throws IOException {
        if (buffer.remaining() < LONGEST_LINE_BYTES) {
            flush();
        }
        putDecimal(client);
        putDecimal(request);
        putDecimal(targetId);
        putDecimal(index);
        putDecimal(length);
        for (int shift = 28; shift >= 0; shift -= 4) {
            buffer.put(HEX[crc >>> shift & 0xF]);
        }
        buffer.put((byte) '\n');
    }

    private void putDecimal(long value) {
        int at = digits.length;
        long rest = value;
        do {
            digits[--at] = (byte) ('0' + Long.remainderUnsigned(rest, 10));
            rest = Long.divideUnsigned(rest, 10);
        } while (rest != 0);
        buffer.put(digits, at, digits.length - at).put((byte) ' ');
    }

    /** Hands everything to the operating system. */
    synchronized void flush() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    @Override
    public synchronized void close() throws IOException {
        try {
            flush();
        } finally {
            channel.close();
        }
    }
}
