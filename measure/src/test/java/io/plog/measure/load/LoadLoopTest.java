package io.plog.measure.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadLoopTest {
    @Test
    void whatIsDueComesBeforeEachReadOfATurn() throws Exception {
        List<String> order = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                LoadLoop loop = new LoadLoop(null, () -> order.add("due"))) {
            InetSocketAddress address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            for (int i = 0; i < 3; i++) {
                var unused = loop.connect(address, new ChannelInboundHandlerAdapter(), new Reader(order));
                loop.idle();
            }
            List<Socket> accepted = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                accepted.add(server.accept());
            }
            for (Socket socket : accepted) {
                OutputStream out = socket.getOutputStream();
                out.write(new byte[200_000]);
                out.flush();
                socket.close();
            }
            while (order.stream().filter("end"::equals).count() < 3) {
                loop.idle();
            }
            order.removeIf("end"::equals);
            assertThat(order.stream().filter("read"::equals).count()).isGreaterThanOrEqualTo(3);
            for (int i = 0; i < order.size(); i++) {
                assertThat(order.get(i)).isEqualTo(i % 2 == 0 ? "due" : "read");
            }
        }
    }

    private static final class Reader extends ChannelInboundHandlerAdapter {
        private final List<String> order;

        Reader(List<String> order) {
            this.order = order;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            order.add("read");
            ReferenceCountUtil.release(message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            order.add("end");
        }
    }
}
