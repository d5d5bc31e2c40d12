package io.plog.server;

import static io.plog.server.Replies.statusOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.storage.LogException;
import io.plog.log.testing.Await;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.BuiltInService;
import io.plog.server.targets.ReplayReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose log is kept by several machines, here simulated ones. */
@Timeout(60)
class ReplicatedTargetTest extends ReplicatedServers {
    ReplicatedTargetTest() {
        super("served", 11);
    }

    private static PlogServer start(TargetOptions target) throws Exception {
        return PlogServer.start(ServerOptions.of(List.of(target)).withPorts(0, 0));
    }

    private PlogServer start() throws Exception {
        return start(TargetOptions.at("r", bookies.address()).withService(BuiltInService.CHAIN));
    }

    private static ReplayReport replay(PlogServer server) {
        return Objects.requireNonNull(server.targets().get(0).opening()).replay();
    }

    @Test
    void aTargetWhoseAddressNothingCanOpenIsNeverServedWithoutALog() {
        assertThatThrownBy(() -> start(TargetOptions.at("r", URI.create("nowhere://host/r")))
                        .close())
                .isInstanceOf(LogException.class)
                .hasMessageContaining("no log can be opened at nowhere://host/r");
    }

    @Test
    void requestsAreAnsweredInOrderAndAnOrderlyRestartNeedsNoReplay() throws Exception {
        try (PlogServer server = start();
                TestClient client = TestClient.greeted(server.address())) {
            for (int number = 1; number <= 50; number++) {
                ByteBuf reply = ask(client, number);
                answered(reply, number);
                assertThat(ReplyHeader.logIndex(reply)).isEqualTo(number);
            }
        }
        try (PlogServer server = start();
                TestClient client = TestClient.greeted(server.address())) {
            assertThat(replay(server).checkpointIndex()).isEqualTo(50);
            assertThat(replay(server).requests()).isZero();
            answered(ask(client, 51), 51);
        }
    }

    @Test
    void aRequestThatWasAnsweredBeforeATakeoverIsNotExecutedAgain() throws Exception {
        try (PlogServer before = start()) {
            byte[] first;
            try (TestClient client = TestClient.greeted(before.address())) {
                answered(ask(client, 1), 1);
                first = model.answer(payload(2));
                assertThat(ByteBufUtil.getBytes(ask(client, 2), ReplyHeader.BYTES, first.length))
                        .isEqualTo(first);
            }
            try (PlogServer server = start();
                    TestClient client = TestClient.greeted(server.address())) {
                assertThat(replay(server).requests()).isEqualTo(2);
                ByteBuf repeated = ask(client, 2);
                assertThat(ReplyHeader.logIndex(repeated)).isEqualTo(2);
                assertThat(ByteBufUtil.getBytes(repeated, ReplyHeader.BYTES, first.length))
                        .isEqualTo(first);
                answered(ask(client, 3), 3);
            }
        } catch (IOException closedAfterItWasFenced) {
            assertThat(closedAfterItWasFenced).hasMessageContaining("taken log served over");
        }
    }

    @Test
    void clientsLearnThatTheTargetWaitsForItsQuorumAndWhereItsLogIs() throws Exception {
        try (PlogServer server = start();
                TestClient client = new TestClient(server.address())) {
            var reported = client.hello().targets().get(0);
            assertThat(reported.force()).isEqualTo("quorum");
            assertThat(reported.facts())
                    .containsEntry("address", bookies.address().toString())
                    .containsEntry("engine", "simulated bookies")
                    .containsEntry("ensemble", "3")
                    .containsEntry("writeQuorum", "3")
                    .containsEntry("ackQuorum", "2");
        }
    }

    @Test
    void checkpointsBySizeDropLedgersThatTheyMakeSuperfluous() throws Exception {
        TargetOptions target = TargetOptions.at("r", bookies.address())
                .withService(BuiltInService.CHAIN)
                .withSegmentBytes(64 << 10)
                .withCheckpointBytes(64 << 10);
        int number = 0;
        long first = 1;
        while (first == 1) { // the checkpoint is saved next to the requests, at any time
            try (PlogServer server = start(target);
                    TestClient client = TestClient.greeted(server.address())) {
                first = Objects.requireNonNull(server.targets().get(0).opening())
                        .recovery()
                        .firstIndex();
                for (int i = 0; i < 2_000; i++) {
                    number++;
                    answered(ask(client, number), number);
                }
            }
        }
        assertThat(number).isGreaterThan(2_000);
    }

