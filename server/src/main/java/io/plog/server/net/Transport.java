package io.plog.server.net;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.plog.server.options.TransportOption;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One of the operating system's interfaces through which sockets are served.
 *
 * @param option by which it is chosen
 * @param unavailable why this machine does not offer it; null if it does
 * @param handlers what event loops wait with
 * @param serverChannel of a port that is listened on
 */
record Transport(
        TransportOption option,
        Supplier<@Nullable Throwable> unavailable,
        Supplier<IoHandlerFactory> handlers,
        Class<? extends ServerChannel> serverChannel) {
    /** Netty's ways to ask the kernel once for all events to come. Read once, when its class {@link IoUring} is loaded. */
    private static final List<String> ASK_ONCE =
            List.of("io.netty.iouring.acceptMultiShotEnabled", "io.netty.iouring.pollAddMultishotEnabled");

    /** All there are, in the order in which one is used when those before it are refused. Nothing of one is loaded before it is asked for. */
    static List<Transport> all() {
        return List.of(
                new Transport(
                        TransportOption.IO_URING,
                        Transport::ioUringUnavailable,
                        IoUringIoHandler::newFactory,
                        IoUringServerSocketChannel.class),
                new Transport(
                        TransportOption.EPOLL,
                        Epoll::unavailabilityCause,
                        EpollIoHandler::newFactory,
                        EpollServerSocketChannel.class),
                new Transport(TransportOption.NIO, () -> null, NioIoHandler::newFactory, NioServerSocketChannel.class));
    }

    /**
     * Has the kernel asked for each connection and for each wait. Asked once for all connections, it says nothing when the process has
     * no file descriptor left; asked once for all waits, it does not say again that a connection was reset during a read, which then
     * stays open for ever.
     */
    private static @Nullable Throwable ioUringUnavailable() {
        ASK_ONCE.forEach(property -> System.getProperties().putIfAbsent(property, "false"));
        return IoUring.unavailabilityCause();
    }
}
