package io.plog.server.admin;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.plog.server.access.Access;
import io.plog.server.http.CallerCheck;
import io.plog.server.http.HttpResponses;
import io.plog.server.net.EventLoopChooser;
import io.plog.server.net.EventLoops;
import io.plog.server.net.PortBinder;
import io.plog.server.net.TransportSecurity;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TransportOption;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Metrics, health, events and checkpoints over HTTP, on a port and threads of its own: a slow scraper disturbs no request.
 *
 * <p>One event loop serves all connections and answers by itself what is known at once, such as health. What takes time happens on
 * {@link AdminWorker workers}, each for one kind of request and with room for a few. So nothing that is asked holds health up.
 * Connections are bounded in number and in the time that each may take ({@link AdminConnections}).
 */
public final class AdminServer implements AutoCloseable {
    private final EventLoopGroup loop;
    private final Channel listener;
    private final AdminRouter router;

    private AdminServer(EventLoopGroup loop, Channel listener, AdminRouter router) {
        this.loop = loop;
        this.listener = listener;
        this.router = router;
    }

    /**
     * Starts to serve.
     *
     * @param options of the server: where to listen, who may call, how long a request may take to come
     * @param acceptGuard handles connections that cannot be accepted
     * @param transportSecurity how connections come in
     * @param access who may ask for more than health
     * @throws ServerStartException if the port cannot be listened on
     */
    public static AdminServer start(
            ServerOptions options,
            AdminSources sources,
            ChannelHandler acceptGuard,
            TransportSecurity transportSecurity,
            Access access)
            throws ServerStartException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("plog-admin", true), NioIoHandler.newFactory());
        EventLoops loops = new EventLoops(loop, loop.next(), TransportOption.NIO, NioServerSocketChannel.class, "");
        CallerCheck callers =
                new CallerCheck(options.adminBind(), options.allowedHosts(), transportSecurity.isSecure());
        AdminRouter router = new AdminRouter(sources);
        AdminConnections connections = new AdminConnections(options.patience());
        try {
            Channel listener = new PortBinder(
                            options.adminBind(), loops, new EventLoopChooser(), ByteBufAllocator.DEFAULT)
                    .listen(options.adminPort(), "admin port", "--admin-port", acceptGuard, new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            transportSecurity.guard(channel, "admin port", HttpResponses::writeRefusal);
                            channel.pipeline().addLast(new AdminConnection(callers, access, router, connections));
                        }
                    });
            return new AdminServer(loop, listener, router);
        } catch (ServerStartException e) {
            router.close();
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
            throw e;
        }
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Closes all connections at once, those with an unfinished answer included. */
    @Override
    public void close() {
        router.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
