package io.plog.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The client on real sockets; the rules themselves are {@link RetransmitterTest}'s. */
class RetryingClientTest {
    static final RetryOptions QUICK = RetryOptions.defaults().withPauses(Duration.ofMillis(1), Duration.ofMillis(5));

    private static RetryingClient client(FakeServer server, RetryOptions options) {
        return RetryingClient.of(
                "127.0.0.1", server.port(), ClientOptions.defaults().withClientId(5), options);
    }

    static ByteBuffer bytes(int count) {
        byte[] bytes = new byte[count];
        new SplittableRandom(count).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    @Test
    void callsAreAnsweredAndTheirNumbersRise() throws Exception {
        try (FakeServer server = FakeServer.good();
                RetryingClient client = client(server, QUICK)) {
            assertThat(client.server(Duration.ofSeconds(10)).targets()).hasSize(2);
            for (int i = 1; i <= 3; i++) {
                ByteBuffer payload = bytes(100 * i);
                Reply reply = client.callAndWait("a", payload);
                assertThat(reply.requestNumber()).isEqualTo(i);
                assertThat(reply.payload()[0]).isEqualTo((byte) ~payload.get(0));
                assertThat(payload.remaining()).isEqualTo(100 * i);
            }
            assertThat(client.callAndWait("off", bytes(5)).logIndex()).isZero();
            assertThat(server.requests())
                    .hasSize(4)
                    .allSatisfy(
                            request -> assertThat(RequestHeader.client(request)).isEqualTo(5));
        }
    }

    @Test
    void aConnectionThatBreaksIsMadeAgainAndTheSameBytesAreSentAgain() throws Exception {
        AtomicInteger served = new AtomicInteger();
        try (FakeServer server = FakeServer.answering((request, count) -> switch (served.getAndIncrement()) {
                    case 0 -> List.of(FakeServer.CLOSE);
                    case 1 -> List.of(FakeServer.goodbye(GoodbyeCode.SHUTTING_DOWN, "closing"), FakeServer.CLOSE);
                    case 2 -> List.of(FakeServer.refusal(request, Status.OVERLOADED, "later"));
                    default -> List.of(FakeServer.reply(request));
                });
                RetryingClient client = client(server, QUICK)) {
            assertThat(client.callAndWait("a", bytes(1_000)).requestNumber()).isEqualTo(1);
            List<ByteBuf> sent = server.requests();
            assertThat(sent).hasSize(4).allSatisfy(frame -> assertThat(frame).isEqualTo(sent.get(0)));
        }
    }

    @Test
    void aServerThatIsNotThereYetIsWaitedFor() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        CountDownLatch tried = new CountDownLatch(3);
        try (RetryingClient client = RetryingClient.of(
                List.of(InetSocketAddress.createUnresolved("localhost", port)),
                7,
                ClientOptions.defaults(),
                QUICK,
                (why, pause) -> tried.countDown())) {
            CompletableFuture<Reply> reply = client.call("a", bytes(10));
            tried.await();
            assertThat(reply).isNotDone();
            try (FakeServer server = FakeServer.goodOn(port)) {
                assertThat(reply.get().requestNumber()).isEqualTo(7);
                assertThat(server.requests()).hasSize(1);
            }
        }
    }

    @Test
    void aServiceWithAStateIsNotCheckedByteForByte() throws Exception {
        Welcome welcome = new Welcome(
                1_000,
                4,
                Map.of(),
                List.of(
                        new TargetDescription(1, "c", "fdatasync", Map.of("service", "chain", "window", "100")),
                        new TargetDescription(2, "i", "fdatasync", Map.of("service", "invert"))));
        try (FakeServer server = FakeServer.greeting(welcome, (request, count) -> {
                    ByteBuf reply = FakeServer.reply(request);
                    return List.of(reply.setByte(RequestHeader.BYTES + 3, 42));
                });
                RetryingClient client = client(server, QUICK)) {
            Reply reply = client.callAndWait("c", bytes(10));
            assertThat(reply.payload()[3]).isEqualTo((byte) 42);
            assertThatThrownBy(() -> client.callAndWait("i", bytes(10))).hasCauseInstanceOf(WrongReplyException.class);
        }
    }

    @Test
    void anInterruptEndsTheWaitingAndSaysWhatIsKnown() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        try (FakeServer server = FakeServer.answering((request, count) -> {
                    arrived.countDown();
                    return List.of(FakeServer.NOTHING);
                });
                RetryingClient client = client(server, QUICK)) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread caller = new Thread(() -> {
                try {
                    client.callAndWait("a", bytes(10));
                } catch (CallFailedException e) {
                    thrown.complete(Thread.currentThread().isInterrupted() ? e : new AssertionError("flag lost"));
                }
            });
            caller.start();
            arrived.await();
            caller.interrupt();
            assertThat(thrown.get())
                    .isInstanceOf(CallFailedException.class)
                    .hasMessageContaining("because its thread was interrupted");
            assertThat(((CallFailedException) thrown.get()).mayHaveBeenExecuted())
                    .isTrue();
            caller.join();
        }
    }

    @Test
    void whatIsUnfinishedIsBounded() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> List.of(FakeServer.NOTHING));
                RetryingClient client = client(server, QUICK.withMaxQueued(2, 1_000))) {
            CompletableFuture<Reply> first = client.call("a", bytes(2_000));
            assertThatThrownBy(() -> client.callAndWait("a", bytes(1)))
                    .isInstanceOfSatisfying(
                            CallFailedException.class,
                            e -> assertThat(e.mayHaveBeenExecuted()).isFalse())
                    .hasCauseInstanceOf(TooManyOutstandingException.class);
            first.cancel(false);
            CompletableFuture<Reply> second = client.call("a", bytes(1));
            CompletableFuture<Reply> third = client.call("a", bytes(1));
            assertThat(client.call("a", bytes(1))).isCompletedExceptionally();
            assertThat(second).isNotDone();
            assertThat(third).isNotDone();
        }
    }

    @Test
    void aClosedClientFailsItsCalls() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> List.of(FakeServer.NOTHING))) {
            RetryingClient client = client(server, QUICK);
            CompletableFuture<Reply> open = client.call("a", bytes(10));
            client.close();
            client.close();
            assertThatThrownBy(open::get).hasCauseInstanceOf(CallFailedException.class);
            assertThatThrownBy(() -> client.callAndWait("a", bytes(10)))
                    .isInstanceOfSatisfying(
                            CallFailedException.class,
                            e -> assertThat(e.mayHaveBeenExecuted()).isFalse());
            assertThatThrownBy(() -> client.server(Duration.ofSeconds(1))).isInstanceOf(NoReplyException.class);
        }
    }

    @Test
    void theBlockingFormRefusesToWaitForItself() throws Exception {
        CountDownLatch chained = new CountDownLatch(1);
        try (FakeServer server = FakeServer.answering((request, count) -> {
                    awaitUninterruptibly(chained);
                    return List.of(FakeServer.reply(request));
                });
                RetryingClient client = client(server, QUICK)) {
            CompletableFuture<Reply> nested = client.call("a", bytes(10)).thenApply(reply -> {
                try {
                    return client.callAndWait("a", bytes(10));
                } catch (CallFailedException e) {
                    throw new AssertionError(e);
                }
            });
            chained.countDown();
            assertThatThrownBy(nested::get)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("would wait for itself");
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
