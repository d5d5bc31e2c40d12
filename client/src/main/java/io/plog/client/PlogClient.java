package io.plog.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection to a plog server that carries any number of requests at a time, up to the server's limit. Every reply is
 * checked before it counts: its length, its content, its client and its number.
 *
 * <p>Safe for any number of threads. Futures complete on the client's own event loop: what is chained to them must be
 * quick, and must not call the blocking form. To measure one request after the other, {@link MeasuringConnection} has
 * the shorter path.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of the event loop's shutdown, which nobody needs to wait for
public final class PlogClient implements Closeable {
    private final EventLoopGroup loop;
    private final Channel channel;
    private final ChannelHandlerContext context;
    private final ClientHandler handler;
    private final Welcome welcome;
    private final ClientOptions options;
    private final Semaphore room;

    private PlogClient(
            EventLoopGroup loop, Channel channel, ClientHandler handler, Welcome welcome, ClientOptions options) {
        this.loop = loop;
        this.channel = channel;
        this.context = channel.pipeline().context(handler);
        this.handler = handler;
        this.welcome = welcome;
        this.options = options;
        this.room = new Semaphore(welcome.maxOutstanding());
    }

    /**
     * Connects and shakes hands.
     *
     * @param port 1 to 65535
     * @throws ServerUnavailableException if nobody is there, or the server takes no connection now
     * @throws IncompatibleServerException if it is not a plog server, or of another version
     */
    public static PlogClient connect(String host, int port, ClientOptions options) throws RpcException {
        String peer = host + ":" + port;
        boolean epoll = Epoll.isAvailable();
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory("plog-client", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        FrameDecoder decoder = FrameDecoder.forClient(0);
        CompletableFuture<Welcome> welcome = new CompletableFuture<>();
        ClientHandler handler = new ClientHandler(peer, decoder, welcome);
        var connected = new Bootstrap()
                .group(loop)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, options.connectTimeoutMillis())
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel ch) {
                        ch.pipeline().addLast(decoder, handler);
                    }
                })
                .connect(host, port);
        try {
            connected.awaitUninterruptibly();
            Throwable failure = connected.cause();
            if (failure != null) {
                throw Words.notThere(peer, failure);
            }
            Welcome said = await(welcome, peer, options);
            return new PlogClient(loop, connected.channel(), handler, said, options);
        } catch (RpcException e) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
    }

    private static Welcome await(CompletableFuture<Welcome> welcome, String peer, ClientOptions options)
            throws RpcException {
        try {
            return welcome.get(options.connectTimeoutMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw asRpc(e);
        } catch (TimeoutException e) {
            throw Words.noWelcome(peer, "nothing came within " + options.connectTimeoutMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException("interrupted while waiting for the welcome of " + peer, e);
        }
    }

    /** What the server said of itself: limits, facts, targets. */
    public Welcome server() {
        return welcome;
    }

    /** The target of this name, if the server has one. */
    public Optional<TargetDescription> target(String name) {
        return welcome.targets().stream().filter(t -> t.name().equals(name)).findFirst();
    }

    /**
     * Sends a request and returns at once. The future completes with the checked reply, or fails with an
     * {@link RpcException}; cancelling it takes nothing back.
     *
     * @param targetId the target's id, 0 to 65535
     * @param requestNumber the client's number for the request, a u64 that is not outstanding
     * @param payload copied, from its position to its limit; its position stays
     * @throws IllegalArgumentException if the payload is longer than the server takes; nothing was sent
     */
    public CompletableFuture<Reply> call(int targetId, long requestNumber, ByteBuffer payload) {
        int bytes = payload.remaining();
        if (bytes > welcome.maxPayloadBytes()) {
            throw new IllegalArgumentException("payload has " + bytes + " bytes: expected at most "
                    + welcome.maxPayloadBytes() + ", the server's limit");
        }
        if (!room.tryAcquire()) {
            return CompletableFuture.failedFuture(new TooManyOutstandingException(welcome.maxOutstanding()));
        }
        ByteBuf frame = channel.alloc().ioBuffer(RequestHeader.BYTES + bytes);
        RequestHeader.write(frame, targetId, options.clientId(), requestNumber, bytes);
        frame.writeBytes(payload.duplicate());
        // One reference is the socket's; the other keeps the frame until its reply was checked against it.
        frame.retain();
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        var pending = new ClientHandler.Pending(frame, System.nanoTime(), new CompletableFuture<>());
        pending.reply().whenComplete((answer, failure) -> {
            room.release();
            if (failure != null) {
                reply.completeExceptionally(failure);
            } else {
                reply.complete(answer);
            }
        });
        try {
            channel.eventLoop().execute(() -> handler.send(context, pending));
        } catch (RejectedExecutionException e) {
            frame.release(2);
            pending.reply().completeExceptionally(new NoReplyException("the client is closed", false, e));
        }
        return reply;
    }

    /**
     * Sends a request and waits for its reply, up to the options' reply timeout.
     *
     * @throws NoReplyException if no reply came in time, or the connection ended
     * @throws RefusedException if the server answered with a status other than OK
     * @throws WrongReplyException if the reply is not the answer to the request
     * @throws TooManyOutstandingException if as many are outstanding as the server allows
     * @throws IllegalArgumentException as {@link #call}
     */
    public Reply callAndWait(int targetId, long requestNumber, ByteBuffer payload) throws RpcException {
        CompletableFuture<Reply> reply = call(targetId, requestNumber, payload);
        try {
            return reply.get(options.replyTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw asRpc(e);
        } catch (TimeoutException e) {
            throw new NoReplyException(
                    "no reply within " + options.replyTimeout().toMillis() + " ms; the request may have been executed",
                    true,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoReplyException(
                    "interrupted while waiting for the reply; the request may have been executed", true, e);
        }
    }

    private static RpcException asRpc(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof RpcException rpc) {
            return rpc;
        }
        if (cause instanceof IllegalArgumentException argument) {
            throw argument;
        }
        throw new IllegalStateException("a call failed in an unexpected way", cause);
    }

    /** Closes the connection. What is outstanding fails, but may be executed all the same. */
    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
