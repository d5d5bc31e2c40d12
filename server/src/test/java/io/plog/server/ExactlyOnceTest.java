package io.plog.server;

import static io.plog.server.Replies.answerOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.plog.log.Outcomes;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.BreakingService;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.ChainModel;
import io.plog.server.service.Service;
import io.plog.server.state.ClientKind;
import io.plog.server.targets.FakeLog;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repeated requests on real sockets, over a log that is durable when the test says so. */
class ExactlyOnceTest extends FakeLogServer {
    private static final int INVERT = 0;
    private static final int CHAIN = 1;

    private final FakeLog inverted = new FakeLog();
    private final FakeLog chained = new FakeLog();
    private TestClient client;
    private TestClient other;

    @BeforeEach
    void start() throws Exception {
        start(BuiltInService.CHAIN);
    }

    private void start(Supplier<? extends Service> second) throws Exception {
        ServerOptions options = options(logged("inverted"), logged("chained").withService(second))
                .withPorts(0, 0)
                .withEventLoops(2);
        start(options, (target, state, meters) -> target.name().equals("inverted") ? inverted : chained);
        client = client();
        other = client();
    }

    @AfterEach
    void closeClients() throws Exception {
        client.close();
        other.close();
    }

    private static byte[] payload(long seed, int size) {
        byte[] payload = new byte[size];
        new Random(seed).nextBytes(payload);
        return payload;
    }

    private FakeLog log(int target) {
        return target == INVERT ? inverted : chained;
    }

    private ByteBuf call(int target, long number, byte[] payload) throws Exception {
        client.send(TestClient.request(target, number, payload));
        log(target).makeDurable(1);
        return client.frame();
    }

    /** Waits until the server has taken everything that came before on this connection. */
    private static void flush(TestClient connection) throws Exception {
        assertStatus(connection.call(99, 0, new byte[0]), Status.UNKNOWN_TARGET);
    }

    private static void assertStatus(ByteBuf reply, Status status) {
        assertThat(Status.ofCode(ReplyHeader.status(reply))).isEqualTo(status);
    }

    private static void assertRepeats(ByteBuf repeat, ByteBuf first) {
        assertStatus(repeat, Status.OK);
        assertThat(ReplyHeader.logIndex(repeat)).isEqualTo(ReplyHeader.logIndex(first));
        assertThat(answerOf(repeat)).isEqualTo(answerOf(first));
        assertThat(ReplyHeader.batchRecords(repeat)).isZero();
        assertThat(ReplyHeader.waitingNanos(repeat)).isZero();
        assertThat(ReplyHeader.batchWaitNanos(repeat)).isZero();
        assertThat(ReplyHeader.writeNanos(repeat)).isZero();
        assertThat(ReplyHeader.forceNanos(repeat)).isZero();
        assertThat(ReplyHeader.executionNanos(repeat)).isZero();
        assertThat(ReplyHeader.residenceNanos(repeat)).isPositive();
    }

    @Test
    void theWelcomeReportsEachTargetsServiceAndWindow() throws Exception {
        try (TestClient fresh = new TestClient(server.address())) {
            var targets = fresh.hello().targets();
            assertThat(targets.get(INVERT).facts())
                    .containsEntry("service", "invert")
                    .containsEntry("window", "1024");
            assertThat(targets.get(CHAIN).facts())
                    .containsEntry("service", "chain")
                    .containsEntry("window", "1024");
        }
    }

    @Test
    void aRepeatGetsTheRecordedAnswerAtOnceOnAnyConnection() throws Exception {
        for (int target : new int[] {INVERT, CHAIN}) {
            for (int size : new int[] {0, 11, 100, 100_000}) {
                byte[] payload = payload(size, size);
                ByteBuf first = call(target, size, payload);
                call(target, size + 1L, payload);
                for (TestClient each : List.of(client, other)) {
                    assertRepeats(each.call(target, size, payload), first);
                }
            }
            assertThat(log(target).durable()).hasSize(8);
            assertThat(log(target).queuedRecords()).isZero();
        }
    }

    @Test
    void aRepeatOnAnotherConnectionWaitsForTheFirstAndIsNotLogged() throws Exception {
        for (int target : new int[] {INVERT, CHAIN}) {
            byte[] payload = payload(1, 5_000);
            client.send(TestClient.request(target, 1, payload));
            flush(client);
            other.send(TestClient.request(target, 1, payload));
            other.send(TestClient.request(target, 1, payload(2, 5_000)));
            flush(other);
            assertThat(other.available()).isZero();
            log(target).makeDurable(1);
            ByteBuf first = client.frame();
            assertThat(ReplyHeader.batchRecords(first)).isEqualTo(1);
            ByteBuf one = other.frame();
            ByteBuf two = other.frame();
            boolean inOrder = ReplyHeader.status(one) == Status.OK.code();
            assertRepeats(inOrder ? one : two, first);
            assertStatus(inOrder ? two : one, Status.CONFLICT);
            assertThat(log(target).queuedRecords()).isZero();
        }
    }

