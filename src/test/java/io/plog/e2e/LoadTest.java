package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RunResults;
import io.plog.e2e.support.TestServer;
import io.plog.e2e.support.Words;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code plog load} against a server in another process. */
final class LoadTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private static JsonNode load(Path results) throws Exception {
        return new ObjectMapper()
                .readTree(results.resolve("results.json").toFile())
                .at("/load/0");
    }

    private void load(TestServer server, Path results, String options, Object... values) throws Exception {
        LocalRun plog = LocalRun.of(
                "load --server %s --out %s --warmup 300ms --seed 7 %s",
                server.address(), results, Words.of(options, values));
        plog.exited(0, 5);
    }

    @Test
    @Tag("slow")
    void everyAcknowledgedRequestOfEveryModeIsInTheLogOnce() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        Path ledger = directory.resolve("ledger");
        long sent = 0;
        // However busy the machine is, nothing is refused: a refusal in a warm-up counts as a request, and is in no
        // ledger.
        try (TestServer server =
                TestServer.start(directory, "--log main=%s,segment=16MiB --admin-port 0 --max-wait 1m", log)) {
            Path closed = directory.resolve("closed");
            load(
                    server,
                    closed,
                    "--mode closed --connections 4 --outstanding 3 --requests 300"
                            + " --mix 100=1,1k-2k=1,20KB=1 --ledger %s",
                    ledger);
            assertThat(load(closed).path("accepted").asLong()).isEqualTo(300);
            assertThat(load(closed).path("offeredPerSecond").isNull()).isTrue();

            Path open = directory.resolve("open");
            load(
                    server,
                    open,
                    "--mode open --connections 5 --rate 100 --arrivals poisson --duration 2s --ledger %s",
                    ledger);
            assertThat(load(open).path("sent").asLong()).isBetween(140L, 260L);

            Path partly = directory.resolve("partly");
            load(
                    server,
                    partly,
                    "--mode partly-open --connections 10 --requests-per-connection 5 --rate 100"
                            + " --duration 2s --ledger %s",
                    ledger);
            assertThat(load(partly).path("sent").asLong()).isEqualTo(200);
            assertThat(load(partly).at("/connects/count").asLong()).isBetween(39L, 51L);
            for (Path results : List.of(closed, open, partly)) {
                assertThat(load(results).path("errors")).isEmpty();
                for (JsonNode cell : RunResults.read(results).cells()) {
                    sent += cell.path("count").asLong() + cell.path("warmup").asLong();
                }
            }
        }
        List<LogContents.Entry> acknowledged = LogContents.ledger(ledger, 0);
        assertThat(acknowledged).hasSize((int) sent);
        List<LogContents.Entry> logged = LogContents.dump(log);
        assertThat(logged).hasSize((int) sent);
        LogContents.check(acknowledged, logged);
    }

    /** Whether both were ready in time: on a busy machine they may not be. */
    private boolean beganTogether(TestServer server, String at) throws Exception {
        try (Plog one = together(server, "a", at);
                Plog other = together(server, "b", at)) {
            boolean inTime = true;
            for (Plog each : List.of(one, other)) {
                inTime &= each.awaitExit(Duration.ofSeconds(150)) != 2;
                assertThat(each.errText()).contains("begins at " + at);
            }
            return inTime;
        }
    }

    private Plog together(TestServer server, String name, String at) throws Exception {
        return Plog.start(
                "load --server %s --out %s --mode open --rate 100 --warmup 0 --duration 1s"
                        + " --overwrite --start-at %s",
                server.address(), directory.resolve(name), at);
    }

    @Test
    @Timeout(400)
    void loadsThatBeganTogetherBecomeOneLoadOfAllTheirSamples() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        Path merged = directory.resolve("merged");
        try (TestServer server = TestServer.start(directory, "--log main=%s,segment=16MiB --admin-port free", log)) {
            long seconds = 15;
            while (!beganTogether(server, Instant.now().plusSeconds(seconds).toString())) {
                assertThat(seconds).as("a machine that is never ready").isLessThan(100);
                seconds *= 2;
            }
        }
        LocalRun.of("report --merge %s %s --out %s", directory.resolve("a"), directory.resolve("b"), merged)
                .exited(0);
        assertThat(load(merged).path("sent").asLong()).isEqualTo(200);
        JsonNode results =
                new ObjectMapper().readTree(merged.resolve("results.json").toFile());
        assertThat(results.at("/plan/loop/rate").asDouble()).isEqualTo(200);
        assertThat(results.at("/environment/client/beganApart").asText()).contains("by the server's clock");
    }

    @Test
    void aSearchThatCannotBeIsRefusedBeforeAnythingIsSent() {
        refused("--rate 5", "leave out --rate", "p99 < 1ms");
        refused("--mode closed", "any other --mode", "p99 < 1ms");
        refused("--start-at 23:59", "leave out --rate, --start-at", "p99 < 1ms");
        refused("--ledger no-ledger", "leave out --resume and --ledger", "p99 < 1ms");
        refused("", "no latency: expected one, too, as 'p99 < 10ms'", "refusedShare < 0.01");
        refused("", "expected a latency or refusedShare, then < or <=", "p99 > 1ms");
    }

    private static void refused(String options, String why, String condition) {
        List<Object> words = new ArrayList<>(List.of("load", "--find-max", condition));
        words.addAll(Words.of(options));
        assertThat(LocalRun.of("%s", words).exited(2).errText()).contains(why);
    }

    @Test
    void whatAServiceCannotAnswerIsRefusedBeforeTheFirstLoad() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        service.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        service.start();
        String load = "load --server http://127.0.0.1:" + service.getAddress().getPort() + "/ -d 1s ";
        try {
            assertThat(LocalRun.of(load + "--find-max %s", "log.p99 < 10ms")
                            .exited(2)
                            .onlyErrLine())
                    .contains("gate 'log.p99 < 10ms': what it names is not logged, so it has no logging latency;"
                            + " it has endToEnd and fromIntended");
            for (String gate : List.of(
                    "force.p99 > 1ms",
                    "endToEnd.p99@size=7 > 1ms",
                    "endToEnd.p99 > 1.1x",
                    "refusedShare@target=x > 0")) {
                assertThat(LocalRun.of(load + "-r 10 --fail-if %s", gate)
                                .exited(2)
                                .onlyErrLine())
                        .contains("gate '" + gate + "': ");
            }
            assertThat(LocalRun.of(load + "-c 1 --fail-if %s", "lag.p99 > 1ms")
                            .exited(2)
                            .onlyErrLine())
                    .contains("a closed loop sends whenever a reply has come");
            assertThat(LocalRun.of(load + "-r 10 --fail-if %s", "maxRate < 10")
                            .exited(2)
                            .onlyErrLine())
                    .contains("--find-max finds");
        } finally {
            service.stop(0);
        }
        assertThat(requests.get())
                .as("looks whether the service is there, once each")
                .isLessThanOrEqualTo(6);
    }

    @Test
    void aConditionThatNoRateKeepsIsSaidSoAndFailsAGate() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        Path results = directory.resolve("results");
        try (TestServer server = TestServer.start(directory, "--log main=%s,segment=16MiB --admin-port 0", log)) {
            String words = "load --server %s --out %s --overwrite --find-max %s --warmup 0 --duration 1s --fail-if %s";
            // It fails a gate, unless the machine is so busy that nothing is decided.
            LocalRun.of(words, server.address(), results, "p99 < 1us", "maxRate < 1000000")
                    .exited(4, 1, 5);
        }
        JsonNode found = new ObjectMapper()
                .readTree(results.resolve("results.json").toFile())
                .path("maxRate");
        assertThat(found.path("condition").asText()).isEqualTo("p99 < 1us, refusedShare <= 0");
        assertThat(found.at("/perSecond/value").asDouble()).isZero();
        assertThat(found.path("sentence").asText()).startsWith("No rate ").contains(" p99 < 1us");
        List<JsonNode> loads = new ArrayList<>();
        found.path("loads").forEach(loads::add);
        assertThat(loads).allMatch(load -> !load.path("answer").asText().equals("kept"));
        assertThat(loads.get(0).path("requestsPerSecond").asDouble())
                .as("so many requests a second that a load is long enough")
                .isEqualTo(400);
        assertThat(results.resolve("report.html")).exists();
        assertThat(results.resolve("cells")).doesNotExist();
        LocalRun report = LocalRun.of("report %s --json", results).exited(0);
        assertThat(new ObjectMapper().readTree(report.outText()).path("maxRate"))
                .as("all of it is in the samples")
                .isEqualTo(found);
    }

    /** A service that refuses what comes above a rate is not what fails, and what it refuses is no success. */
    @Test
    @Tag("slow")
    @Timeout(400)
    void theRateAtWhichAServiceBeginsToRefuseIsFound() throws Exception {
        long perSecond = 400;
        long[] free = {System.nanoTime()};
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
        service.setExecutor(Executors.newFixedThreadPool(16));
        service.createContext("/", exchange -> {
            boolean refused;
            synchronized (free) {
                long now = System.nanoTime();
                refused = free[0] > now;
                free[0] = Math.max(free[0], now - 50_000_000) + (refused ? 0 : 1_000_000_000 / perSecond);
            }
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(refused ? 429 : 200, -1);
            exchange.close();
        });
        service.start();
        Path results = directory.resolve("results");
        try {
            LocalRun.of(
                            "load --server http://127.0.0.1:%s/ --out %s --find-max %s --connections 16 --warmup 500ms --duration 5s",
                            service.getAddress().getPort(), results, "p99 < 2s")
                    .exited(0, 1, 5);
        } finally {
            service.stop(0);
        }
        JsonNode loads = new ObjectMapper()
                .readTree(results.resolve("results.json").toFile())
                .at("/maxRate/loads");
        for (JsonNode load : loads) {
            if (load.path("requestsPerSecond").asDouble() > 1.2 * perSecond) {
                assertThat(load.path("answer").asText()).isNotEqualTo("kept");
            }
        }
        assertThat(loads.toString()).contains("refusedShare was ");
    }
}
