package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.plog.log.Checkpoint;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import io.plog.log.storage.Force;
import io.plog.log.testing.Await;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.BreakingService;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.ChainModel;
import io.plog.server.service.TestService;
import io.plog.server.state.TestRequest;
import io.plog.server.targets.ReplayReport;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a server knows after a restart, over real logs. */
@Timeout(120)
class RestartTest {
    private static final long SEGMENT = 64 << 10;

    @TempDir
    Path scratch;

    private final ChainModel model = new ChainModel();

    private Path log() throws Exception {
        return Files.createDirectories(scratch.resolve("log"));
    }

    /** Without a server. */
    private MessageLog openLog() throws Exception {
        return MessageLog.open(LogOptions.in(log())
                .withMaxRecordBytes(16 << 10)
                .withMaxBatchBytes(1 << 20)
                .withSegmentBytes(SEGMENT));
    }

    private TargetOptions target(Path directory) {
        return TargetOptions.logged("a", directory, Force.FDATASYNC)
                .withSegmentBytes(SEGMENT)
                .withService(BuiltInService.CHAIN);
    }

    private static PlogServer start(TargetOptions target) throws Exception {
        return PlogServer.start(ServerOptions.of(List.of(target)).withPorts(0, 0));
    }

    private static ReplayReport replay(PlogServer server) {
        return Objects.requireNonNull(server.targets().get(0).opening()).replay();
    }

    private static byte[] payload(long number) {
        byte[] payload = new byte[(int) (number * 37 % 1_000)];
        new Random(number).nextBytes(payload);
        return payload;
    }

    private static byte[] answer(ByteBuf reply) {
        assertThat(Status.ofCode(ReplyHeader.status(reply)))
                .as(ReplyHeader.sentence(reply))
                .isEqualTo(Status.OK);
        return ByteBufUtil.getBytes(reply, ReplyHeader.BYTES, ReplyHeader.payloadBytes(reply));
    }

    /** Sends these requests, new ones, and checks their answers against the model. */
    private void send(PlogServer server, int from, int to) throws Exception {
        try (TestClient client = TestClient.greeted(server.address())) {
            for (int number = from; number <= to; number++) {
                ByteBuf reply = client.call(0, number, payload(number));
                assertThat(answer(reply)).isEqualTo(model.answer(payload(number)));
                assertThat(ReplyHeader.logIndex(reply)).isEqualTo(number);
                assertThat(ReplyHeader.batchRecords(reply)).isEqualTo(1);
            }
        }
    }

    /** Sends a request that was answered before, and checks that it gets the same answer. */
    private static void repeat(PlogServer server, int number) throws Exception {
        ChainModel fresh = new ChainModel();
        for (int i = 1; i < number; i++) {
            fresh.answer(payload(i));
        }
        try (TestClient client = TestClient.greeted(server.address())) {
            ByteBuf reply = client.call(0, number, payload(number));
            assertThat(answer(reply)).isEqualTo(fresh.answer(payload(number)));
            assertThat(ReplyHeader.logIndex(reply)).isEqualTo(number);
            assertThat(ReplyHeader.batchRecords(reply)).isZero();
        }
    }

    @Test
    void anOrderlyRestartNeedsNoReplayAndTheLogIsStillWhole() throws Exception {
        try (PlogServer server = start(target(log()))) {
            assertThat(replay(server).requests()).isZero();
            send(server, 1, 40);
        }
        assertThat(Checkpoint.read(log()).orElseThrow().index()).isEqualTo(40);
        try (LogReader reader = LogReader.open(log(), 1)) {
            for (int i = 1; i <= 40; i++) {
                assertThat(reader.next()).isTrue();
            }
        }
        try (PlogServer server = start(target(log()))) {
            assertThat(replay(server).checkpointIndex()).isEqualTo(40);
            assertThat(replay(server).requests()).isZero();
            repeat(server, 7);
            send(server, 41, 50);
        }
    }