    @Test
    void belowTheAckQuorumRequestsAreRefusedAndGoOnByThemselvesExactlyOnce() throws Exception {
        try (PlogServer server = start();
                TestClient client = TestClient.greeted(server.address())) {
            answered(ask(client, 1), 1);
            crashThree();
            ByteBuf lost = ask(client, 2);
            while (statusOf(lost) == Status.OK) { // it was acknowledged before the crash was noticed
                lost = ask(client, 2);
            }
            assertThat(statusOf(lost)).isIn(Status.LOG_FAILED, Status.NO_QUORUM);
            ByteBuf refused = ask(client, 3);
            assertThat(statusOf(refused)).isEqualTo(Status.NO_QUORUM);
            assertThat(ReplyHeader.sentence(refused))
                    .contains("has too few machines that answer since", "continues by itself", "was not logged");
            assertThat(server.health().good()).isFalse();
            assertThat(server.health().sentence()).contains("too few machines that answer");
            restartThree();
            answered(insist(client, 2), 2);
            answered(insist(client, 3), 3);
            assertThat(server.health().good()).as(server.health().sentence()).isTrue();
            assertThat(ReplyHeader.logIndex(ask(client, 3))).isEqualTo(3);
        }
        try (PlogServer server = start();
                TestClient client = TestClient.greeted(server.address())) {
            answered(ask(client, 4), 4);
        }
    }

    /** One bookie has it, which is not enough to acknowledge it, and enough for a recovery to find it. */
    @Test
    void whatWasStoredWhenTheQuorumWasLostIsExecutedOnceAfterTheRecovery() throws Exception {
        try (PlogServer server = start();
                TestClient client = TestClient.greeted(server.address())) {
            answered(ask(client, 1), 1);
            List<Integer> ensemble = bookies.firstEnsemble();
            bookies.hang(true);
            int underWay = bookies.messages();
            client.send(TestClient.request(0, 2, payload(2)));
            Await.until(() -> bookies.messages() >= underWay + 3); // a copy for each
            for (int bookie = 0; bookie < 4; bookie++) {
                if (bookie != ensemble.get(0)) {
                    bookies.crash(bookie);
                }
            }
            bookies.hang(false);
            assertThat(statusOf(client.frame())).isEqualTo(Status.LOG_FAILED);
            for (int bookie = 0; bookie < 4; bookie++) {
                bookies.restart(bookie);
            }
            ByteBuf reply = insist(client, 2);
            answered(reply, 2);
            assertThat(ReplyHeader.logIndex(reply))
                    .as("the record that was stored")
                    .isEqualTo(2);
            answered(insist(client, 3), 3); // a repeat is answered a moment before others are let in
        }
    }

    @Test
    void aServerThatWasFencedWhileItHadNothingToDoSaysSoAndRefuses() throws Exception {
        PlogServer server = start();
        try (TestClient client = TestClient.greeted(server.address())) {
            answered(ask(client, 1), 1);
            try (DurableLog other = DurableLog.open(bookies.address(), LogOptions.in(Path.of("")))) {
                awaitHealth(server, "was taken over by another server");
                ByteBuf refused = ask(client, 2);
                assertThat(statusOf(refused)).isEqualTo(Status.NOT_SERVING);
                assertThat(ReplyHeader.sentence(refused)).contains("was taken over by another server");
                assertThat(other.durableIndex()).as("nothing of it was logged").isEqualTo(1);
            }
        } finally {
            assertThatThrownBy(server::close).hasMessageContaining("taken log served over");
        }
    }

    @Test
    void aServerWhoseLedgerWasClosedByAutoRecoveryGoesOnByItself() throws Exception {
        try (PlogServer server = start();
                TestClient client = TestClient.greeted(server.address())) {
            answered(ask(client, 1), 1);
            bookies.closeLedger();
            awaitHealth(server, "was fenced"); // though it has nothing to do
            assertThat(server.health().sentence()).contains("continues by itself if no server has it after 10 s");
            assertThat(statusOf(ask(client, 2))).isEqualTo(Status.NOT_SERVING);
            answered(insist(client, 2), 2);
            answered(insist(client, 3), 3);
            assertThat(server.health().good()).as(server.health().sentence()).isTrue();
        }
    }

    @Test
    void aBookieThatIsMissingStopsNeitherAStartNorTheService() throws Exception {
        bookies.crash(0);
        bookies.crash(1);
        try (PlogServer server = start();
                TestClient client = TestClient.greeted(server.address())) {
            answered(ask(client, 1), 1);
        }
    }

    @Test
    void aLogOfANewerVersionIsRefused() throws Exception {
        start().close();
        bookies.replaceNode("plog-log 9\nsomething new\n");
        assertThatThrownBy(this::start).hasMessageContaining("version");
    }
}
