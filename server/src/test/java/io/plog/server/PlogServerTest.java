package io.plog.server;

import static io.plog.server.Replies.assertAnswers;
import static io.plog.server.Replies.assertGoodbye;
import static io.plog.server.Replies.assertRefusal;
import static io.plog.server.Replies.payload;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import io.plog.log.Outcomes;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogException;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Hello;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.Welcome;
import io.plog.server.net.Transports;
import io.plog.server.options.DesignOption;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.options.TransportOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** The server's promises on real sockets, over a log that is durable when the test says so. */
@ParameterizedClass
@CsvSource({"dedicated,io_uring", "dedicated,epoll", "dedicated,nio", "inline,epoll", "threads-shared=16,epoll"})
class PlogServerTest extends FakeLogServer {
    private static final int OFF = 0;
    private static final int LOGGED = 1;

    private final DesignOption design;
    private final TransportOption transport;

    PlogServerTest(String design, String transport) {
        this.design = DesignOption.parse(design);
        this.transport = TransportOption.parse(transport);
    }

    /**
     * Several requests of a connection can be in the log at once only if no thread waits for the first: with this design, beside
     * another connection.
     */
    private void assumeThatNoThreadWaits() {
        assumeThat(design.kind()).isEqualTo(DesignOption.Kind.DEDICATED);
    }

    @BeforeEach
    void start() throws Exception {
        assumeThat(Transports.isOffered(transport)).isTrue(); // in a sandbox, say
        start(options());
    }

    private ServerOptions options() {
        return options(TargetOptions.unlogged("off"), logged("disk"));
    }

    @Override
    PlogServer start(ServerOptions options) throws Exception {
        return super.start(options.withDesign(design).withTransport(transport));
    }

    private void restart(ServerOptions options) throws Exception {
        server.close();
        start(options);
    }

    @Test
    void welcomeReportsLimitsAndTargets() throws Exception {
        try (TestClient client = new TestClient(server.address())) {
            Welcome welcome = client.hello();
            assertThat(welcome.maxPayloadBytes()).isEqualTo(1 << 20);
            assertThat(welcome.maxOutstanding()).isEqualTo(1024);
            assertThat(welcome.facts())
                    .containsKeys("plog", "os", "cpu", "jvm", "gc", "eventLoops")
                    .containsEntry("design", design.label())
                    .containsEntry("transport", server.transport().label());
            assertThat(welcome.targets()).extracting("id").containsExactly(0, 1);
            assertThat(welcome.targets()).extracting("name").containsExactly("off", "disk");
            assertThat(welcome.targets()).extracting("force").containsExactly("off", "fdatasync");
            assertThat(welcome.targets().get(1).facts())
                    .containsEntry("path", directory.toRealPath().toString())
                    .containsKeys("fileSystem", "device", "writeCache");
        }
    }

    @Test
    void anUnloggedTargetAnswersAtOnceWithTheTransformedPayload() throws Exception {
        try (TestClient client = client()) {
            for (int size : new int[] {0, 1, 100, 100_000, 1 << 20}) {
                byte[] payload = payload(size);
                ByteBuf request = TestClient.request(OFF, size, payload);
                client.send(request);
                ByteBuf reply = client.frame();
                assertAnswers(reply, request);
                assertThat(ReplyHeader.logIndex(reply)).isZero();
                assertThat(ReplyHeader.batchRecords(reply)).isZero();
                assertThat(ReplyHeader.residenceNanos(reply)).isPositive();
            }
        }
        assertThat(log.queuedRecords()).isZero();
    }

    @Test
    void noReplyLeavesBeforeItsRecordIsDurable() throws Exception {
        assumeThatNoThreadWaits();
        try (TestClient client = client();
                TestClient other = client()) {
            ByteBuf request = TestClient.request(LOGGED, 1, payload(100));
            client.send(request);
            // The unlogged request comes later on the same connection, so its reply shows that the first had its
            // chance.
            assertThat(ReplyHeader.request(client.call(OFF, 2, payload(10)))).isEqualTo(2);
            assertThat(client.available() + other.available()).isZero();
            log.makeDurable(1);
            ByteBuf reply = client.frame();
            assertAnswers(reply, request);
            assertThat(ReplyHeader.logIndex(reply)).isEqualTo(1);
            assertThat(ReplyHeader.waitingNanos(reply)).isEqualTo(1);
            assertThat(ReplyHeader.batchWaitNanos(reply)).isEqualTo(2);
            assertThat(ReplyHeader.writeNanos(reply)).isEqualTo(3);
            assertThat(ReplyHeader.forceNanos(reply)).isEqualTo(4);
            assertThat(ReplyHeader.executionNanos(reply)).isPositive();
            assertThat(ReplyHeader.residenceNanos(reply)).isGreaterThan(ReplyHeader.executionNanos(reply));
        }
    }

