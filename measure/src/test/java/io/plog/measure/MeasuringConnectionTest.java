package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.client.ClientOptions;
import io.plog.client.FakeServer;
import io.plog.client.IncompatibleServerException;
import io.plog.client.NoReplyException;
import io.plog.client.RefusedException;
import io.plog.client.RpcException;
import io.plog.client.ServerUnavailableException;
import io.plog.client.WrongReplyException;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MeasuringConnectionTest {
    private static MeasuringConnection connect(FakeServer server) throws RpcException {
        return MeasuringConnection.connect("127.0.0.1", server.port(), ClientOptions.defaults());
    }

    @Test
    void everySizeIsSentAndItsReplyChecked() throws Exception {
        try (FakeServer server = FakeServer.good();
                MeasuringConnection connection = connect(server)) {
            long number = 0;
            for (int size : new int[] {0, 1, 7, 8, 9, 100, 100_000, 3}) {
                connection.prepare(3, size, 42);
                for (int i = 0; i < 3; i++) {
                    connection.exchange(++number);
                    connection.checkReply();
                    assertThat(ReplyHeader.logIndex(connection.reply())).isEqualTo(number);
                    assertThat(connection.receivedNanos()).isGreaterThan(connection.sentNanos());
                }
            }
            assertThat(server.requests())
                    .extracting(RequestHeader::payloadBytes)
                    .containsExactly(
                            0, 0, 0, 1, 1, 1, 7, 7, 7, 8, 8, 8, 9, 9, 9, 100, 100, 100, 100_000, 100_000, 100_000, 3, 3,
                            3);
        }
    }

    @Test
    void payloadsAreRandomBytesThatDifferFromRequestToRequest() throws Exception {
        try (FakeServer server = FakeServer.good();
                MeasuringConnection connection = connect(server)) {
            connection.prepare(3, 1000, 42);
            for (int i = 1; i <= 20; i++) {
                connection.exchange(i);
            }
            Set<ByteBuf> payloads = new HashSet<>();
            for (ByteBuf request : server.requests()) {
                payloads.add(request.slice(RequestHeader.BYTES, 1000));
                RequestHeader.checkReserved(request);
            }
            assertThat(payloads).hasSize(20);
            Set<Byte> bytes = new HashSet<>();
            for (int i = 0; i < 1000; i++) {
                bytes.add(server.requests().get(0).getByte(RequestHeader.BYTES + i));
            }
            assertThat(bytes).hasSizeGreaterThan(200);
        }
    }

    @Test
    void aReplyOfAnotherLengthIsWrong() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> {
                    ByteBuf reply = FakeServer.reply(request).writeByte(0);
                    return List.of(reply.setInt(0, reply.getInt(0) + 1));
                });
                MeasuringConnection connection = connect(server)) {
            connection.prepare(3, 100, 1);
            assertThatThrownBy(() -> connection.exchange(1))
                    .isInstanceOf(WrongReplyException.class)
                    .hasMessage("the reply to request 1 has length 185, expected 184 as in the request");
        }
    }

    @Test
    void aConnectionThatEndsInAReplyLeavesOpenWhetherTheRequestWasExecuted() throws Exception {
        try (FakeServer server = FakeServer.answering(
                        (request, count) -> List.of(FakeServer.reply(request).slice(0, 90), FakeServer.CLOSE));
                MeasuringConnection connection = connect(server)) {
            connection.prepare(3, 100, 1);
            assertThatThrownBy(() -> connection.exchange(1))
                    .isInstanceOfSatisfying(
                            NoReplyException.class,
                            e -> assertThat(e.mayHaveBeenExecuted()).isTrue())
                    .hasMessageContaining("before it answered request 1");
        }
    }

    @Test
    void aGoodbyeInPlaceOfAReplyIsReported() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) ->
                        List.of(FakeServer.goodbye(GoodbyeCode.SHUTTING_DOWN, "the server is closing")));
                MeasuringConnection connection = connect(server)) {
            connection.prepare(3, 100_000, 1);
            assertThatThrownBy(() -> connection.exchange(1))
                    .isInstanceOf(NoReplyException.class)
                    .hasMessageContaining("the server said goodbye: SHUTTING_DOWN, the server is closing");
        }
    }

    @Test
    void aRefusalSaysItsStatusAndTheServersWholeSentence() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) ->
                        List.of(FakeServer.refusal(request, Status.LOG_FAILED, "the disk said EIO")));
                MeasuringConnection connection = connect(server)) {
            for (int bytes : new int[] {0, 1, 100, 100_000}) {
                connection.prepare(3, bytes, 1);
                connection.exchange(bytes + 1);
                connection.checkReply();
                RefusedException refusal = connection.refusal();
                assertThat(refusal)
                        .hasMessage(
                                "the server refused with LOG_FAILED: the disk said EIO; the request may have been executed");
                assertThat(refusal.mayHaveBeenExecuted()).isTrue();
            }
        }
    }

    @Test
    void aServerThatIsNotThereIsNamed() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThatThrownBy(() -> MeasuringConnection.connect("127.0.0.1", port, ClientOptions.defaults()))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageStartingWith("no server at 127.0.0.1:" + port);
        assertThatThrownBy(() -> MeasuringConnection.connect("no.such.host.invalid", 1, ClientOptions.defaults()))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("unknown host");
    }

    @Test
    void anotherProtocolVersionIsRefusedWhicheverSideSaysIt() throws IOException {
        assertHandshake(FakeServer.welcomeOfVersion(3), "the server speaks protocol version 3, this client speaks 1");
        assertHandshake(
                FakeServer.goodbye(GoodbyeCode.VERSION, "the client speaks protocol version 1, this server speaks 2"),
                ": the client speaks protocol version 1, this server speaks 2; use the same plog");
    }

    @Test
    void whatIsNotAPlogServerIsDistinguishedFromOne() throws IOException {
        assertHandshake(FakeServer.text("HTTP/1.1 400 Bad Request\r\n\r\n"), "is not a plog server");
        assertHandshake(Unpooled.buffer().writeInt(50).writeByte(2).writeByte(0), "is not a plog server");
        assertHandshake(Unpooled.buffer().writeInt(1 << 30).writeByte(2).writeByte(0), "and length 1073741824");
    }

    @Test
    void aConnectionThatEndsBeforeTheWelcomeIsNoVerdictOnTheServersKind() {
        for (ByteBuf greeting : new ByteBuf[] {FakeServer.text("SS"), Unpooled.EMPTY_BUFFER}) {
            try (FakeServer server = FakeServer.greeting(greeting)) {
                assertThatThrownBy(() -> connect(server))
                        .isInstanceOf(ServerUnavailableException.class)
                        .hasMessageContaining(
                                "no welcome from 127.0.0.1:" + server.port() + ": it closed the connection");
            }
        }
    }

    private static void assertHandshake(ByteBuf greeting, String words) {
        try (FakeServer server = FakeServer.greeting(greeting)) {
            assertThatThrownBy(() -> MeasuringConnection.connect("127.0.0.1", server.port(), ClientOptions.defaults()))
                    .isInstanceOf(IncompatibleServerException.class)
                    .hasMessageContaining(words)
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void aRequestAllocatesNothingOnTheMeasuringThread() throws Exception {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (FakeServer server = FakeServer.answering((request, count) -> List.of(FakeServer.reply(request)));
                MeasuringConnection connection = connect(server)) {
            connection.prepare(3, 10_000, 1);
            exchange(connection, 1, 300);
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            exchange(connection, 301, 1_000);
            long allocated =
                    threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            assertThat(allocated).as("bytes in 700 requests").isLessThan(700);
        }
    }

    private static void exchange(MeasuringConnection connection, long from, long to) throws RpcException {
        for (long number = from; number <= to; number++) {
            connection.exchange(number);
            connection.checkReply();
        }
    }

    private static ClientOptions impatient() {
        return new ClientOptions(1, Duration.ofMillis(300));
    }

    @Test
    @Timeout(60)
    void aServerThatNeverAnswersOrByteByByteEndsTheExchange() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> List.of(FakeServer.NOTHING));
                MeasuringConnection connection = connect(server)) {
            connection.prepare(3, 10, 42);
            Periodic watch =
                    new Periodic("watch", 20, () -> connection.giveUpIfLate(System.nanoTime(), Duration.ofMillis(300)));
            try (watch) {
                assertThatThrownBy(() -> connection.exchange(1))
                        .isInstanceOf(NoReplyException.class)
                        .hasMessageContaining("nothing whole came within 300 ms")
                        .hasMessageContaining("may have been executed");
            }
        }
    }

    @Test
    @Timeout(60)
    void aReplyOverHttpWithoutEndIsNotWaitedForForEver() throws Exception {
        for (String drop : List.of("", "H", "HTTP/1.1 100 Continue\r\n\r\n")) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Thread server = new Thread(() -> drip(socket, "HTTP/1.1 102 Processing\r\n\r\n", drop));
                server.start();
                HttpService service =
                        Objects.requireNonNull(HttpService.of("http://127.0.0.1:" + socket.getLocalPort()));
                try (MeasuringConnection connection = MeasuringConnection.connect(service, impatient())) {
                    connection.prepare(0, 10, 42);
                    assertThatThrownBy(() -> connection.exchange(1, Duration.ofMillis(300)))
                            .isInstanceOf(RpcException.class)
                            .hasMessageMatching(
                                    "(?s).*(nothing whole came within 300 ms|too many lines|found 'HHHH[^']*').*");
                }
                server.join();
            }
        }
    }

    /** Until the client hangs up, long before the end. */
    private static void drip(ServerSocket socket, String begin, String drop) {
        try (Socket client = socket.accept()) {
            client.setTcpNoDelay(true);
            client.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
            while (!drop.isEmpty()) {
                client.getOutputStream().write(drop.getBytes(StandardCharsets.US_ASCII));
                LockSupport.parkNanos(20_000_000);
            }
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // It has hung up.
        }
    }

    @Test
    @Timeout(60)
    void aWelcomeThatDripsIsNotWaitedForForEver() throws Exception {
        ByteBuf welcome = FakeServer.encoded(FakeServer.welcome());
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket client = socket.accept()) {
                    client.setTcpNoDelay(true);
                    // The client hangs up long before the end.
                    while (true) {
                        client.getOutputStream().write(welcome.isReadable() ? welcome.readByte() : 0);
                        LockSupport.parkNanos(20_000_000);
                    }
                } catch (IOException e) {
                    // It has hung up.
                }
            });
            server.start();
            assertThatThrownBy(() -> MeasuringConnection.connect("127.0.0.1", socket.getLocalPort(), impatient()))
                    .isInstanceOf(ServerUnavailableException.class)
                    .hasMessageContaining("no whole one came within 300 ms");
            server.join();
        }
    }

    /** What a service with state answers depends on what it was asked before. */
    @Test
    void onlyTheRepliesOfAServiceThatInvertsAreHeldAgainstTheirRequests() throws Exception {
        Welcome welcome = new Welcome(
                1000,
                10,
                Map.of(),
                List.of(
                        new TargetDescription(1, "c", "fdatasync", Map.of("service", "chain", "window", "100")),
                        new TargetDescription(2, "i", "fdatasync", Map.of("service", "invert"))));
        try (FakeServer server = FakeServer.greeting(welcome, (request, count) -> {
                    ByteBuf reply = FakeServer.reply(request);
                    return List.of(reply.setByte(RequestHeader.BYTES + 3, 42));
                });
                MeasuringConnection connection =
                        MeasuringConnection.connect("127.0.0.1", server.port(), ClientOptions.defaults())) {
            connection.prepare(1, 10, 1);
            connection.exchange(1);
            connection.checkReply();
            connection.prepare(2, 10, 1);
            connection.exchange(2);
            assertThatThrownBy(connection::checkReply).isInstanceOf(WrongReplyException.class);
        }
    }
}
