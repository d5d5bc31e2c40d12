package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RunResults;
import io.plog.e2e.support.TestServer;
import io.plog.e2e.support.Words;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
}
