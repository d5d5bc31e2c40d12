package io.plog.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConnectionFailuresTest {
    @Test
    void aClosedPortIsNamedWithTheSystemsWordsAndNothingOfNetty() throws IOException {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
        }

        assertThatThrownBy(() -> LinkClient.connect(port))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageStartingWith("no server at 127.0.0.1:" + port + " (Connection refused); start one");
    }

    @Test
    void whateverTheSystemSaysIsShownWithoutTheCallAndTheAddress() {
        ConnectException plain =
                new ConnectException("connect(..) failed with error(-99): Cannot assign requested address");
        ConnectException withAddress = new ConnectException(plain.getMessage() + ": /127.0.0.1:7411");
        withAddress.initCause(plain);

        assertThat(ConnectionFailures.reason(withAddress)).isEqualTo("Cannot assign requested address");
        Throwable noFile = new IOException("newSocketStream(..) failed with error(-24): Too many open files");
        Throwable notMade = new InvocationTargetException(new ChannelException(noFile));
        assertThat(ConnectionFailures.reason(new ChannelException("Unable to create Channel from class X", notMade)))
                .isEqualTo("Too many open files");
        assertThat(ConnectionFailures.reason(new UnknownHostException("a.example: Name or service not known")))
                .isEqualTo("unknown host");
        NoRouteToHostException noRoute = new NoRouteToHostException("null: /198.51.100.7:7411");
        noRoute.initCause(new NoRouteToHostException());
        assertThat(ConnectionFailures.reason(noRoute)).isEqualTo("the network is unreachable");
        assertThat(ConnectionFailures.reason(new IOException())).isEqualTo("IOException");
    }

    private static ByteBuf request(int payloadBytes) {
        byte[] payload = new byte[payloadBytes];
        new Random(payloadBytes).nextBytes(payload);
        ByteBuf request = Unpooled.buffer();
        RequestHeader.write(request, 3, 7, 12, payloadBytes);
        return request.writeBytes(payload);
    }

    @Test
    void aReplyMustAnswerItsRequest() throws Exception {
        ByteBuf request = request(5_000);
        ByteBuf right = FakeServer.reply(request);
        ConnectionFailures.checkReply(request, right.copy(), true);
        wrong(request, right.copy().writeByte(0), "the reply to request 12 has length 5085, expected 5084");
        wrong(request, right.copy().setLong(72, 8), "a reply for client 8 and request 12, expected client 7");
        wrong(request, right.copy().setLong(80, 77), "a reply for client 7 and request 77, expected client 7");
        ByteBuf early = right.copy();
        ReplyHeader.setExecutionNanos(early, -5);
        wrong(request, early, "the reply to request 12 has a duration 'execution' of -5 ns");
    }

    @Test
    void oneFlippedBitIsFoundWhereverItIs() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int bytes : new int[] {1, 7, 8, 9, 5_000, 100_000}) {
            ByteBuf request = request(bytes);
            for (int flipped : new int[] {0, bytes - 1, random.nextInt(bytes)}) {
                ByteBuf reply = FakeServer.reply(request);
                int at = ReplyHeader.BYTES + flipped;
                reply.setByte(at, reply.getByte(at) ^ 1 << random.nextInt(8));
                wrong(request, reply, "differs at byte " + flipped + " ");
                ConnectionFailures.checkReply(request, reply, false); // of a service that does not invert
            }
        }
    }

    private static void wrong(ByteBuf request, ByteBuf reply, String words) {
        assertThatThrownBy(() -> ConnectionFailures.checkReply(request, reply, true))
                .isInstanceOf(WrongReplyException.class)
                .hasMessageContaining(words);
    }
}