    @Test
    void theRecordIsTheEndOfTheRequestByteForByte() throws Exception {
        try (TestClient client = client()) {
            for (int size : new int[] {0, 1, 1_000, 100_000, 500_000}) {
                ByteBuf request = TestClient.request(LOGGED, size, payload(size));
                client.send(request);
                log.makeDurable(1);
                assertAnswers(client.frame(), request);
                assertThat(log.durable().get(log.durable().size() - 1))
                        .isEqualTo(ByteBufUtil.getBytes(request, 64, request.readableBytes() - 64));
            }
        }
    }

    @Test
    void repliesOfABatchLeaveInLogOrder() throws Exception {
        assumeThatNoThreadWaits();
        try (TestClient client = client();
                TestClient other = client()) {
            for (int i = 0; i < 500; i++) {
                client.send(TestClient.request(LOGGED, i, payload(i)));
            }
            log.makeDurable(200);
            log.makeDurable(300);
            for (int i = 0; i < 500; i++) {
                ByteBuf reply = client.frame();
                assertThat(ReplyHeader.request(reply)).isEqualTo(i);
                assertThat(ReplyHeader.logIndex(reply)).isEqualTo(i + 1);
                assertThat(ReplyHeader.batchRecords(reply)).isEqualTo(i < 200 ? 200 : 300);
            }
            assertThat(other.available()).isZero();
        }
    }

    @Test
    void failuresOfTheLogHaveTheirStatusAndASentence() throws Exception {
        try (TestClient client = client()) {
            Object[][] cases = {
                {Outcomes.overloaded(), Status.OVERLOADED},
                {Outcomes.full(), Status.LOG_FULL},
                {Outcomes.shortage(), Status.LOG_FULL},
                {Outcomes.failedForGood(), Status.LOG_FAILED},
                {Outcomes.closed(), Status.SHUTTING_DOWN}
            };
            for (Object[] each : cases) {
                LogException cause = (LogException) each[0];
                client.send(TestClient.request(LOGGED, 1, payload(100)));
                log.fail(cause);
                assertRefusal(client.frame(), (Status) each[1], String.valueOf(cause.getMessage()));
            }
        }
    }

    private static final String LONG_REASON =
            "the log of target a in /srv/a failed for good (wrote nothing, äöü): ".repeat(3);

    @Test
    void theReasonOfARefusalArrivesWholeHoweverShortTheRequest() throws Exception {
        try (TestClient client = client()) {
            for (int bytes : new int[] {0, 1, 100, 10_000}) {
                client.send(TestClient.request(LOGGED, 1, payload(bytes)));
                log.fail(Outcomes.failedForGood(LONG_REASON));
                ByteBuf reply = client.frame();
                assertThat(ReplyHeader.sentence(reply)).isEqualTo(LONG_REASON);
                assertThat(reply.readableBytes()).isEqualTo(88 + LONG_REASON.getBytes(UTF_8).length);
                assertThat(ReplyHeader.sentence(client.call(99, 2, payload(bytes))))
                        .isEqualTo("the server has no target 99");
            }
        }
    }

    @Test
    void anAppendThatIsRefusedAtOnceIsAnsweredAtOnce() throws Exception {
        log.refuse(Outcomes.overloaded());
        try (TestClient client = client()) {
            for (int i = 0; i < 50; i++) {
                client.send(TestClient.request(LOGGED, i, payload(100)));
            }
            for (int i = 0; i < 50; i++) {
                ByteBuf reply = client.frame();
                assertThat(ReplyHeader.request(reply)).isEqualTo(i);
                assertThat(ReplyHeader.executionNanos(reply)).isZero();
                assertRefusal(reply, Status.OVERLOADED, "the queue is full");
            }
        }
    }

