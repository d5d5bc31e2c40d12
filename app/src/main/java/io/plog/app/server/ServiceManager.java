package io.plog.app.server;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Socket;
import io.plog.server.PlogServer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** systemd, if it waits to hear of this process: {@code sd_notify(3)}, by a datagram, for which Java has no sockets and Netty has. */
final class ServiceManager {
    private ServiceManager() {}

    /**
     * Says that the server listens, and from now on, if that is asked for, that it still accepts connections.
     *
     * @throws IOException if the manager cannot be told
     */
    static void tell(PlogServer server) throws IOException {
        String address = System.getenv("NOTIFY_SOCKET");
        if (address == null) {
            return;
        }
        if (!Epoll.isAvailable() || !send(address, "READY=1")) {
            throw new IOException("systemd cannot be told at " + address + " that the server listens; start it without"
                    + " Type=notify, or where Netty's library for epoll works");
        }
        long micros = Long.parseLong(System.getenv().getOrDefault("WATCHDOG_USEC", "0"));
        if (micros > 0) {
            server.whileAccepting(Duration.ofNanos(micros * 1_000 / 3), () -> send(address, "WATCHDOG=1"));
        }
    }

    /** Never waits; whether it was sent. An abstract address begins with 0, and is written with @. */
    @SuppressWarnings("try") // closes
    private static boolean send(String address, String message) {
        byte[] path = address.replaceFirst("^@", "\0").getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocateDirect(message.length()).put(message.getBytes(StandardCharsets.US_ASCII));
        Socket socket = Socket.newSocketDomainDgram();
        try (Closeable closing = socket::close) {
            return socket.sendToDomainSocket(bytes, 0, bytes.position(), path) == bytes.position();
        } catch (IOException e) {
            return false;
        }
    }
}
