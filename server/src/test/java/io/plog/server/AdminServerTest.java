package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.plog.log.Outcomes;
import io.plog.log.storage.Force;
import io.plog.server.http.HttpTestClient;
import io.plog.server.http.HttpTestClient.Response;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.targets.FakeLog;
import io.plog.server.targets.Target;
import io.plog.server.targets.TargetMeters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminServerTest {
    @TempDir
    Path directory;

    private static Response get(PlogServer server, String path) throws IOException {
        return HttpTestClient.ask(server.adminPort(), HttpTestClient.get(path));
    }

    private ServerOptions options() {
        return ServerOptions.of(List.of(TargetOptions.logged("disk", directory, Force.FDATASYNC)))
                .withPorts(0, 0);
    }

    private PlogServer serve(FakeLog log) throws Exception {
        return Scraped.start(options(), log);
    }

    private static void assertReady(PlogServer server) throws IOException {
        assertThat(get(server, "/health/ready").status()).isEqualTo(200);
    }

    static void assertNotReady(int port, String... sentence) throws IOException {
        Response ready = HttpTestClient.ask(port, HttpTestClient.get("/health/ready"));
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.text()).contains(sentence);
    }

    @Test
    void dashboardAndAlertsAskForMetersThatThereAre() throws Exception {
        ServerOptions options = ServerOptions.of(List.of(
                        TargetOptions.logged("disk", directory, Force.FDATASYNC), TargetOptions.unlogged("off")))
                .withPorts(0, 0);
        try (PlogServer server = Scraped.start(options)) {
            String metrics = get(server, "/metrics").text();
            OpsFiles.assertThatNamesAreIn(metrics, false);
            assertThat(metrics.lines().filter(line -> line.contains("target=\"disk\"")))
                    .hasSizeLessThanOrEqualTo(200);
            assertThat(metrics.lines()
                            .filter(line -> line.startsWith("plog_log_") || line.startsWith("plog_checkpoint_")))
                    .noneMatch(line -> line.contains("target=\"off\""));
        }
    }

    @Test
    void aServerWhoseLogFailedIsLiveAndNotReady() throws Exception {
        FakeLog log = new FakeLog();
        try (PlogServer server = serve(log)) {
            int port = server.adminPort();
            assertReady(server);
            log.fail();
            assertNotReady(server.adminPort(), "the log of target disk failed");
            assertThat(get(server, "/health/live").status()).isEqualTo(200);
            assertThat(get(server, "/metrics").text())
                    .contains("plog_log_healthy{force=\"fdatasync\",target=\"disk\"} 0.0");
        }
    }

    @Test
    void aServerWhoseDiskIsFullIsNotReadyFromTheFirstRefusalUntilThereIsSpaceAgain() throws Exception {
        FakeLog log = new FakeLog();
        try (PlogServer server = serve(log);
                TestClient client = TestClient.greeted(server.address())) {
            log.space().notPrepared(new IOException("No space left on device"));
            assertReady(server);
            log.refuse(Outcomes.full());
            client.send(TestClient.request(0, 1, new byte[10]));
            client.frame();
            // The reply is sent before it is counted, on the same event loop: the next one comes after that.
            client.send(TestClient.request(0, 2, new byte[10]));
            client.frame();
            assertNotReady(
                    server.adminPort(),
                    "target disk in /srv/disk has refused requests since 1970-01-01T",
                    "No space left");
            assertThat(get(server, "/metrics").text())
                    .contains("plog_log_healthy{force=\"fdatasync\",target=\"disk\"} 0.0");
            log.space().prepared();
            assertReady(server);
        }
    }

    @Test
    void aServerWhoseDiskHangsIsNotReadyUntilItGoesOn() throws Exception {
        FakeLog log = new FakeLog();
        try (PlogServer server = serve(log)) {
            log.stall(11_000_000_000L);
            assertNotReady(server.adminPort(), "forcing the same batch for 11 s");
            assertThat(get(server, "/metrics").text())
                    .contains("plog_log_healthy{force=\"fdatasync\",target=\"disk\"} 0.0");
            log.stall(9_000_000_000L);
            assertReady(server);
        }
    }

    @Test
    void aServerWhoseServiceDoesNotReturnIsNotReadyUntilItDoes() throws Exception {
        FakeLog log = new FakeLog();
        try (PlogServer server = serve(log)) {
            log.executeFor(11_000_000_000L);
            assertNotReady(
                    server.adminPort(), "the service of target disk", "has not returned from one record for 11 s");
            log.executeFor(0);
            assertReady(server);
        }
    }

    @Test
    void aServerThatRecoversItsLogsIsLiveAndNotReady() throws Exception {
        int admin;
        try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
            admin = free.getLocalPort();
        }
        ServerOptions options = options().withPorts(0, admin);
        Target.LogOpener opener = (target, state, meters) -> {
            assertNotReady(admin, "recovering its logs");
            return new FakeLog();
        };
        try (PlogServer server = PlogServer.start(options, ByteBufAllocator.DEFAULT, opener)) {
            assertThat(server.adminPort()).isEqualTo(admin);
        }
    }

    @Test
    void openMetricsIsGivenToThoseWhoAskForItAndOnlyReadingIsAllowed() throws Exception {
        try (PlogServer server = serve(new FakeLog())) {
            Response metrics = HttpTestClient.ask(
                    server.adminPort(),
                    HttpTestClient.get("/metrics", "Accept: application/openmetrics-text;version=1.0.0"));
            assertThat(metrics.header("Content-Type")).contains("openmetrics");
            assertThat(metrics.text()).endsWith("# EOF\n");
            assertThat(HttpTestClient.ask(server.adminPort(), HttpTestClient.post("/metrics", ""))
                            .status())
                    .isEqualTo(405);
        }
    }

    static String post(int port, String path) throws IOException {
        Response answer = HttpTestClient.ask(port, HttpTestClient.post(path, ""));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text();
    }

    private static void assertCheckpoint(int port, String query, int status, String text) throws IOException {
        Response answer = HttpTestClient.ask(port, HttpTestClient.post("/checkpoint" + query, ""));
        assertThat(answer.text()).contains(text).endsWith("\n");
        assertThat(answer.status()).isEqualTo(status);
    }

    @Test
    void aCheckpointIsSavedOnDemandAndWhatPreventsOneIsSaid() throws Exception {
        FakeLog log = new FakeLog();
        ServerOptions options = ServerOptions.of(List.of(
                        TargetOptions.unlogged("off"), TargetOptions.logged("disk", directory, Force.FDATASYNC)))
                .withPorts(0, 0);
        try (PlogServer server = PlogServer.start(
                options, ByteBufAllocator.DEFAULT, (target, state, meters) -> target.isLogged() ? log : null)) {
            int port = server.adminPort();
            String saved = "target disk: checkpoint at index 0, 12 bytes; the log begins at index 1";
            assertCheckpoint(port, "", 200, saved);
            assertCheckpoint(port, "?target=disk", 200, saved);
            assertCheckpoint(port, "?target=off", 409, "target off keeps no log");
            assertCheckpoint(port, "?target=nowhere", 404, "there is no target nowhere");
            assertCheckpoint(port, "?when=now", 400, "unknown query 'when=now'");
            log.failCheckpoints(new IOException("no space"));
            assertCheckpoint(port, "", 500, "target disk: no checkpoint: no space");
            Response read = get(server, "/checkpoint");
            assertThat(read.status()).isEqualTo(405);
            assertThat(read.header("Allow")).contains("POST");
            assertThat(read.text()).contains("POST saves a checkpoint");
        }
    }

    @Test
    void withoutALogThereIsNoCheckpoint() throws Exception {
        ServerOptions options =
                ServerOptions.of(List.of(TargetOptions.unlogged("off"))).withPorts(0, 0);
        try (PlogServer server = PlogServer.start(options, ByteBufAllocator.DEFAULT, (target, state, meters) -> null)) {
            assertCheckpoint(server.adminPort(), "", 409, "no target keeps a log");
        }
    }

    @Test
    void theServersClockIsReportedOverHttp() throws Exception {
        try (PlogServer server = serve(new FakeLog())) {
            long before = System.nanoTime();
            Response clock = get(server, "/clock");
            long after = System.nanoTime();
            assertThat(clock.status()).isEqualTo(200);
            assertThat(Long.parseLong(clock.text().strip())).isBetween(before, after);
        }
    }

    @Test
    void eventsAreRecordedFromTheFirstTimeThatSomebodyAsks() throws Exception {
        List<TargetMeters> meters = new ArrayList<>();
        try (PlogServer server = PlogServer.start(options(), ByteBufAllocator.DEFAULT, (target, state, made) -> {
            meters.add(made);
            return new FakeLog();
        })) {
            meters.get(0).events().batchForced(1, 2_000_000, 3_000_000);
            String nothing = events(server, "?since=" + Long.MAX_VALUE);
            assertThat(nothing)
                    .contains("\"events\":\"recorded\"")
                    .contains("\"processors\":")
                    .contains("\"events\":[]");
            long began = System.nanoTime();
            meters.get(0).events().batchForced(3, 2_000_000, 4_000_000);
            meters.get(0).events().batchForced(1, 100_000, 899_999);
            meters.get(0).events().segmentChanged(7, 12_000);
            meters.get(0).events().segmentPrepared(8, 900_000_000);
            meters.get(0).checkpointSaved(5_000_000, 77);
            String reported = events(server, "?since=" + began);
            assertThat(reported)
                    .contains("\"durationNanos\":6000000,\"withinNanos\":6000000,"
                            + "\"detail\":\"disk: 3 records, write 2000 µs, force 4000 µs\"")
                    .contains("\"kind\":\"segment change\"")
                    .contains("\"detail\":\"disk to segment 7\"")
                    .contains("\"detail\":\"disk of segment 8\"")
                    .contains("\"detail\":\"disk of 77 bytes\"")
                    .contains("{\"kind\":\"force\",\"count\":1,\"totalNanos\":6000000}");
            assertThat(events(server, "")).contains("disk: 3 records");
            assertThat(get(server, "/events?since=yesterday").status()).isEqualTo(400);
        }
    }

    private static String events(PlogServer server, String query) throws Exception {
        Response answer = get(server, "/events" + query);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).contains("application/json");
        return answer.text();
    }

    @Test
    void theWelcomeNamesTheAdminPortIfThereIsOne() throws Exception {
        try (PlogServer server = serve(new FakeLog());
                TestClient client = new TestClient(server.address())) {
            assertThat(client.hello().facts()).containsEntry("adminPort", Integer.toString(server.adminPort()));
        }
        ServerOptions without = options().withPorts(0, ServerOptions.NO_ADMIN);
        try (PlogServer server =
                        PlogServer.start(without, ByteBufAllocator.DEFAULT, (target, state, meters) -> new FakeLog());
                TestClient client = new TestClient(server.address())) {
            assertThat(client.hello().facts()).doesNotContainKey("adminPort");
        }
    }
}
