package io.plog.server;

import static io.plog.server.Replies.statusOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.bookkeeper.SimulatedBookies;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.testing.Await;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.server.http.HttpTestClient;
import io.plog.server.options.MemoryOptions;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.BuiltInService;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that wait for a log that one of them holds; the log and the queue are simulated. */
@Timeout(60)
class StandbyTest extends ReplicatedServers {
    private static final Duration STANDBY = Duration.ofSeconds(10);
    private static final Duration HASTY = Duration.ofSeconds(1);

    StandbyTest() {
        super("waited-for", 17);
    }

    private PlogServer start(Duration how, TargetOptions... targets) throws Exception {
        PlogServer server = Scraped.start(ServerOptions.of(List.of(targets))
                .withPorts(0, 0)
                .withHttpPort(0)
                .withStandby(how));
        open.add(server);
        return server;
    }

    private TargetOptions target() {
        return TargetOptions.at("r", bookies.address()).withService(BuiltInService.CHAIN);
    }

    private PlogServer start() throws Exception {
        return start(STANDBY, target());
    }

    private PlogServer ready(Duration how, TargetOptions... targets) throws Exception {
        PlogServer server = start(how, targets);
        awaitReady(server);
        return server;
    }

    private PlogServer ready() throws Exception {
        return ready(STANDBY, target());
    }

    /** A server that has seen that this one holds the log. */
    private PlogServer standby(PlogServer holder, Duration how) throws Exception {
        PlogServer standby = start(how, target());
        awaitHealth(standby, "standby: " + address(holder) + " holds the log");
        return standby;
    }

    private TestClient client(PlogServer server) throws Exception {
        TestClient client = TestClient.greeted(server.address());
        open.add(client);
        return client;
    }

    private static String address(PlogServer server) {
        return "127.0.0.1:" + server.address().getPort();
    }

    private static void awaitReady(PlogServer server) throws Exception {
        Await.until(() -> server.health().sentence().equals("ready"));
    }

    private static ByteBuf read(TestClient client) throws Exception {
        ByteBuf frame = TestClient.request(0, 1_000, payload(1));
        RequestHeader.setReadOnly(frame, true);
        client.send(frame);
        return client.frame();
    }

    /** A client of a server that has answered this many requests of it. */
    private TestClient answered(PlogServer server, int requests) throws Exception {
        TestClient client = client(server);
        for (int number = 1; number <= requests; number++) {
            answered(ask(client, number), number);
        }
        return client;
    }

    @Test
    void aStandbyListensAndRefusesUntilTheHolderHasGoneAndServesThenWhatThatOneLogged() throws Exception {
        PlogServer holder = ready();
        TestClient first = answered(holder, 20);
        PlogServer standby = start();
        String holds = "standby: " + address(holder) + " holds the log";
        awaitHealth(standby, holds);
        assertThat(standby.health().good()).isFalse();
        TestClient second = client(standby);
        ByteBuf refused = ask(second, 21);
        assertThat(statusOf(refused)).isEqualTo(Status.NOT_SERVING);
        assertThat(ReplyHeader.sentence(refused)).contains(holds, "not logged and not executed");
        assertThat(statusOf(read(second))).as("a read").isEqualTo(Status.NOT_SERVING);
        assertThat(statusOf(read(first))).as("a read").isEqualTo(Status.OK);

        holder.close();
        awaitReady(standby);
        answered(ask(second, 21), 21);
        assertThat(ReplyHeader.logIndex(ask(second, 20))).as("a repeat").isEqualTo(20);
        answered(ask(second, 22), 22);
        assertThat(statusOf(read(second))).isEqualTo(Status.OK);
    }

    @Test
    void aStandbyRefusesRequestsUntilItsReplayHasEnded() throws Exception {
        bookies.refuseFollowers(true); // or there were little left to replay
        PlogServer holder = ready();
        TestClient first = answered(holder, 20);
        PlogServer standby = standby(holder, STANDBY);
        TestClient second = client(standby);
        bookies.holdReads(true);
        try {
            bookies.forgetHolder();
            bookies.awaitReader();
            assertThat(statusOf(ask(second, 21))).as("a request").isEqualTo(Status.NOT_SERVING);
            assertThat(statusOf(ask(second, 20))).as("a repeat").isEqualTo(Status.NOT_SERVING);
            assertThat(statusOf(read(second))).as("a read").isEqualTo(Status.NOT_SERVING);
            assertThat(standby.health().sentence()).contains("its turn has come, and it recovers the log");
        } finally {
            bookies.holdReads(false);
        }
        awaitReady(standby);
        answered(ask(second, 21), 21);
        assertThat(ReplyHeader.logIndex(ask(second, 20))).as("a repeat").isEqualTo(20);
        awaitHealth(holder, "standby: " + address(standby) + " holds the log");
    }