    @Test
    void requestsThatCannotBeServedAreRefusedAndTheConnectionStays() throws Exception {
        restart(ServerOptions.of(List.of(
                        TargetOptions.unlogged("off"),
                        TargetOptions.logged("small", directory, Force.FDATASYNC)
                                .withSegmentBytes(1 << 20)))
                .withPorts(0, ServerOptions.NO_ADMIN));
        try (TestClient client = client()) {
            assertRefusal(client.call(9, 1, payload(100)), Status.UNKNOWN_TARGET, "no target 9");
            client.send(TestClient.request(LOGGED, 1, payload(100)).setByte(5, RequestHeader.FLAG_READ_ONLY | 2));
            assertRefusal(client.frame(), Status.UNSUPPORTED, "the flag 1 (read-only)");
            client.send(TestClient.request(LOGGED, 1, payload(100)).setByte(64, 2));
            assertRefusal(client.frame(), Status.UNSUPPORTED, "kind");
            assertRefusal(client.call(LOGGED, 1, payload(262_121)), Status.TOO_LARGE, "262120");
            assertThat(ReplyHeader.status(client.call(OFF, 1, payload(262_121))))
                    .isZero();
        }
        assertThat(log.queuedRecords()).isZero();
    }

    @Test
    void aRequestOverTheLimitCostsTheConnection() throws Exception {
        try (TestClient client = client()) {
            client.send(
                    Unpooled.buffer().writeInt(84 + (1 << 20) + 1).writeByte(3).writeByte(0));
            assertGoodbye(client, GoodbyeCode.TOO_LARGE, "expected at most 1048660");
        }
    }

    @Test
    void malformedInputCostsTheConnectionAndNoOther() throws Exception {
        try (TestClient bystander = client()) {
            try (TestClient client = new TestClient(server.address())) {
                client.send(TestClient.request(OFF, 1, payload(1)));
                assertGoodbye(client, GoodbyeCode.MALFORMED, "before the HELLO");
            }
            try (TestClient client = client()) {
                ByteBuf hello = Unpooled.buffer();
                Hello.encode(hello, "");
                client.send(hello);
                assertGoodbye(client, GoodbyeCode.MALFORMED, "second HELLO");
            }
            try (TestClient client = new TestClient(server.address())) {
                ByteBuf hello = Unpooled.buffer();
                Hello.encode(hello, "");
                client.send(hello.setShort(6, 2).setInt(12, 7)); // what a newer version may use the reserved bytes for
                assertGoodbye(
                        client, GoodbyeCode.VERSION, "the client speaks protocol version 2, this server speaks 1");
            }
            try (TestClient client = client()) {
                client.send(TestClient.request(OFF, 1, payload(1)).setByte(20, 1));
                assertGoodbye(client, GoodbyeCode.MALFORMED, "reserved");
            }
            ByteBuf request = TestClient.request(OFF, 1, payload(100));
            bystander.send(request);
            assertAnswers(bystander.frame(), request);
        }
    }