    @Test
    void afterAKillTheReplayMakesTheStateAgain() throws Exception {
        Path crashed;
        try (PlogServer server = start(target(log()))) {
            send(server, 1, 60);
            crashed = LogFiles.copy(log(), scratch.resolve("crashed"));
        }
        try (PlogServer server = start(target(crashed))) {
            assertThat(replay(server).checkpointIndex()).isZero();
            assertThat(replay(server).requests()).isEqualTo(60);
            repeat(server, 60);
            repeat(server, 1);
            send(server, 61, 70);
        }
    }

    @Test
    void checkpointsBySizeBoundTheLogAndTheReplay() throws Exception {
        Path crashed;
        TargetOptions options = target(log()).withCheckpointBytes(SEGMENT);
        try (PlogServer server = start(options)) {
            send(server, 1, 300); // some 150 kB
            awaitFirstIndexAbove(server, 1);
            send(server, 301, 310);
            crashed = LogFiles.copy(log(), scratch.resolve("crashed"));
        }
        long index = Checkpoint.read(crashed).orElseThrow().index();
        assertThat(index).isPositive();
        try (PlogServer server = start(target(crashed))) {
            assertThat(replay(server).checkpointIndex()).isEqualTo(index);
            assertThat(replay(server).requests()).isEqualTo(310 - index);
            repeat(server, 310);
            repeat(server, 2); // its record is gone, its answer is not
            send(server, 311, 320);
        }
    }

    /** A checkpoint on demand says where the log begins. It drops nothing itself: the target's own thread does. */
    private static void awaitFirstIndexAbove(PlogServer server, long index) throws Exception {
        Await.until(() -> firstIndex(server) > index);
    }

    private static long firstIndex(PlogServer server) throws Exception {
        String reported = AdminServerTest.post(server.adminPort(), "/checkpoint");
        return Long.parseLong(reported.replaceAll("(?s).*begins at index (\\d+).*", "$1"));
    }

    @Test
    void aBoundedLogKeepsItsBoundInSpiteOfACheckpoint() throws Exception {
        TargetOptions options = target(log()).withRetainBytes(3 * SEGMENT);
        try (PlogServer server = start(options)) {
            send(server, 1, 60);
            String reported = AdminServerTest.post(server.adminPort(), "/checkpoint");
            assertThat(reported).contains("checkpoint at index 60,", "the log begins at index 1\n");
            send(server, 61, 700);
            awaitFirstIndexAbove(server, 1);
        }
        try (PlogServer server = start(options)) {
            repeat(server, 1);
            send(server, 701, 702);
        }
    }

    /** Else a log that is stopped more often than its checkpoints are due grows for ever. */
    @Test
    void aStartDropsWhatAStopInOrderLeft() throws Exception {
        TargetOptions options = target(log()).withCheckpointBytes(5 * SEGMENT);
        try (PlogServer server = start(options)) {
            send(server, 1, 300); // some 150 kB
        }
        try (PlogServer server = start(options)) {
            send(server, 301, 600);
        }
        try (PlogServer server = start(options)) {
            awaitFirstIndexAbove(server, 1);
            repeat(server, 1);
        }
    }

    @Test
    void onDemandNothingIsDroppedThatTheOptionsDoNotAllowToDrop() throws Exception {
        try (PlogServer server = start(target(log()))) {
            send(server, 1, 300); // some 150 kB, several segments
            assertThat(AdminServerTest.post(server.adminPort(), "/checkpoint"))
                    .contains("checkpoint at index 300,", "the log begins at index 1\n");
            assertThat(AdminServerTest.post(server.adminPort(), "/checkpoint?target=a"))
                    .contains("the log begins at index 1\n");
        }
        try (PlogServer server = start(target(log()).withCheckpointBytes(1L << 30))) {
            send(server, 301, 600);
            assertThat(AdminServerTest.post(server.adminPort(), "/checkpoint"))
                    .contains("checkpoint at index 600,", "the log begins at index 1\n");
        }
    }