    @Test
    void aTakeoverReplaysOnlyWhatTheStandbyHasNotApplied() throws Exception {
        PlogServer holder = ready();
        TestClient first = answered(holder, 20);
        PlogServer standby = start();
        awaitHealth(standby, "holds the log; applied here up to record 19 of 19");
        assertThat(metrics(standby)).contains("plog_standby_behind_records{force=\"quorum\",target=\"r\"} 0.0");
        bookies.forgetHolder();
        awaitReady(standby);
        assertThat(metrics(standby)).contains("plog_replayed_records_total{force=\"quorum\",target=\"r\"} 1.0");
        TestClient second = client(standby);
        assertThat(ReplyHeader.logIndex(ask(second, 3))).as("a repeat").isEqualTo(3);
        assertThat(ReplyHeader.logIndex(ask(second, 20))).as("a repeat").isEqualTo(20);
        answered(ask(second, 21), 21);
        awaitHealth(holder, "standby: " + address(standby) + " holds the log; applied here up to record 20 of 20");
        bookies.forgetHolder();
        awaitReady(holder);
        answered(insist(first, 22), 22);
        awaitHealth(standby, "standby: " + address(holder) + " holds the log");
    }

    @Test
    void aHolderThatIsTakenForGoneIsFencedWaitsAndServesAgainWhenItsTurnComes() throws Exception {
        PlogServer one = ready();
        PlogServer two = standby(one, STANDBY);
        TestClient ofOne = client(one);
        TestClient ofTwo = client(two);
        answered(ask(ofOne, 1), 1);
        PlogServer holder = one;
        for (int number = 2; number <= 4; number++) {
            PlogServer next = holder == one ? two : one;
            bookies.forgetHolder();
            awaitReady(next);
            answered(ask(next == one ? ofOne : ofTwo, number), number);
            ByteBuf refused = ask(next == one ? ofTwo : ofOne, number + 1);
            assertThat(statusOf(refused)).as(ReplyHeader.sentence(refused)).isIn(Status.NOT_SERVING, Status.LOG_FAILED);
            awaitHealth(holder, "standby: " + address(next) + " holds the log");
            assertThat(statusOf(read(next == one ? ofTwo : ofOne))).isEqualTo(Status.NOT_SERVING);
            holder = next;
        }
    }

    /** A request that a fenced holder was given may not be logged there; what it refuses is free for the other. */
    @Test
    void aServerThatWasTakenOverByOneOutsideTheQueueWaitsForItsTurnAndTakesTheLogBack() throws Exception {
        PlogServer server = ready();
        TestClient client = answered(server, 1);
        try (DurableLog other = DurableLog.open(bookies.address(), LogOptions.in(Path.of("")))) {
            assertThat(other.durableIndex()).isEqualTo(1);
        }
        assertThat(statusOf(ask(client, 2))).isIn(Status.NOT_SERVING, Status.LOG_FAILED);
        answered(insist(client, 2), 2);
    }

    @Test
    void aHolderWithoutItsQuorumWaitsForItIfNoOtherDoes() throws Exception {
        PlogServer server = ready(HASTY, target());
        TestClient client = answered(server, 1);
        crashThree();
        assertThat(statusOf(ask(client, 2))).isIn(Status.LOG_FAILED, Status.NO_QUORUM);
        awaitHealth(server, "standby: it cannot take its log over (too few bookies");
        restartThree();
        awaitReady(server);
        answered(insist(client, 2), 2);
    }

    @Test
    void aHolderWithoutItsQuorumLetsOthersTryAndTheOneThatHasItServes() throws Exception {
        PlogServer holder = ready(HASTY, target());
        TestClient first = answered(holder, 1);
        PlogServer other = standby(holder, HASTY);
        TestClient second = client(other);
        crashThree();
        assertThat(statusOf(ask(first, 2))).isIn(Status.LOG_FAILED, Status.NO_QUORUM);
        awaitHealth(other, "standby: it cannot take its log over (too few bookies");
        restartThree();
        Await.until(() -> holder.health().good() || other.health().good());
        answered(ask(other.health().good() ? second : first, 2), 2);
    }

