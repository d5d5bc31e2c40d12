package io.plog.server.net;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** How sockets are served: epoll where there is one, else the JDK's selectors. */
public record Transport(String name, IoHandlerFactory handlers, Class<? extends ServerChannel> serverChannel) {

    /**
     * The best that this machine has.
     *
     * @param wait how event loops wait
     */
    public static Transport best(SelectStrategyFactory wait) {
        return Epoll.isAvailable()
                ? new Transport("epoll", EpollIoHandler.newFactory(0, wait), EpollServerSocketChannel.class)
                : new Transport(
                        "nio",
                        NioIoHandler.newFactory(SelectorProvider.provider(), wait),
                        NioServerSocketChannel.class);
    }
}
