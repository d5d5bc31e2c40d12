package io.plog.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.plog.server.options.TransportOption;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PortBinderTest {
    private static final int CLIENTS = 100;

    /** It would prepare all of them before it looks at those that are connected. */
    @Test
    void ofABurstOfConnectionsAnEventLoopIsGivenAFewAtATime() throws Exception {
        EventLoopChooser chooser = new EventLoopChooser();
        EventLoops loops = EventLoops.open(TransportOption.NIO, 1, chooser);
        AtomicInteger accepted = new AtomicInteger();
        CountDownLatch prepared = new CountDownLatch(CLIENTS);
        CountDownLatch busy = new CountDownLatch(1);
        Iterator<?> each = loops.group().iterator();
        each.next(); // the one that accepts
        ((EventLoop) each.next()).execute(() -> awaits(busy));
        Channel port = new PortBinder("127.0.0.1", loops, chooser, EventLoops.allocator(2))
                .listen(
                        0,
                        "port",
                        "--port",
                        new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object connection) {
                                accepted.incrementAndGet();
                                ctx.fireChannelRead(connection);
                            }
                        },
                        new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel connection) {
                                prepared.countDown();
                            }
                        });
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Socket("127.0.0.1", ((InetSocketAddress) port.localAddress()).getPort()));
        }
        for (int i = 0; i < CLIENTS; i++) { // each time it looks for connections
            loops.accepting().submit(() -> {}).sync();
        }
        assertThat(accepted.get()).isBetween(1, 7 + 16); // NIO reports up to 16 together

        busy.countDown();
        prepared.await();
        for (Socket client : clients) {
            client.close();
        }
        loops.group().shutdownGracefully();
    }

    private static void awaits(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