    @Test
    void aHolderWhoseLogHangsLeavesItToTheNextAndAcknowledgesNothingMore() throws Exception {
        PlogServer holder = ready(HASTY, target());
        TestClient first = answered(holder, 1);
        PlogServer next = standby(holder, HASTY);
        TestClient second = client(next);
        bookies.hang(true);
        first.send(TestClient.request(0, 2, payload(2)));
        awaitReady(next);
        assertThat(first.available()).as("bytes of a reply").isZero();
        awaitHealth(holder, "standby: it gave its log up: no append had an outcome for ");
        bookies.hang(false);
        ByteBuf reported = first.frame();
        assertThat(statusOf(reported)).as(ReplyHeader.sentence(reported)).isEqualTo(Status.LOG_FAILED);
        assertThat(statusOf(ask(first, 2))).as("not known here").isEqualTo(Status.LOG_FAILED);
        answered(ask(second, 2), 2);
        awaitHealth(holder, "standby: " + address(next) + " holds the log");
    }

    @Test
    void aHolderThatIsSlowKeepsItsLogWhileTheMachinesThatKeepItAnswer() throws Exception {
        PlogServer holder = ready(HASTY, target());
        TestClient first = answered(holder, 1);
        PlogServer next = standby(holder, HASTY);
        bookies.slow(true);
        first.send(TestClient.request(0, 2, payload(2)));
        Await.until(() -> bookies.askedWhetherInReach() >= 3); // each time it might have given the log up
        assertThat(holder.health().good()).as(holder.health().sentence()).isTrue();
        assertThat(next.health().sentence()).contains("standby");
        bookies.slow(false);
        answered(first.frame(), 2);
    }

    @Test
    void aStandbyWithAnotherServiceIsRefusedWhileTheHolderServes() throws Exception {
        PlogServer holder = ready();
        PlogServer other = start(STANDBY, target().withService(BuiltInService.INVERT));
        assertThat(other.awaitBroken().getMessage())
                .isEqualTo(
                        "target r: its log " + bookies.address() + " is served by " + address(holder)
                                + " with the service 'chain', and this standby has 'invert': give it service=chain, or another log");
        assertThat(holder.health().good()).as(holder.health().sentence()).isTrue();
    }

    @Test
    void aStandbyThatWouldForgetRequestsWhichTheHolderRemembersIsRefused() throws Exception {
        PlogServer holder = ready();
        MemoryOptions memory = new MemoryOptions(0, 0, Duration.ofSeconds(7));
        PlogServer other = PlogServer.start(ServerOptions.of(List.of(target()))
                .withPorts(0, 0)
                .withMemory(memory)
                .withStandby(STANDBY));
        open.add(other);
        assertThat(other.awaitBroken().getMessage())
                .startsWith("target r: its log " + bookies.address() + " is served by " + address(holder)
                        + ", which remembers window=1024,clients=32768,client-bytes=8388608,least-time=5000ms, and"
                        + " this standby window=1024,clients=32768,client-bytes=8388608,least-time=7000ms: ")
                .contains("Give all servers of a log the same");
        assertThat(holder.health().good()).as(holder.health().sentence()).isTrue();
    }

    @Test
    void aStandbyWithAnotherServiceIsRefusedWhenItsTurnComes() throws Exception {
        PlogServer holder = ready();
        answered(ask(client(holder), 1), 1);
        holder.close();
        PlogServer other = start(STANDBY, target().withService(BuiltInService.INVERT));
        assertThat(other.awaitBroken().getMessage())
                .contains("its checkpoint at index 1 was made by the service 'chain': expected 'invert'");
        PlogServer right = ready();
        answered(ask(client(right), 2), 2);
    }

    @Test
    void aLogWithOtherSettingsEndsAStandbyInOneSentence() throws Exception {
        PlogServer first = ready();
        first.close();
        URI other = URI.create(bookies.address() + "?ensemble=1&ack=1");
        assertThat(start(STANDBY, TargetOptions.at("r", other)).awaitBroken().getMessage())
                .contains("was made with ensemble=3, write=3, ack=2", "ask for the same, or use another name");
    }

    @Test
    void aDamagedLogEndsAStandbyAsWhatItIs() throws Exception {
        PlogServer first = ready();
        answered(ask(client(first), 1), 1);
        first.close();
        bookies.deleteLastLedger();
        assertThat(start(STANDBY, target()).awaitBroken())
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("no such ledger");
    }

    @Test
    void aLogThatKnowsNoStandbyIsRefusedAtTheStart(@TempDir Path directory) {
        assertThatThrownBy(() -> start(STANDBY, TargetOptions.at("r", directory.toUri())))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("knows no standby: a log of the kind file has one server");
    }

