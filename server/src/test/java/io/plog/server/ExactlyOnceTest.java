package io.plog.server;

import static io.plog.server.Replies.answerOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.plog.log.Force;
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
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Repeated requests on real sockets, over a log that is durable when the test says so. */
@Timeout(60)
class ExactlyOnceTest {
    private static final int INVERT = 0;
    private static final int CHAIN = 1;

    @TempDir
    Path directory;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
    private final FakeLog inverted = new FakeLog();
    private final FakeLog chained = new FakeLog();
    private PlogServer server;
    private TestClient client;
    private TestClient other;

    @BeforeEach
    void start() throws Exception {
        start(BuiltInService.CHAIN);
    }

    private void start(Supplier<? extends Service> second) throws Exception {
        ServerOptions options = ServerOptions.of(List.of(
                        TargetOptions.logged("inverted", directory, Force.FDATASYNC),
                        TargetOptions.logged("chained", directory, Force.FDATASYNC)
                                .withService(second)))
                .withPorts(0, 0)
                .withEventLoops(2);
        server = PlogServer.start(
                options, allocator, (target, state, meters) -> target.name().equals("inverted") ? inverted : chained);
        client = TestClient.greeted(server.address());
        other = TestClient.greeted(server.address());
    }

    @AfterEach
    void stopAndFindNothingLeaked() throws Exception {
        client.close();
        other.close();
        server.close();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
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
        connection.send(TestClient.request(99, 0, new byte[0]));
        assertStatus(connection.frame(), Status.UNKNOWN_TARGET);
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
                    each.send(TestClient.request(target, size, payload));
                    assertRepeats(each.frame(), first);
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
        client.send(TestClient.request(CHAIN, 2, payload));
        assertStatus(client.frame(), Status.OVERLOADED);
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
            stopAndFindNothingLeaked();
            start(() -> new BreakingService(stateless));
            assertStatus(call(CHAIN, 1, payload(1, 100)), Status.OK);
            int durable = chained.durable().size();
            ByteBuf broken = call(CHAIN, 2, payload(1, 5));
            assertStatus(broken, Status.FAILED);
            client.send(TestClient.request(CHAIN, 3, payload(1, 300)));
            ByteBuf refused = client.frame();
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
        stopAndFindNothingLeaked();
        server = PlogServer.start(
                ServerOptions.of(List.of(
                                TargetOptions.unlogged("chain").withService(BuiltInService.CHAIN),
                                TargetOptions.unlogged("off").withService(() -> new BreakingService(true))))
                        .withPorts(0, ServerOptions.NO_ADMIN),
                allocator,
                (target, state, meters) -> null);
        client = TestClient.greeted(server.address());
        ChainModel model = new ChainModel();
        for (int i = 0; i < 3; i++) {
            client.send(TestClient.request(0, 7, payload(7, 20)));
            assertThat(answerOf(client.frame())).isEqualTo(model.answer(payload(7, 20)));
        }
        client.send(TestClient.request(1, 1, payload(1, 5)));
        assertStatus(client.frame(), Status.FAILED);
        client.send(TestClient.request(1, 2, payload(1, 6)));
        assertStatus(client.frame(), Status.FAILED);
    }
}
