package io.plog.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LinkTest {
    private static LinkClient connect(FakeServer server) throws Exception {
        return LinkClient.connect(server.port());
    }

    private static ByteBuffer bytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    @Test
    void aCallReturnsTheInvertedPayloadAndTheServersDurations() throws Exception {
        try (FakeServer server = FakeServer.good();
                LinkClient client = connect(server)) {
            for (int size : new int[] {0, 1, 100, 8192, 8193, 200_000}) {
                ByteBuffer payload = bytes(size, size);
                Reply reply = client.callAndWait(3, 50 + size, payload);
                assertThat(payload.remaining()).isEqualTo(size);
                assertThat(reply.payload()).hasSize(size);
                for (int i = 0; i < size; i++) {
                    assertThat(reply.payload()[i]).isEqualTo((byte) ~payload.get(i));
                }
                assertThat(reply.logIndex()).isEqualTo(50 + size);
                assertThat(reply.loggingNanos()).isEqualTo(1_000);
            }
        }
    }

    @Test
    void repliesFindTheirRequestsInWhateverOrderTheyCome() throws Exception {
        List<ByteBuf> kept = new ArrayList<>();
        try (FakeServer server = FakeServer.answering((request, count) -> {
                    kept.add(0, FakeServer.reply(request));
                    return count < 3 ? List.of(FakeServer.NOTHING) : kept;
                });
                LinkClient client = connect(server)) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                replies.add(client.call(3, 10 + i, bytes(100, i)));
            }
            for (int i = 0; i < 4; i++) {
                assertThat(replies.get(i).get().requestNumber()).isEqualTo(10 + i);
            }
        }
    }

    @Test
    void aNumberThatIsOutstandingIsNotSentAgain() throws Exception {
        List<ByteBuf> kept = new ArrayList<>();
        try (FakeServer server = FakeServer.answering((request, count) -> {
                    kept.add(FakeServer.reply(request));
                    return count < 1 ? List.of(FakeServer.NOTHING) : kept;
                });
                LinkClient client = connect(server)) {
            CompletableFuture<Reply> first = client.call(3, 1, bytes(10, 1));
            CompletableFuture<Reply> again = client.call(3, 1, bytes(10, 1));
            assertThatThrownBy(again::get).hasCauseInstanceOf(IllegalArgumentException.class);
            assertThat(client.callAndWait(3, 2, bytes(10, 1)).requestNumber()).isEqualTo(2);
            assertThat(first.get().requestNumber()).isEqualTo(1);
        }
    }

    @Test
    void aPayloadOverTheServersLimitIsNotSent() throws Exception {
        try (FakeServer server = FakeServer.good();
                LinkClient client = connect(server)) {
            assertThatThrownBy(() -> client.callAndWait(3, 1, bytes(200_001, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("payload has 200001 bytes: expected at most 200000");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void oneFlippedByteInAReplyIsFound() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> {
                    ByteBuf reply = FakeServer.reply(request);
                    return List.of(reply.setByte(ReplyHeader.BYTES + 8_999, ~reply.getByte(ReplyHeader.BYTES + 8_999)));
                });
                LinkClient client = connect(server)) {
            assertThatThrownBy(() -> client.callAndWait(3, 1, bytes(10_000, 1)))
                    .isInstanceOf(WrongReplyException.class)
                    .hasMessageContaining("differs at byte 8999");
        }
    }

    @Test
    void aReplyToNothingEndsTheConnection() throws Exception {
        try (FakeServer server = FakeServer.answering(
                        (request, count) -> List.of(FakeServer.reply(request).setLong(80, 4711)));
                LinkClient client = connect(server)) {
            assertThatThrownBy(() -> client.callAndWait(3, 1, bytes(100, 1)))
                    .isInstanceOf(NoReplyException.class)
                    .hasMessageContaining("answered request 4711, which is not outstanding");
            assertThatThrownBy(() -> client.callAndWait(3, 2, bytes(100, 1)))
                    .isInstanceOfSatisfying(
                            NoReplyException.class,
                            e -> assertThat(e.mayHaveBeenExecuted()).isFalse())
                    .hasMessageContaining("the request was not sent");
        }
    }

    @Test
    void aConnectionThatEndsFailsEverythingOutstandingAsPossiblyExecuted() throws Exception {
        try (FakeServer server =
                        FakeServer.answering((request, count) -> count < 1 ? List.of(FakeServer.NOTHING) : List.of());
                LinkClient client = connect(server)) {
            CompletableFuture<Reply> first = client.call(3, 1, bytes(10, 1));
            CompletableFuture<Reply> second = client.call(3, 2, bytes(10, 1));
            for (CompletableFuture<Reply> call : List.of(first, second)) {
                assertThatThrownBy(call::get)
                        .cause()
                        .isInstanceOfSatisfying(
                                NoReplyException.class,
                                e -> assertThat(e.mayHaveBeenExecuted()).isTrue());
            }
        }
    }

    @Test
    void aGoodbyeIsReported() throws Exception {
        try (FakeServer server = FakeServer.answering(
                        (request, count) -> List.of(FakeServer.goodbye(GoodbyeCode.IDLE, "nothing came for 60 s")));
                LinkClient client = connect(server)) {
            assertThatThrownBy(() -> client.callAndWait(3, 1, bytes(10, 1)))
                    .isInstanceOf(NoReplyException.class)
                    .hasMessageContaining("the server said goodbye: IDLE, nothing came for 60 s");
        }
    }

    @Test
    void everyRefusalSaysWhetherTheRequestMayHaveBeenExecuted() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> List.of(
                        FakeServer.refusal(request, requireNonNull(Status.ofCode((int) (count + 1))), "because")));
                LinkClient client = connect(server)) {
            for (Status status : EnumSet.complementOf(EnumSet.of(Status.OK))) {
                long number = status.code();
                assertThatThrownBy(() -> client.callAndWait(3, number, bytes(100, 1)))
                        .isInstanceOfSatisfying(RefusedException.class, e -> {
                            assertThat(e.status()).isEqualTo(status.code());
                            assertThat(e.mayHaveBeenExecuted()).isEqualTo(status.isIndeterminate());
                        })
                        .hasMessageContaining(status.name() + ": because");
            }
        }
    }

    @Test
    void aBadGreetingIsReportedByItsKind() {
        assertGreeting(FakeServer.welcomeOfVersion(7), "the server speaks protocol version 7, this client speaks 1");
        assertGreeting(FakeServer.goodbye(GoodbyeCode.VERSION, "no"), ": no; use the same plog on both sides");
        assertGreeting(FakeServer.text("HTTP/1.1 400 Bad Request\r\n\r\n"), "is not a plog server");
        try (FakeServer server = FakeServer.greeting(Unpooled.EMPTY_BUFFER)) {
            assertThatThrownBy(() -> connect(server))
                    .isInstanceOf(ServerUnavailableException.class)
                    .hasMessageContaining("no welcome from 127.0.0.1:" + server.port() + ": it closed the connection");
        }
        try (FakeServer server = FakeServer.greeting(FakeServer.goodbye(GoodbyeCode.TOO_MANY, "8 is the limit"))) {
            assertThatThrownBy(() -> connect(server))
                    .isInstanceOf(ServerUnavailableException.class)
                    .hasMessageContaining("refused the connection: TOO_MANY, 8 is the limit");
        }
    }

    private static void assertGreeting(ByteBuf greeting, String words) {
        try (FakeServer server = FakeServer.greeting(greeting)) {
            assertThatThrownBy(() -> connect(server))
                    .isInstanceOf(IncompatibleServerException.class)
                    .hasMessageContaining(words);
        }
    }
}
