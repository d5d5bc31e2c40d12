package io.plog.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Welcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One connection that has shaken hands, on an event loop that somebody else owns. {@link #send} and {@link #close} may
 * come from any thread; futures complete on the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what a close or a timer could still report is reported by the handler
final class Link implements Wire.Connection {
    private final Channel channel;
    private final ChannelHandlerContext context;
    private final ClientHandler handler;
    private final Welcome welcome;
    private final long clientId;

    private Link(Channel channel, ClientHandler handler, Welcome welcome, long clientId) {
        this.channel = channel;
        this.context = channel.pipeline().context(handler);
        this.handler = handler;
        this.welcome = welcome;
        this.clientId = clientId;
    }

    /** A loop with one daemon thread. */
    static EventLoop newLoop() {
        return new MultiThreadIoEventLoopGroup(
                        1,
                        new DefaultThreadFactory("plog-client", true),
                        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory())
                .next();
    }

    /** Ends a loop that {@link #newLoop} made, with all its connections. Returns at once. */
    static void shutDown(EventLoop loop) {
        loop.parent().shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /**
     * Connects and shakes hands; never blocks. The future completes on the loop, with a {@link ServerUnavailableException}
     * or an {@link IncompatibleServerException} if it came to nothing.
     *
     * @param ended receives, once and on the loop, why a connection that had shaken hands has ended; the requests that
     *     were outstanding fail right after that
     */
    static CompletableFuture<Link> open(
            EventLoop loop, String host, int port, ClientOptions options, Consumer<RpcException> ended) {
        String peer = NetUtil.toSocketAddressString(host, port);
        CompletableFuture<Link> opened = new CompletableFuture<>();
        if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
            connect(loop, List.of(new InetSocketAddress(host, port)), host, peer, options, ended, opened);
        } else {
            // Looking up a name may take seconds, and the loop has timers to keep.
            Thread lookup = new Thread(
                    () -> {
                        try {
                            List<InetSocketAddress> addresses = Stream.of(InetAddress.getAllByName(host))
                                    .map(each -> new InetSocketAddress(each, port))
                                    .toList();
                            loop.execute(() -> connect(loop, addresses, host, peer, options, ended, opened));
                        } catch (UnknownHostException e) {
                            opened.completeExceptionally(ConnectionFailures.notThere(peer, e));
                        } catch (RejectedExecutionException e) {
                            opened.completeExceptionally(new ServerUnavailableException("the client is closed", e));
                        }
                    },
                    "plog-lookup");
            lookup.setDaemon(true);
            lookup.start();
        }
        return opened;
    }

    /** Connects to the first of these addresses that takes a connection. */
    private static void connect(
            EventLoop loop,
            List<InetSocketAddress> addresses,
            String host,
            String peer,
            ClientOptions options,
            Consumer<RpcException> ended,
            CompletableFuture<Link> opened) {
        InetSocketAddress address = addresses.get(0);
        FrameDecoder decoder = FrameDecoder.forClient(0);
        CompletableFuture<Welcome> welcome = new CompletableFuture<>();
        ClientHandler handler = new ClientHandler(peer, options.token(), decoder, welcome, ended);
        var connected = new Bootstrap()
                .group(loop)
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .disableResolver()
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, options.connectTimeoutMillis())
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel ch) {
                        if (options.tls() != null) {
                            ch.pipeline().addLast(options.tls().handler(ch.alloc(), host, address.getPort()));
                        }
                        ch.pipeline().addLast(decoder, handler);
                    }
                })
                .connect(address);
        Channel channel = connected.channel();
        connected.addListener(done -> {
            if (!done.isSuccess() && addresses.size() > 1) {
                connect(loop, addresses.subList(1, addresses.size()), host, peer, options, ended, opened);
                return;
            }
            if (!done.isSuccess()) {
                welcome.completeExceptionally(ConnectionFailures.notThere(peer, done.cause()));
                return;
            }
            var impatience = loop.schedule(
                    () -> {
                        if (welcome.completeExceptionally(ConnectionFailures.noWelcome(
                                peer, "no whole one came within " + options.connectTimeoutMillis() + " ms"))) {
                            channel.close();
                        }
                    },
                    options.connectTimeoutMillis(),
                    TimeUnit.MILLISECONDS);
            welcome.whenComplete((said, failure) -> impatience.cancel(false));
        });
        welcome.whenComplete((said, failure) -> {
            if (failure != null) {
                opened.completeExceptionally(failure);
            } else {
                opened.complete(new Link(channel, handler, said, options.clientId()));
            }
        });
    }

    @Override
    public Welcome welcome() {
        return welcome;
    }

    /**
     * Sends a request. The future completes with the checked reply, or fails with an {@link RpcException}, or an
     * {@link IllegalArgumentException} if the number is outstanding already.
     *
     * @param payload copied, from its position to its limit; its position stays
     * @throws IllegalArgumentException if it is longer than the server takes
     */
    @Override
    public CompletableFuture<Reply> send(int targetId, long requestNumber, ByteBuffer payload) {
        int bytes = payload.remaining();
        if (bytes > welcome.maxPayloadBytes()) {
            throw new IllegalArgumentException(ConnectionFailures.tooLong(bytes, welcome));
        }
        ByteBuf frame = channel.alloc().ioBuffer(RequestHeader.BYTES + bytes);
        RequestHeader.write(frame, targetId, clientId, requestNumber, bytes);
        frame.writeBytes(payload.duplicate());
        // One reference is the socket's; the other keeps the frame until its reply was checked against it.
        frame.retain();
        var pending = new ClientHandler.Pending(
                frame, System.nanoTime(), Services.inverts(welcome, targetId), new CompletableFuture<>());
        try {
            if (channel.eventLoop().inEventLoop()) {
                handler.send(context, pending);
            } else {
                channel.eventLoop().execute(() -> handler.send(context, pending));
            }
        } catch (RejectedExecutionException e) {
            frame.release(2);
            pending.reply().completeExceptionally(new NoReplyException("the client is closed", false, e));
        }
        return pending.reply();
    }

    @Override
    public long partOfReplyNanos() {
        return handler.partOfReplyNanos;
    }

    /** Closes it. What is outstanding fails, but may be executed all the same. */
    @Override
    public void close() {
        channel.close();
    }
}