    @Test
    void clientsLearnHowTheLogIsKeptOnceItIsHeld() throws Exception {
        PlogServer holder = ready();
        PlogServer standby = standby(holder, STANDBY);
        try (TestClient client = new TestClient(standby.address())) {
            assertThat(client.hello().targets().get(0).facts())
                    .containsEntry("address", bookies.address().toString())
                    .containsEntry("service", "chain")
                    .doesNotContainKey("ackQuorum");
        }
        holder.close();
        awaitReady(standby);
        Map<String, String> facts = Map.of();
        while (!facts.containsKey("ackQuorum")) { // a moment after it is ready
            try (TestClient client = new TestClient(standby.address())) {
                facts = client.hello().targets().get(0).facts();
            }
        }
        assertThat(facts).containsEntry("ackQuorum", "2").containsEntry("service", "chain");
    }

    @Test
    void severalLogsAreHeldByOneServer() throws Exception {
        try (SimulatedBookies more = SimulatedBookies.start("also-waited-for", 4, 18)) {
            TargetOptions[] targets = {
                target(), TargetOptions.at("s", more.address()), TargetOptions.unlogged("off"),
            };
            PlogServer one = ready(STANDBY, targets);
            PlogServer two = start(STANDBY, targets[1], targets[0], targets[2]);
            awaitHealth(two, "standby: ");
            TestClient client = client(two);
            assertThat(statusOf(ask(client, 0, 1))).isEqualTo(Status.NOT_SERVING);
            assertThat(statusOf(ask(client, 1, 1))).isEqualTo(Status.NOT_SERVING);
            assertThat(statusOf(ask(client, 2, 1))).as("no server holds it").isEqualTo(Status.OK);
            one.close();
            awaitReady(two);
            answered(ask(client, 1, 1), 1);
            assertThat(statusOf(ask(client, 0, 1))).isEqualTo(Status.OK);
            two.close();
        }
    }

    @Test
    void aHolderThatIsCutOffFromTheQueueAnswersNoReadsAndIsNotReady() throws Exception {
        PlogServer server = ready();
        TestClient client = answered(server, 1);
        assertThat(statusOf(read(client))).isEqualTo(Status.OK);
        bookies.cutOffFromQueue(true);
        ByteBuf refused = read(client);
        assertThat(statusOf(refused)).isEqualTo(Status.NOT_SERVING);
        assertThat(ReplyHeader.sentence(refused)).contains("another server may have the log by now");
        assertThat(server.health().good()).isFalse();
        answered(ask(client, 2), 2); // the fence decides about these
        bookies.cutOffFromQueue(false);
        assertThat(statusOf(read(client))).isEqualTo(Status.OK);
        assertThat(server.health().good()).isTrue();
    }

    @Test
    void serversThatHoldSomeOfTheLogsEachAreBothReadyAndSayForWhatTheyAre() throws Exception {
        try (SimulatedBookies more = SimulatedBookies.start("split", 4, 18)) {
            TargetOptions[] targets = {target(), TargetOptions.at("s", more.address())};
            PlogServer one = ready(STANDBY, targets);
            PlogServer two = start(STANDBY, targets);
            Await.until(() -> reported(two, "s").contains("holds the log"));
            assertThat(two.health().good()).as("it serves nothing").isFalse();
            more.forgetHolder();
            awaitHealth(two, "ready, but for what others serve: target r is a standby: " + address(one));
            awaitHealth(one, "ready, but for what others serve: target s is a standby: " + address(two));
            assertThat(one.health().good() && two.health().good()).isTrue();
            assertThat(ready(one, "r")).isEqualTo("200 ready\n");
            assertThat(ready(one, "s")).startsWith("503 not ready: target s is a standby: " + address(two));
            assertThat(ready(two, "r")).startsWith("503 not ready: target r is a standby: " + address(one));
            assertThat(ready(two, "s")).isEqualTo("200 ready\n");
            assertThat(ready(two, "t")).startsWith("404 there is no target t");
            bookies.cutOffFromQueue(true);
            assertThat(one.health().good()).as("what it holds is not well").isFalse();
        }
    }

    private static String ready(PlogServer server, String target) throws Exception {
        HttpTestClient.Response reported =
                HttpTestClient.ask(server.adminPort(), HttpTestClient.get("/health/ready?target=" + target));
        return reported.status() + " " + reported.text();
    }