    @Test
    void aLogIsBoundToItsServiceFromTheFirstStartOn() throws Exception {
        start(target(log())).close();
        assertThatExceptionOfType(ServerStartException.class)
                .isThrownBy(() -> start(target(log()).withService(BuiltInService.INVERT)))
                .withMessageContaining(
                        "target a: its checkpoint at index 0 was made by the service 'chain': expected 'invert'")
                .withMessageContaining("Serve this log with the service that made it");
        start(target(log())).close(); // the log was given free
    }

    @Test
    void aLogThatWasCutWithoutACheckpointServesAStatelessServiceOnly() throws Exception {
        try (MessageLog log = openLog()) {
            for (int i = 1; i <= 20; i++) {
                log.appendAndWait(ByteBuffer.wrap(TestRequest.record(TestClient.CLIENT, i, new byte[8_000])));
            }
            assertThat(log.truncateBefore(15)).isGreaterThan(1);
        }
        assertThatExceptionOfType(ServerStartException.class)
                .isThrownBy(() -> start(target(log())))
                .withMessageContaining(
                        "has no checkpoint: the state of the service 'chain' depends on the records before");
        try (PlogServer server = start(target(log()).withService(BuiltInService.INVERT))) {
            assertThat(replay(server).requests()).isBetween(6L, 19L);
        }
    }

    @Test
    void recordsThatAreNoRequestsAreSkippedAndCounted() throws Exception {
        try (MessageLog log = openLog()) {
            log.appendAndWait(ByteBuffer.wrap(TestRequest.record(TestClient.CLIENT, 1, payload(1))));
            log.appendAndWait(ByteBuffer.wrap(new byte[100]));
        }
        model.answer(payload(1));
        try (PlogServer server = start(target(log()))) {
            assertThat(replay(server).requests()).isEqualTo(1);
            assertThat(replay(server).skipped()).isEqualTo(1);
            repeat(server, 1);
            try (TestClient client = TestClient.greeted(server.address())) {
                assertThat(answer(client.call(0, 2, payload(2)))).isEqualTo(model.answer(payload(2)));
            }
        }
    }

    @Test
    void aRecordAtWhichTheServiceFailsStopsTheStart() throws Exception {
        try (MessageLog log = openLog()) {
            log.appendAndWait(ByteBuffer.wrap(TestRequest.record(TestClient.CLIENT, 1, new byte[4])));
            log.appendAndWait(ByteBuffer.wrap(TestRequest.record(TestClient.CLIENT, 2, new byte[5])));
        }
        assertThatExceptionOfType(ServerStartException.class)
                .isThrownBy(() -> start(target(log()).withService(() -> new BreakingService(false))))
                .withMessageContaining("the service 'breaking' failed at record 2 of the log");
    }

    @Test
    void anErrorOfAServiceLeavesNoLogOpen() throws Exception {
        TargetOptions simple = target(log()).withService(TestService::new);
        serve(simple, 1);
        TargetOptions deep = simple.withService(() -> new TestService() {
            @Override
            public Snapshot snapshot() {
                return () -> {
                    throw new StackOverflowError();
                };
            }
        });
        serve(deep, 2);
        TargetOptions other = TargetOptions.logged(
                        "b", Files.createDirectory(scratch.resolve("other")), Force.FDATASYNC)
                .withSegmentBytes(SEGMENT)
                .withService(() -> {
                    throw new AssertionError("no service");
                });
        assertThatThrownBy(() -> PlogServer.start(
                        ServerOptions.of(List.of(simple, other)).withPorts(0, 0)))
                .hasMessage("no service");
        start(simple).close();
    }

    private static void serve(TargetOptions target, int number) throws Exception {
        try (PlogServer server = start(target);
                TestClient client = TestClient.greeted(server.address())) {
            answer(client.call(0, number, payload(number)));
        }
    }
}
