package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RunResults;
import io.plog.e2e.support.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code plog measure} against a server in another process. */
@Order(6)
final class MeasureTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @Test
    void twoDirectoriesAreMeasuredSideBySide() throws Exception {
        Path one = Files.createDirectory(directory.resolve("one"));
        Path other = Files.createDirectory(directory.resolve("other"));
        try (TestServer server = TestServer.start(
                directory,
                "--log",
                "a=" + one + ",segment=4MiB",
                "--log",
                "b=" + other + ",segment=4MiB,force=dsync",
                "--unlogged",
                "--admin-port",
                "0")) {
            Path results = directory.resolve("results");
            Plog measure = Plog.run(
                    "measure",
                    "--server",
                    server.address(),
                    "--sizes",
                    "100,4KiB",
                    "--iterations",
                    "40",
                    "--warmup",
                    "10",
                    "--blocks",
                    "4",
                    "--out",
                    results,
                    "--csv");
            assertThat(measure.awaitExit()).as("%s", measure).isIn(0, 5);
            measure.withoutStackTrace();
            RunResults read = RunResults.read(results);
            assertThat(read.cellNames())
                    .containsExactly(
                            "a/fdatasync/100",
                            "a/fdatasync/4096",
                            "b/dsync/100",
                            "b/dsync/4096",
                            "off/off/100",
                            "off/off/4096");
            assertThat(read.counts()).containsOnly(40);
            assertThat(read.isPartial()).isFalse();
            assertThat(read.json().at("/environment/server/events").asText())
                    .isEqualTo("not available: the server has no admin port");
            assertThat(read.json().at("/environment/client/events").asText()).isEqualTo("recorded");
            assertThat(Files.readAllLines(results.resolve("samples.csv"))).hasSizeGreaterThanOrEqualTo(6 * 50);
        }
        assertThat(LogContents.dump(one)).hasSize(2 * 50);
        assertThat(LogContents.dump(other)).hasSize(2 * 50);
    }

    @Test
    void oneServerOffersAllSixWaysOfForcing() throws Exception {
        List<String> ways = List.of("off", "write", "fdatasync", "fsync", "dsync", "direct");
        List<Object> options = new ArrayList<>(List.of("--admin-port", "0"));
        List<String> cells = new ArrayList<>();
        for (String way : ways) {
            Path log = Files.createDirectory(directory.resolve(way));
            options.addAll(List.of("--log", "t-" + way + "=" + log + ",segment=4MiB,force=" + way));
            cells.add("t-" + way + "/" + way + "/100");
            cells.add("t-" + way + "/" + way + "/5000");
        }
        try (TestServer server = TestServer.start(directory, options.toArray())) {
            Path results = directory.resolve("results");
            Plog measure = Plog.run(
                    "measure",
                    "--server",
                    server.address(),
                    "--sizes",
                    "100,5k",
                    "--iterations",
                    "20",
                    "--warmup",
                    "5",
                    "--blocks",
                    "2",
                    "--out",
                    results);
            assertThat(measure.awaitExit()).as("%s", measure).isIn(0, 5);
            RunResults read = RunResults.read(results);
            assertThat(read.cellNames()).containsExactlyInAnyOrderElementsOf(cells);
            assertThat(read.counts()).containsOnly(20);
            assertThat(server.stop()).isZero();
        }
        for (String way : ways) {
            if (way.equals("off")) {
                assertThat(directory.resolve(way)).isEmptyDirectory();
            } else {
                assertThat(LogContents.dump(directory.resolve(way))).as(way).hasSize(2 * 25);
            }
        }
    }

    @Test
    void aServerThatGoesAwayLeavesPartialResults() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        Path ledger = directory.resolve("ledger");
        Path results = directory.resolve("results");
        try (TestServer server =
                        TestServer.start(directory, "--log", "a=" + log + ",segment=4MiB", "--admin-port", "0");
                Plog measure = startEndless(server, ledger, results)) {
            Await.until("it measures", () -> Files.exists(ledger) && Files.size(ledger) > 0);
            server.process.kill();
            assertThat(measure.awaitExit()).isEqualTo(1);
            measure.exited(1);
            assertThat(measure.err().get(measure.err().size() - 1)).contains("plog measure: the run is partial:");
            assertThat(RunResults.read(results).isPartial()).isTrue();
        }
    }

    @Test
    void anInterruptLeavesPartialResults() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        Path ledger = directory.resolve("ledger");
        Path results = directory.resolve("results");
        try (TestServer server =
                        TestServer.start(directory, "--log", "a=" + log + ",segment=4MiB", "--admin-port", "0");
                Plog measure = startEndless(server, ledger, results)) {
            Await.until("it measures", () -> Files.exists(ledger) && Files.size(ledger) > 0);
            measure.interrupt();
            assertThat(measure.awaitExit()).isEqualTo(1);
            measure.exited(1);
            assertThat(measure.errText()).contains("interrupted after");
            assertThat(RunResults.read(results).isPartial()).isTrue();
            assertThat(server.process.isAlive()).isTrue();
        }
    }

    /** More than it can ever get done; its ledger tells soon that it measures. */
    private static Plog startEndless(TestServer server, Path ledger, Path results) throws Exception {
        return Plog.start(
                "measure",
                "--server",
                server.address(),
                "--sizes",
                "100",
                "--iterations",
                "10000000",
                "--warmup",
                "10",
                "--blocks",
                "100000",
                "--ledger",
                ledger,
                "--out",
                results);
    }
}
