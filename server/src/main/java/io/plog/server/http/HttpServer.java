package io.plog.server.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.plog.server.net.EventLoopChooser;
import io.plog.server.net.EventLoops;
import io.plog.server.net.PortBinder;
import io.plog.server.net.TransportSecurity;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TransportOption;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests over HTTP that append nothing, on a port and threads of its own: a slow client disturbs no other request.
 *
 * <p>One event loop serves all connections, and its {@link Router} answers by itself what is known at once. What takes time happens on
 * {@link HttpWorker workers}, each for one kind of request and with room for a few. So nothing that is asked holds another kind up.
 * Connections are bounded in number and in the time that each may take ({@link HttpConnections}).
 */
public final class HttpServer implements AutoCloseable {
    /** Says what a request is for. Event loop only. */
    public interface Router extends AutoCloseable {
        /**
         * Answers a request, or says who does.
         *
         * @param exchange gets the answer if it is known at once
         * @return {@code null} if it is answered
         * @throws HttpException if the caller may not ask, which ends the connection
         */
        @Nullable
        Work route(Channel connection, HttpHead head, HttpExchange exchange) throws HttpException;

        @Override
        void close();
    }

    /** What a worker does, and who; and what is answered if it has no place. */
    public record Work(HttpWorker worker, Supplier<Answer> work, Answer busy) {
        /** Without a place the client tries again soon. */
        public Work(HttpWorker worker, Supplier<Answer> work) {
            this(
                    worker,
                    work,
                    Answer.say(
                            HttpStatus.SERVICE_UNAVAILABLE,
                            "too many ask for this at the same time: try again in a moment"));
        }
    }

    /** What is answered: its status, its media type and its text. */
    public record Answer(HttpStatus status, String type, String text) {
        public static Answer say(HttpStatus status, String sentence) {
            return new Answer(status, HttpExchange.TEXT, sentence + "\n");
        }
    }

    private final EventLoopGroup loop;
    private final Channel listener;
    private final Router router;

    private HttpServer(EventLoopGroup loop, Channel listener, Router router) {
        this.loop = loop;
        this.listener = listener;
        this.router = router;
    }

    /**
     * Starts to serve.
     *
     * @param port 0 for any that is free
     * @param what it is, for a sentence
     * @param option with which another port is chosen, for a sentence
     * @param patience how long a request may take to come
     * @param acceptGuard handles connections that cannot be accepted
     * @param transportSecurity how connections come in
     * @param router is closed with the server, and if that cannot be started
     * @throws ServerStartException if the port cannot be listened on
     */
    public static HttpServer start(
            String bind,
            int port,
            String what,
            String option,
            Duration patience,
            ChannelHandler acceptGuard,
            TransportSecurity transportSecurity,
            Router router)
            throws ServerStartException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("plog-http", true), NioIoHandler.newFactory());
        EventLoops loops = new EventLoops(loop, loop.next(), TransportOption.NIO, NioServerSocketChannel.class, "");
        HttpConnections connections = new HttpConnections(patience);
        try {
            Channel listener = new PortBinder(bind, loops, new EventLoopChooser(), ByteBufAllocator.DEFAULT)
                    .listen(port, what, option, acceptGuard, new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            transportSecurity.guard(channel, what, HttpResponses::writeRefusal);
                            channel.pipeline().addLast(new HttpConnection(router, connections));
                        }
                    });
            return new HttpServer(loop, listener, router);
        } catch (ServerStartException e) {
            router.close();
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
            throw e;
        }
    }

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
