package io.plog.e2e.support;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Speaks the wire protocol byte by byte, from docs/protocol.md alone, so that a test sees exactly what is sent. */
public final class RawConnection implements AutoCloseable {
    private static final int VERSION = 1;
    public static final int WELCOME = 2;
    public static final int REPLY = 4;
    public static final int GOODBYE = 5;

    private static final int HEADER_BYTES = 88;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    public RawConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) Plog.PATIENCE.toMillis());
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** A connection that has been welcomed. */
    public static RawConnection welcomed(int port) throws IOException {
        RawConnection connection = new RawConnection(port);
        connection.send(hello());
        Frame welcome = connection.read();
        if (welcome.type != WELCOME) {
            throw new IOException("expected a WELCOME, got a frame of type " + welcome.type);
        }
        return connection;
    }

    public static byte[] hello() {
        return ByteBuffer.allocate(16)
                .putInt(12)
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) VERSION)
                .put("PLOG".getBytes(StandardCharsets.US_ASCII))
                .putInt(0)
                .array();
    }

    public static byte[] request(int target, long client, long number, byte[] payload) {
        return ByteBuffer.allocate(HEADER_BYTES + payload.length)
                .putInt(HEADER_BYTES - 4 + payload.length)
                .put((byte) 3)
                .put((byte) 0)
                .putShort((short) target)
                .position(64)
                .put((byte) 1)
                .position(72)
                .putLong(client)
                .putLong(number)
                .put(payload)
                .array();
    }

    public void send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** The next frame. */
    public Frame read() throws IOException {
        int length = in.readInt();
        byte[] bytes = new byte[4 + length];
        ByteBuffer.wrap(bytes).putInt(length);
        in.readFully(bytes, 4, length);
        return new Frame(bytes);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** One frame as it came. */
    public static final class Frame {
        public final int type;
        private final ByteBuffer bytes;

        public Frame(byte[] bytes) {
            this.bytes = ByteBuffer.wrap(bytes);
            this.type = bytes[4];
        }

        /** Of a REPLY: its status. */
        public int status() {
            return bytes.getShort(6);
        }

        /** Of a REPLY: the record's place in the log. */
        public long index() {
            return bytes.getLong(8);
        }

        /** Of a GOODBYE: its code. */
        public int code() {
            return bytes.getShort(6);
        }

        /** Of a GOODBYE: what it says. */
        public String reason() {
            byte[] reason = new byte[bytes.getShort(8)];
            bytes.get(10, reason);
            return new String(reason, StandardCharsets.UTF_8);
        }
    }
}
