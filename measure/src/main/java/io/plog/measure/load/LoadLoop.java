package io.plog.measure.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.plog.protocol.security.Tls;
import java.io.Closeable;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of a load. The thread that makes it is its thread, and looks after the sockets when it calls {@link #poll}; so
 * a due request waits for nothing but what the loop is just doing.
 */
final class LoadLoop implements Closeable {
    /** How long to try to make one connection. */
    static final int CONNECT_MILLIS = 10_000;

    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long TASKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ManualIoEventLoop loop;
    private final @Nullable Tls tls;
    private final ChannelHandler beforeRead;
    private final AdaptiveSpin spin = new AdaptiveSpin();

    /**
     * Starts with no connection.
     *
     * @param tls how connections are secured; null if they are not
     * @param beforeRead runs before each read of a socket is handled. One turn of the loop may handle many, and large ones
     */
    LoadLoop(@Nullable Tls tls, Runnable beforeRead) {
        this.tls = tls;
        this.beforeRead = new BeforeRead(beforeRead);
        loop = new ManualIoEventLoop(
                Thread.currentThread(), Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /** Handles the sockets until shortly before a request is due, or until one of them was ready. */
    void poll(long now, long dueNanos) {
        long wait = Math.min(dueNanos - spin.nanos() - now, LONGEST_WAIT_NANOS);
        if (wait <= 0) {
            loop.runNow(TASKS_NANOS);
            return;
        }
        int handled = loop.run(wait, TASKS_NANOS);
        if (handled == 0) {
            spin.waited(Math.max(0, System.nanoTime() - now - wait));
        }
    }

    /** Handles the sockets for a few milliseconds. */
    void idle() {
        loop.run(LONGEST_WAIT_NANOS);
    }

    /** Looks after the sockets until a time. */
    void waitUntil(long nanos) {
        for (long now = System.nanoTime(); now < nanos; now = System.nanoTime()) {
            poll(now, nanos);
        }
    }

    void later(Runnable task, long millis) {
        var unused = loop.schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    ChannelFuture connect(InetSocketAddress address, ChannelHandler decoder, ChannelHandler handler) {
        return new Bootstrap()
                .group(loop)
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .disableResolver()
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(beforeRead);
                        if (tls != null) {
                            channel.pipeline()
                                    .addLast(tls.handler(channel.alloc(), address.getHostString(), address.getPort()));
                        }
                        channel.pipeline().addLast(decoder, handler);
                    }
                })
                .connect(address);
    }

    /** Ends the loop; its connections must be closed. */
    @Override
    public void close() {
        var unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        while (!loop.isTerminated()) {
            loop.runNow();
        }
    }

    @Sharable
    private static final class BeforeRead extends ChannelInboundHandlerAdapter {
        private final Runnable task;

        BeforeRead(Runnable task) {
            this.task = task;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            task.run();
            ctx.fireChannelRead(message);
        }
    }

    /**
     * How long before an intended time to stop sleeping. A thread that waits in the kernel comes back late, by more on a busy or
     * virtual machine; this class learns by how much, so that the thread spins no longer than needed: the processor time may
     * belong to a server on the same machine. For one thread.
     */
    private static final class AdaptiveSpin {
        private static final long LEAST_NANOS = 20_000;
        private static final long MOST_NANOS = 300_000;
        private static final int UP = 4;
        private static final int DOWN = 128;

        private long nanos = 80_000;

        long nanos() {
            return nanos;
        }

        /**
         * Learns from one wait: up fast, down slowly, so that about one in thirty waits is later than this.
         *
         * @param lateNanos how much later than asked for it ended; 0 if it ended early
         */
        void waited(long lateNanos) {
            if (lateNanos > nanos) {
                nanos = Math.min(MOST_NANOS, nanos + Math.max(1, (Math.min(lateNanos, MOST_NANOS) - nanos) / UP));
            } else {
                nanos = Math.max(LEAST_NANOS, nanos - nanos / DOWN);
            }
        }
    }
}
