package io.plog.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.channels.ClosedChannelException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets a connection that comes while the serving loop is with the disk. */
@Timeout(60)
class SpareLoopGroupTest {
    private final EventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(2, new DefaultThreadFactory("test-io", true), NioIoHandler.newFactory());
    private final LoopAtDisk atDisk = new LoopAtDisk();
    private final SpareLoopGroup group = new SpareLoopGroup(loops, atDisk);
    private final EventLoop serving = serving();

    private EventLoop serving() {
        Iterator<?> all = loops.iterator();
        all.next();
        return (EventLoop) all.next();
    }

    @AfterEach
    void close() {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void theServingLoopGetsItWhenItComesBackInTime() throws Exception {
        assertThat(atDisk.begin(serving)).isTrue();
        // Both in one task of the spare loop, so that the end of its patience comes after the return in its queue.
        ChannelFuture registered = group.spare()
                .submit(() -> {
                    ChannelFuture future = group.register(new NioSocketChannel());
                    atDisk.end();
                    return future;
                })
                .get();
        registered.awaitUninterruptibly();
        assertThat(registered.channel().eventLoop()).isEqualTo(serving);
    }

    @Test
    void whoWaitsWhenTheServerClosesIsRefusedAndNotForgotten() throws Exception {
        assertThat(atDisk.begin(serving)).isTrue();
        ChannelFuture registered = group.spare()
                .submit(() -> {
                    ChannelFuture future = group.register(new NioSocketChannel());
                    group.shutdownGracefully(0, 5, TimeUnit.SECONDS);
                    return future;
                })
                .get();
        registered.awaitUninterruptibly();
        assertThat(registered.cause()).isInstanceOf(ClosedChannelException.class);
        while (!atDisk.begin(serving)) { // nobody is announced any more, as soon as that has been told
            Thread.onSpinWait();
        }
    }
}
