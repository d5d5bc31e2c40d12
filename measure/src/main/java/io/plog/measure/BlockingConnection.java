package io.plog.measure;

import io.plog.client.ClientOptions;
import io.plog.client.ConnectionFailures;
import io.plog.client.RpcException;
import io.plog.client.TlsFailures;
import io.plog.protocol.security.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A TCP connection whose reads and writes block, with TLS if the options say so. For one thread; {@link #close} may come from any. */
final class BlockingConnection implements ByteChannel {
    private final SocketChannel channel;
    private final @Nullable SSLSocket secure;
    private final boolean loopback;
    private final ByteBuffer[] pair = new ByteBuffer[2];
    private final byte[] piece = new byte[16 << 10]; // as much as a record of TLS holds

    private BlockingConnection(SocketChannel channel, @Nullable SSLSocket secure) {
        this.channel = channel;
        this.secure = secure;
        loopback = channel.socket().getInetAddress().isLoopbackAddress();
    }

    /**
     * Connects.
     *
     * @throws RpcException if nobody listens there, or there can be no TLS
     */
    static BlockingConnection open(String host, int port, ClientOptions options) throws RpcException {
        String peer = host + ":" + port;
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw ConnectionFailures.notThere(peer, new IOException("unknown host"));
        }
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open();
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().connect(address, options.connectTimeoutMillis());
            SSLSocket secure = secure(channel, host, port, options);
            BlockingConnection wire = new BlockingConnection(channel, secure);
            wire.socket().setSoTimeout(0);
            return wire;
        } catch (RpcException e) {
            close(channel);
            throw e;
        } catch (IOException e) {
            close(channel);
            throw ConnectionFailures.notThere(peer, e);
        }
    }

    private static @Nullable SSLSocket secure(SocketChannel channel, String host, int port, ClientOptions options)
            throws IOException {
        Tls tls = options.tls();
        if (tls == null) {
            return null;
        }
        String peer = host + ":" + port;
        try {
            channel.socket().setSoTimeout(options.connectTimeoutMillis());
            return tls.secure(channel.socket(), host, port);
        } catch (SSLException e) {
            throw TlsFailures.of(peer, e);
        } catch (IOException e) {
            throw ConnectionFailures.noHandshake(peer, "the connection broke (" + e.getMessage() + ")");
        }
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        if (secure == null) {
            return channel.read(to);
        }
        int bytes = secure.getInputStream().read(piece, 0, Math.min(piece.length, to.remaining()));
        if (bytes > 0) {
            to.put(piece, 0, bytes);
        }
        return bytes;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        if (secure == null) {
            return channel.write(from);
        }
        int bytes = Math.min(piece.length, from.remaining());
        from.get(piece, 0, bytes);
        secure.getOutputStream().write(piece, 0, bytes);
        return bytes;
    }

    /** As a socket, which has timeouts. */
    Socket socket() {
        return secure == null ? channel.socket() : secure;
    }

    boolean isLoopback() {
        return loopback;
    }

    /** Writes two buffers, with one system call if there is no TLS. */
    void write(ByteBuffer first, ByteBuffer second) throws IOException {
        pair[0] = first;
        pair[1] = second;
        while (first.hasRemaining() || second.hasRemaining()) {
            if (secure == null) {
                channel.write(pair);
            } else {
                write(first.hasRemaining() ? first : second);
            }
        }
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    /** Ends what blocks. */
    @Override
    public void close() {
        close(channel);
    }

    private static void close(@Nullable SocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // No thread waits for the outcome of the close.
        }
    }
}