    /** As after a power failure, when the server starts before what keeps the queue. */
    @Test
    void aQueueThatCannotBeJoinedAtTheStartIsTriedAgainAndKeepsNoOtherLogFromBeingServed() throws Exception {
        try (SimulatedBookies more = SimulatedBookies.start("late", 4, 18)) {
            more.refuseJoins(true);
            PlogServer server = start(STANDBY, target(), TargetOptions.at("s", more.address()));
            Await.until(() ->
                    reported(server, "s").contains("cannot wait for its log (no ZooKeeper answers), and tries again")
                            && reported(server, "r").isEmpty());
            more.refuseJoins(false);
            awaitReady(server);
        }
    }

    @Test
    void aStandbyTakesAllItsLogsOverThoughNoQueueCanBeJoinedAnyMore() throws Exception {
        try (SimulatedBookies more = SimulatedBookies.start("also-waited-for", 4, 18)) {
            TargetOptions[] targets = {target(), TargetOptions.at("s", more.address())};
            PlogServer holder = ready(STANDBY, targets);
            PlogServer standby = start(STANDBY, targets);
            for (String target : new String[] {"r", "s"}) {
                Await.until(() -> reported(standby, target).contains("standby: " + address(holder) + " holds the log"));
            }
            bookies.refuseJoins(true);
            more.refuseJoins(true);
            holder.close();
            awaitReady(standby);
            answered(ask(client(standby), 0, 1), 1);
        }
    }

    private static String reported(PlogServer server, String target) throws Exception {
        try (TestClient client = TestClient.greeted(server.address())) {
            ByteBuf reply = client.call(target.equals("r") ? 0 : 1, 1, payload(1));
            return statusOf(reply) == Status.OK ? "" : ReplyHeader.sentence(reply);
        }
    }

    @Test
    void aServerThatServesALogGoesOnWhenItCannotServeAnother() throws Exception {
        try (SimulatedBookies more = SimulatedBookies.start("damaged", 4, 18)) {
            TargetOptions other = TargetOptions.at("s", more.address()).withService(BuiltInService.CHAIN);
            PlogServer first = ready(STANDBY, other);
            answered(ask(client(first), 1), 1);
            first.close();
            PlogServer server =
                    start(STANDBY, TargetOptions.at("r", bookies.address()), other.withService(BuiltInService.INVERT));
            awaitHealth(
                    server,
                    "target s is a standby: it cannot serve its log (target s: its checkpoint at index 1 was made by the service");
            assertThat(statusOf(ask(client(server), 0, 1))).isEqualTo(Status.OK);
            assertThat(statusOf(ask(client(server), 1, 1))).isEqualTo(Status.NOT_SERVING);
        }
    }

    @Test
    void metersReportWhoWaitsAndHowLongATakeoverTook() throws Exception {
        PlogServer holder = ready();
        PlogServer standby = standby(holder, STANDBY);
        String waits = "plog_standby{force=\"quorum\",target=\"r\"} ";
        assertThat(metrics(standby)).contains(waits + "1.0").doesNotContain("plog_takeover");
        String reported = metrics(holder);
        assertThat(reported).contains(waits + "0.0");
        String copies = "plog_log_copies{force=\"quorum\",target=\"r\"} ";
        assertThat(metrics(standby)).contains(copies + "0.0");
        OpsFiles.assertThatNamesAreIn(metrics(standby), true);
        Await.until(() -> metrics(holder).contains(copies + "3.0")); // once it has looked
        for (String step : new String[] {"open", "replay", "all"}) {
            assertThat(reported)
                    .contains("plog_takeover_seconds_count{force=\"quorum\",step=\"" + step + "\",target=\"r\"} 1");
        }
    }

    @Test
    void aCheckpointIsAskedOfTheServerThatHoldsTheLog() throws Exception {
        PlogServer holder = ready();
        PlogServer standby = standby(holder, STANDBY);
        String checkpoint = HttpTestClient.post("/checkpoint", "");
        HttpTestClient.Response reported = HttpTestClient.ask(standby.adminPort(), checkpoint);
        assertThat(reported.status()).isEqualTo(409);
        assertThat(reported.text())
                .isEqualTo("target r: no checkpoint: only the server that holds the log saves one, and target r is a"
                        + " standby: " + address(holder) + " holds the log\n");
        assertThat(HttpTestClient.ask(holder.adminPort(), checkpoint).status()).isEqualTo(200);
    }

    private static String metrics(PlogServer server) throws Exception {
        return HttpTestClient.ask(server.adminPort(), HttpTestClient.get("/metrics"))
                .text();
    }
}
