package io.plog.measure;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import javax.net.ssl.SSLSocket;

/**
 * A secure socket, as {@link MeasuringConnection} reads and writes it: on the caller's own thread, without an object for each exchange
 * but those of the JDK. For one thread.
 */
final class TlsChannel implements ByteChannel {
    private final SSLSocket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] piece = new byte[16 << 10]; // as much as a record of TLS holds

    TlsChannel(SSLSocket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        int bytes = in.read(piece, 0, Math.min(piece.length, to.remaining()));
        if (bytes > 0) {
            to.put(piece, 0, bytes);
        }
        return bytes;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int bytes = Math.min(piece.length, from.remaining());
        from.get(piece, 0, bytes);
        out.write(piece, 0, bytes);
        return bytes;
    }

    @Override
    public boolean isOpen() {
        return !socket.isClosed();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
