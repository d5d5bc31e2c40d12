package io.plog.measure.load;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Messages between a coordinator and a worker over one TCP connection; {@code docs/operations.md} lists them.
 *
 * <pre>
 *  0        4      5
 * +--------+------+------
 * | length | type | body
 * |  u32   |  u8  |
 * +--------+------+------
 * </pre>
 *
 * {@code length} counts the bytes after itself. Any thread may send; one receives.
 */
final class ControlConnection implements Closeable {
    /** The version of these messages; the version of plog is checked as well. */
    static final int PROTOCOL = 1;

    static final int JOIN = 1;
    static final int PLAN = 2;
    static final int REFUSED = 3;
    static final int READY = 4;
    static final int CLOCK = 5;
    static final int TIME = 6;
    static final int START = 7;
    static final int PROGRESS = 8;
    static final int STOP = 9;
    static final int FILE = 10;
    static final int PIECE = 11;
    static final int FILE_END = 12;

    /** No message is longer. */
    static final int MOST_BYTES = 256 * 1024;

    /** Pieces of a file are this long but for the last. */
    static final int PIECE_BYTES = 64 * 1024;

    /** A live peer sends a message at least this often. */
    static final int SILENCE_MILLIS = 10_000;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    /** What came. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Message(int type, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        /** The number that the body is. */
        long number() throws IOException {
            if (body.length != Long.BYTES) {
                throw new IOException(
                        "a message of type " + type + " with " + body.length + " bytes: expected " + Long.BYTES);
            }
            return ByteBuffer.wrap(body).getLong();
        }
    }

    ControlConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(SILENCE_MILLIS);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), PIECE_BYTES + 64));
    }

    String peer() {
        return String.valueOf(socket.getRemoteSocketAddress()).replaceFirst("^/", "");
    }

    void send(int type) throws IOException {
        send(type, new byte[0], 0);
    }

    void send(int type, long number) throws IOException {
        send(type, ByteBuffer.allocate(Long.BYTES).putLong(number).array(), Long.BYTES);
    }

    void send(int type, String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        send(type, utf8, utf8.length);
    }

    synchronized void send(int type, byte[] body, int length) throws IOException {
        out.writeInt(1 + length);
        out.writeByte(type);
        out.write(body, 0, length);
        out.flush();
    }

    /**
     * Waits for the next message.
     *
     * @throws IOException if none comes in time, the connection ends, or it is no such message
     */
    Message receive() throws IOException {
        try {
            int length = in.readInt();
            if (length < 1 || length > MOST_BYTES) {
                throw new IOException("it sent a message of " + Integer.toUnsignedString(length)
                        + " bytes: expected 1 to " + MOST_BYTES + ", so it is no plog load");
            }
            int type = in.readUnsignedByte();
            byte[] body = in.readNBytes(length - 1);
            if (body.length < length - 1) {
                throw new EOFException();
            }
            return new Message(type, body);
        } catch (SocketTimeoutException e) {
            throw new IOException("nothing came for " + SILENCE_MILLIS / 1000 + " s", e);
        } catch (EOFException e) {
            throw new IOException("it closed the connection", e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Nobody waits for the outcome of the close.
        }
    }
}
