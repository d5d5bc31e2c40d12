package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.RunResults;
import io.plog.e2e.support.TestServer;
import io.plog.e2e.support.Words;
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
    void oneServerOffersAllSixWaysOfForcing() throws Exception {
        List<String> ways = List.of("off", "write", "fdatasync", "fsync", "dsync", "direct");
        List<String> options = new ArrayList<>(List.of("--admin-port", "0"));
        List<String> cells = new ArrayList<>();
        for (String way : ways) {
            Path log = Files.createDirectory(directory.resolve(way));
            options.addAll(Words.of("--log t-%s=%s,segment=4MiB,force=%s", way, log, way));
            cells.add("t-" + way + "/" + way + "/100");
            cells.add("t-" + way + "/" + way + "/5000");
        }
        try (TestServer server = TestServer.start(directory, "%s", options)) {
            Path results = directory.resolve("results");
            LocalRun.of(
                            "measure --server %s --sizes 100,5k --iterations 20 --trials 1 --warmup 5 --blocks 2 --csv --out %s",
                            server.address(), results)
                    .exited(0, 5);
            RunResults read = RunResults.read(results);
            assertThat(read.cellNames()).containsExactlyInAnyOrderElementsOf(cells);
            assertThat(read.counts()).containsOnly(20);
            assertThat(read.isPartial()).isFalse();
            assertThat(read.json().at("/environment/server/events").asText())
                    .isEqualTo("not available: the server has no admin port");
            assertThat(read.json().at("/environment/client/events").asText()).isEqualTo("recorded");
            assertThat(Files.readAllLines(results.resolve("samples.csv"))).hasSizeGreaterThanOrEqualTo(12 * 25);
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
}