    @Test
    void aConnectionThatEndsBetweenTheRequestAndItsRepeatChangesNothing() throws Exception {
        byte[] payload = payload(1, 1_000);
        client.send(TestClient.request(CHAIN, 1, payload));
        flush(client);
        client.close();
        other.send(TestClient.request(CHAIN, 1, payload));
        flush(other);
        chained.makeDurable(1);
        ByteBuf reply = other.frame();
        assertStatus(reply, Status.OK);
        assertThat(answerOf(reply)).isEqualTo(new ChainModel().answer(payload));
        assertThat(chained.durable()).hasSize(1);
    }

    @Test
    void theIdsOfTheHttpPortCannotBeUsedByAnybodyElse() throws Exception {
        for (ClientKind kind : new ClientKind[] {ClientKind.HTTP_KEY, ClientKind.HTTP_CONNECTION}) {
            ByteBuf request = TestClient.request(INVERT, 5, payload(1, 200));
            request.setLong(72, kind.id(7));
            client.send(request);
            ByteBuf refusal = client.frame();
            assertStatus(refusal, Status.UNSUPPORTED);
            assertThat(ReplyHeader.sentence(refusal)).contains("is one of those that the server makes up for its HTTP");
        }
        assertThat(inverted.queuedRecords()).isZero();
        assertStatus(call(INVERT, 5, payload(1, 200)), Status.OK);
    }

    @Test
    void aRefusalFreesTheNumber() throws Exception {
        for (int target : new int[] {INVERT, CHAIN}) {
            byte[] payload = payload(1, 100);
            client.send(TestClient.request(target, 1, payload));
            flush(client);
            other.send(TestClient.request(target, 1, payload));
            flush(other);
            log(target).fail(Outcomes.full());
            assertStatus(client.frame(), Status.LOG_FULL);
            assertStatus(other.frame(), Status.LOG_FULL);
            assertStatus(call(target, 1, payload(2, 100)), Status.OK);
        }
        byte[] payload = payload(3, 100);
        chained.refuse(Outcomes.overloaded());
        assertStatus(client.call(CHAIN, 2, payload), Status.OVERLOADED);
        chained.refuse(null);
        ByteBuf reply = call(CHAIN, 2, payload);
        assertThat(ReplyHeader.logIndex(reply)).isEqualTo(2);
    }

    @Test
    void aChainIsInLogOrderWhateverTheOrderOfArrival() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ChainModel model = new ChainModel();
        for (int round = 0; round < 30; round++) {
            int requests = 1 + random.nextInt(20);
            int ofClient = random.nextInt(requests + 1);
            for (int i = 0; i < requests; i++) {
                (i < ofClient ? client : other)
                        .send(TestClient.request(
                                CHAIN, 100L * round + i, payload(random.nextLong(), random.nextInt(300))));
            }
            int before = chained.durable().size();
            chained.makeDurable(requests);
            byte[][] expected = new byte[requests][];
            long[] numbers = new long[requests];
            for (int i = 0; i < requests; i++) {
                ByteBuffer record = ByteBuffer.wrap(chained.durable().get(before + i));
                numbers[i] = record.getLong(16);
                byte[] payload = new byte[record.remaining() - 24];
                record.get(24, payload);
                expected[i] = model.answer(payload);
            }
            for (int i = 0; i < requests; i++) {
                ByteBuf reply = (i < ofClient ? client : other).frame();
                int at = (int) (ReplyHeader.logIndex(reply) - before - 1);
                assertThat(ReplyHeader.request(reply)).as("seed %d", seed).isEqualTo(numbers[at]);
                assertThat(answerOf(reply)).as("seed %d", seed).isEqualTo(expected[at]);
                assertThat(ReplyHeader.executionNanos(reply)).isPositive();
            }
        }
    }

    @Test
    void aServiceThatThrowsFailsItsTargetAndNoOther() throws Exception {
        for (boolean stateless : new boolean[] {true, false}) {
            closeClients();
            stopAndFindNothingLeaked();
            start(() -> new BreakingService(stateless));
            assertStatus(call(CHAIN, 1, payload(1, 100)), Status.OK);
            int durable = chained.durable().size();
            ByteBuf broken = call(CHAIN, 2, payload(1, 5));
            assertStatus(broken, Status.FAILED);
            ByteBuf refused = client.call(CHAIN, 3, payload(1, 300));
            assertStatus(refused, Status.FAILED);
            assertThat(ReplyHeader.sentence(refused)).contains("service of target chained failed", "half done");
            assertThat(chained.durable()).hasSize(durable + 1);
            assertThat(chained.queuedRecords()).isZero();
            assertStatus(call(INVERT, stateless ? 1 : 2, payload(1, 100)), Status.OK);
            AdminServerTest.assertNotReady(server.adminPort(), "service of target chained failed");
        }
    }

    @Test
    void anUnloggedTargetExecutesWhateverArrivesAndAlsoFailsForGood() throws Exception {
        closeClients();
        stopAndFindNothingLeaked();
        start(options(
                TargetOptions.unlogged("chain").withService(BuiltInService.CHAIN),
                TargetOptions.unlogged("off").withService(() -> new BreakingService(true))));
        client = client();
        ChainModel model = new ChainModel();
        for (int i = 0; i < 3; i++) {
            assertThat(answerOf(client.call(0, 7, payload(7, 20)))).isEqualTo(model.answer(payload(7, 20)));
        }
        assertStatus(client.call(1, 1, payload(1, 5)), Status.FAILED);
        assertStatus(client.call(1, 2, payload(1, 6)), Status.FAILED);
    }
}
