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
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A TCP connection whose reads and writes block, with TLS if the options say so. For one thread; {@link #close} may come from any. */
final class BlockingConnection implements ByteChannel {
    private final SocketChannel channel;
    private final @Nullable SSLSocket secure;
    private final ByteBuffer[] pair = new ByteBuffer[2];
    private final byte[] piece = new byte[16 << 10]; // as much as a record of TLS holds

    private BlockingConnection(SocketChannel channel, @Nullable SSLSocket secure) {
        this.channel = channel;
        this.secure = secure;
    }

    /**
     * Connects to the first of the server's addresses that takes a connection.
     *
     * @throws RpcException if nobody listens there, or there can be no TLS
     */
    static BlockingConnection open(HostPort server, ClientOptions options) throws RpcException {
        try {
            return open(server, server.resolved(), options);
        } catch (UnknownHostException e) {
            throw ConnectionFailures.notThere(server.toString(), e);
        }
    }

    /** The same with addresses that are known. */
    static BlockingConnection open(HostPort server, List<InetSocketAddress> addresses, ClientOptions options)
            throws RpcException {
        SocketChannel channel;
        try {
            channel = connect(addresses, options.connectTimeoutMillis());
        } catch (IOException e) {
            throw ConnectionFailures.notThere(server.toString(), e);
        }
        try {
            return new BlockingConnection(channel, secure(channel, server, options));
        } catch (RpcException e) {
            close(channel);
            throw e;
        }
    }

    private static SocketChannel connect(List<InetSocketAddress> addresses, int millis) throws IOException {
        IOException failure = new IOException("no address");
        for (InetSocketAddress address : addresses) {
            SocketChannel channel = SocketChannel.open();
            try {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.socket().connect(address, millis);
                return channel;
            } catch (IOException e) {
                close(channel);
                failure = e;
            }
        }
        throw failure;
    }

    private static @Nullable SSLSocket secure(SocketChannel channel, HostPort server, ClientOptions options)
            throws RpcException {
        Tls tls = options.tls();
        if (tls == null) {
            return null;
        }
        Deadline deadline = new Deadline(options.connectTimeoutMillis(), () -> close(channel));
        try (deadline) {
            return tls.secure(channel.socket(), server.host(), server.port());
        } catch (IOException e) {
            String why = deadline.hasPassed()
                    ? "it took more than " + options.connectTimeoutMillis() + " ms"
                    : "the connection broke (" + e.getMessage() + ")";
            throw e instanceof SSLException wrong && !deadline.hasPassed()
                    ? TlsFailures.of(server.toString(), wrong)
                    : ConnectionFailures.noHandshake(server.toString(), why);
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

    /** That of the server's addresses which took the connection. */
    InetSocketAddress address() {
        return (InetSocketAddress) channel.socket().getRemoteSocketAddress();
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
