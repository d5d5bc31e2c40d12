package io.plog.server.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.NetUtil;
import io.plog.server.options.ServerStartException;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Opens the ports whose connections the server's event loops serve. Safe for any thread but an event loop. */
public final class PortBinder {
    /**
     * A client that leaves this much unread is not read either. Bytes below it are not counted against the budget of all
     * connections, so they are few; a longer answer passes through without the client's noticing.
     */
    private static final WriteBufferWaterMark UNREAD = new WriteBufferWaterMark(32 << 10, 64 << 10);

    private final String bind;
    private final EventLoops loops;
    private final EventLoopChooser chooser;
    private final ByteBufAllocator allocator;

    /** @param chooser is asked for the loop of each connection */
    public PortBinder(String bind, EventLoops loops, EventLoopChooser chooser, ByteBufAllocator allocator) {
        this.bind = bind;
        this.loops = loops;
        this.chooser = chooser;
        this.allocator = allocator;
    }

    /**
     * Listens on a port. Blocks.
     *
     * @param port 0 for any that is free
     * @param what it is, for a sentence
     * @param option with which another port is chosen, for a sentence
     * @param acceptGuard handles connections that cannot be accepted
     * @param connections prepares each connection
     * @throws ServerStartException if the port cannot be listened on
     */
    public Channel listen(
            int port, String what, String option, ChannelHandler acceptGuard, ChannelInitializer<Channel> connections)
            throws ServerStartException {
        InetSocketAddress address = new InetSocketAddress(bind, port);
        if (address.isUnresolved()) {
            throw new ServerStartException("address " + bind + " is unknown: expected one of this machine's addresses");
        }
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops.accepting(), loops.group())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_BACKLOG, 1_024)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, onceATurn())
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNREAD)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(acceptGuard, new Accepting(chooser));
                    }
                })
                .childHandler(connections);
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw failed(what + " " + NetUtil.toSocketAddressString(bind, port), option, bound.cause());
        }
        return bound.channel();
    }

    private static ServerStartException failed(String port, String option, Throwable cause) {
        if (cause instanceof ServerStartException known) {
            return known;
        }
        String message = String.valueOf(cause.getMessage());
        // By the system's words: the JDK has one type, BindException, for this and for an address of another machine.
        return new ServerStartException(
                port
                        + (message.contains("in use")
                                ? " is in use: stop what listens there, or choose another with " + option
                                : " cannot be listened on: " + message),
                cause instanceof IOException ? cause : null);
    }

    /**
     * Reports each connection before it is given to an event loop. After some of a burst the others wait until the loop of the last
     * has taken it: a loop prepares all that it was given before it serves anybody.
     */
    private static final class Accepting extends ChannelInboundHandlerAdapter {
        private static final int AT_ONCE = 8;

        private final EventLoopChooser chooser;
        private long accepted;

        Accepting(EventLoopChooser chooser) {
            this.chooser = chooser;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            Channel connection = (Channel) message;
            chooser.accepted(connection);
            accepted++;
            if (accepted % AT_ONCE != 0) {
                ctx.fireChannelRead(connection);
                return;
            }
            ctx.channel().config().setAutoRead(false);
            ctx.fireChannelRead(connection);
            connection.eventLoop().execute(() -> ctx.channel().config().setAutoRead(true));
        }
    }

    /**
     * Reads each connection once, at most 64 KiB, before the event loop looks at the next. A connection then waits for one such
     * read of each neighbour that sends, and not for sixteen.
     */
    private static RecvByteBufAllocator onceATurn() {
        return new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1);
    }
}