    @Test
    void randomBytesGetAGoodbyeOrTheEndAndNoOtherNotices() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (TestClient bystander = client()) {
            for (int i = 0; i < 40; i++) {
                byte[] bytes = new byte[6 + random.nextInt(20_000)];
                random.nextBytes(bytes);
                bytes[0] |= (byte) 0x80; // a length over every limit
                try (TestClient client = i % 2 == 0 ? client() : new TestClient(server.address())) {
                    client.send(Unpooled.wrappedBuffer(bytes));
                    assertThat(client.goodbye().code())
                            .as("seed %d", seed)
                            .isIn(GoodbyeCode.MALFORMED.code(), GoodbyeCode.TOO_LARGE.code());
                    assertThat(client.isAtEnd()).isTrue();
                }
                ByteBuf request = TestClient.request(OFF, i, payload(10));
                bystander.send(request);
                assertAnswers(bystander.frame(), request);
            }
        }
    }

    @Test
    void anUnfinishedFrameAndAMissingHelloEndTheConnectionAndAnIdleOneStays() throws Exception {
        restart(options().withPatience(Duration.ofMillis(150)));
        try (TestClient idle = client();
                TestClient half = client();
                TestClient silent = new TestClient(server.address())) {
            half.send(TestClient.request(OFF, 1, payload(100)).slice(0, 50));
            assertGoodbye(half, GoodbyeCode.IDLE, "unfinished");
            assertGoodbye(silent, GoodbyeCode.IDLE, "HELLO");
            ByteBuf request = TestClient.request(OFF, 1, payload(100));
            idle.send(request);
            assertAnswers(idle.frame(), request);
        }
    }

    @Test
    void aClientThatNeverReadsIsCutOff() throws Exception {
        restart(options().withPatience(Duration.ofMillis(150)));
        try (TestClient deaf = client()) {
            ByteBuf request = TestClient.request(OFF, 1, payload(1 << 20));
            CompletableFuture<Void> sending = CompletableFuture.runAsync(
                    () -> {
                        try {
                            for (int i = 0; i < 200; i++) {
                                deaf.send(request);
                            }
                        } catch (java.io.IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    },
                    work -> new Thread(work).start());
            assertThat(sending.handle((done, failure) -> failure != null).get()).isTrue();
        }
    }

    @Test
    void moreOutstandingThanTheLimitWaitsInTheSocketAndIsAnsweredInTheEnd() throws Exception {
        restart(options().withLimits(1 << 20, 10, 4, 64 * 1024));
        try (TestClient client = client()) {
            for (int i = 0; i < 40; i++) {
                client.send(TestClient.request(LOGGED, i, payload(30_000)));
            }
            for (int i = 0; i < 40; i++) {
                log.makeDurable(1);
                ByteBuf reply = client.frame();
                assertThat(ReplyHeader.request(reply)).isEqualTo(i);
                // What one read brought in may exceed the limit of 64 KiB, but not the sum of all.
                assertThat(log.queuedRecords()).isLessThan(12);
            }
        }
    }

    @Test
    void whatWouldWaitTooLongIsRefusedButNotTheFirstOfAConnection() throws Exception {
        assumeThatNoThreadWaits();
        restart(options());
        log.tellTooLongWait("7 requests wait");
        try (TestClient eager = client();
                TestClient modest = client()) {
            eager.send(TestClient.request(LOGGED, 1, payload(100)));
            ByteBuf refused = eager.call(LOGGED, 2, payload(100));
            assertThat(ReplyHeader.request(refused)).isEqualTo(2);
            assertThat(ReplyHeader.status(refused)).isEqualTo(Status.OVERLOADED.code());
            assertThat(ReplyHeader.sentence(refused)).isEqualTo("7 requests wait");
            modest.send(TestClient.request(LOGGED, 3, payload(100)));
            log.makeDurable(2);
            assertThat(ReplyHeader.status(eager.frame())).isEqualTo(Status.OK.code());
            assertThat(ReplyHeader.status(modest.frame())).isEqualTo(Status.OK.code());
            log.tellTooLongWait(null);
            eager.send(TestClient.request(LOGGED, 2, payload(100)));
            log.makeDurable(1);
            assertThat(ReplyHeader.status(eager.frame())).isEqualTo(Status.OK.code());
        }
        assertThat(log.durable()).hasSize(3);
    }

    @Test
    void oneConnectionTooManyIsReportedAndTheOthersStay() throws Exception {
        restart(options().withLimits(1 << 20, 2, 16, 1 << 20));
        try (TestClient first = client();
                TestClient second = client();
                TestClient third = new TestClient(server.address())) {
            assertGoodbye(third, GoodbyeCode.TOO_MANY, "already has 2 connections");
            for (TestClient each : List.of(first, second)) {
                ByteBuf request = TestClient.request(OFF, 1, payload(100));
                each.send(request);
                assertAnswers(each.frame(), request);
            }
        }
    }

    @Test
    void aConnectionThatIsResetInTheMiddleOfARequestIsClosed() throws Exception {
        restart(options().withPatience(Duration.ofMinutes(5))); // which would close it, too
        byte[] begin = ByteBufUtil.getBytes(TestClient.request(OFF, 1, payload(100_000)), 0, 60_000);
        for (int i = 0; i < 500; i++) {
            TestClient client = client();
            client.send(Unpooled.wrappedBuffer(begin));
            client.reset();
        }
        assertThat(server.context().connections().awaitClosed(() -> TimeUnit.SECONDS.toNanos(20)))
                .isZero();
    }

    @Test
    void anEventLoopCannotCloseTheServerAndDisturbsNothing() throws Exception {
        Future<?> closing = server.loops().next().submit(() -> {
            server.close();
            return null;
        });
        assertThat(closing.await().cause())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("use another thread");
        try (TestClient client = client()) {
            ByteBuf request = TestClient.request(OFF, 1, payload(100));
            client.send(request);
            assertAnswers(client.frame(), request);
        }
    }
}
