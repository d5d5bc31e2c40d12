package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plog study} from the outside. */
@Execution(ExecutionMode.CONCURRENT)
@Order(2)
final class StudyCommandTest {
    /** For a server for each of thirteen cells, on a machine that is busy with other things. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir(factory = DiskDirectory.class)
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static Object[] study(Object... more) {
        return Stream.concat(
                        Stream.of(
                                "study",
                                "--designs",
                                "dedicated,inline",
                                "--loads",
                                "0.5",
                                "--rates",
                                "60",
                                "--duration",
                                "1s",
                                "--connections",
                                "4",
                                "--mix",
                                "100=1,10k=1",
                                "--seed",
                                "3",
                                "--repeats",
                                "0"),
                        Stream.of(more))
                .toArray();
    }

    @Test
    @Timeout(300)
    void aTinyStudyFillsEverythingAndLeavesNothingBehind() throws Exception {
        Path out = directory.resolve("out");
        Plog study = Plog.start(study("--out", out));
        study.awaitExit(PATIENCE);
        assertThat(study.awaitExit()).as("%s", study).isIn(0, 5);
        study.withoutStackTrace();
        JsonNode results = new ObjectMapper().readTree(out.resolve("study.json").toFile());
        assertThat(results.path("partialReason").textValue()).isEmpty();
        assertThat(results.path("capacities")).hasSize(2);
        assertThat(results.path("loads")).hasSize(4);
        assertThat(results.path("workloads")).hasSize(3);
        assertThat(results.path("comparisons")).hasSize(1);
        assertThat(results.path("claims")).hasSize(8);
        assertThat(results.path("controls")).hasSize(2).allSatisfy(control -> {
            assertThat(control.path("requestsPerSecond").path("value").doubleValue())
                    .isPositive();
            assertThat(control.path("load").path("batchRecords")).isEmpty();
        });
        for (JsonNode capacity : results.path("capacities")) {
            assertThat(capacity.path("requestsPerSecond").path("value").doubleValue())
                    .isPositive();
            assertThat(capacity.path("serverMicrosPerRequest").doubleValue()).isPositive();
        }
        for (JsonNode load : results.path("loads")) {
            assertThat(load.path("latency").path("count").longValue()).isPositive();
            assertThat(load.path("batchRecords")).isNotEmpty();
            assertThat(load.path("readyChannels")).isNotEmpty();
            assertThat(load.path("ecdf")).isNotEmpty();
            assertThat(load.path("errors")).isEmpty();
        }
        assertThat(results.path("validity")).anySatisfy(check -> {
            assertThat(check.path("id").textValue()).isEqualTo("design");
            assertThat(check.path("ok").booleanValue()).isTrue();
        });
        assertThat(study.out())
                .allSatisfy(line -> assertThat(line.length()).as("%s", line).isLessThanOrEqualTo(100));
        assertThat(study.outText()).contains("Capacity at infinite demand", "R1", "W2");
        assertThat(out.resolve("log")).doesNotExist();
        try (Stream<Path> cells = Files.list(out.resolve("cells"))) {
            List<Path> all = cells.toList();
            assertThat(all)
                    .allSatisfy(cell -> assertThat(cell.resolve("samples.plog")).exists());
            // On a machine that holds the client up a cell is measured again, beside the first time.
            assertThat(all.stream().filter(cell -> !cell.toString().contains("-again-")))
                    .hasSize(2 * 2 + 2 * 2 + 2 + 3);
        }
        assertThat(study.processes()).isEmpty();

        LocalRun merged = LocalRun.of(
                "report", "--merge", "fast=" + out, "slow=" + out, "--out", directory.resolve("merged"), "--json");
        assertThat(merged.exitCode()).as("%s", merged).isIn(0, 5);
        assertThat(new ObjectMapper().readTree(merged.outText()).path("machines"))
                .hasSize(2);
    }

    @Test
    @Timeout(300)
    void ctrlCEndsTheServerAndTakesTheLogAway() throws Exception {
        Path out = directory.resolve("out");
        try (Plog study = Plog.start(
                "study", "--designs", "dedicated", "--duration", "600s", "--connections", "4", "--out", out)) {
            Await.until("the first cell is measured", () -> isMeasured(out.resolve("cells")) || !study.isAlive());
            List<ProcessHandle> servers = study.processes();
            assertThat(servers).as("%s", study).isNotEmpty();
            study.interrupt();
            assertThat(study.awaitExit(PATIENCE)).isEqualTo(1);
            study.withoutStackTrace();
            assertThat(study.errText()).contains("interrupted before anything was measured");
            assertThat(servers).noneMatch(ProcessHandle::isAlive);
        }
        assertThat(out.resolve("log")).doesNotExist();
    }

    /** Which cell is the first hangs on the seed. */
    private static boolean isMeasured(Path cells) throws IOException {
        if (!Files.isDirectory(cells)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(cells)) {
            return files.anyMatch(file -> file.endsWith("samples.plog.spool"));
        }
    }

    @Test
    void aDryRunSaysWhatItTakesAndDoesNothing() throws Exception {
        Path out = directory.resolve("out");
        LocalRun study = LocalRun.of(study("--dry-run", "--out", out));
        study.exited(0);
        assertThat(study.outText()).contains("cells      13", "takes", "writes", "--seed 3");
        assertThat(out).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--designs|inlien|unknown design 'inlien'|did you mean inline?",
                "--loads|0|loads has 0.0|over 0 and below 10",
                "--loads|10|loads has 10.0|over 0 and below 10",
                "--rates|0|rates has 0.0|over 0",
                "--mix|studdy|mix is 'studdy'|did you mean 'study'?",
                "--force|off|--force is off|expected another way",
                "--connections|0|connections is 0|expected 1",
                "--duration|0|--duration is 0 ms|expected 100ms",
                "--arrivals|poison|arrivals|poisson"
            })
    void whatMakesNoSenseIsRefusedInOneLine(String option, String value, String found, String expected)
            throws Exception {
        LocalRun study = LocalRun.of("study", "--out", directory.resolve("out"), option, value)
                .exited(2);
        assertThat(study.err()).hasSize(1);
        assertThat(study.errText()).contains(found, expected);
    }

    @Test
    void aDirectoryThatIsNotThereOrNotEmptyIsRefused() throws Exception {
        LocalRun missing =
                LocalRun.of(study("--out", directory.resolve("out"), "--log-dir", directory.resolve("nowhere")));
        missing.exited(1);
        assertThat(missing.errText()).contains("nowhere does not exist: expected a directory on the disk to measure");
        Files.writeString(directory.resolve("something"), "");
        LocalRun full = LocalRun.of(study("--out", directory));
        full.exited(1);
        assertThat(full.errText()).contains("is not empty; name a directory that is new or empty");
    }
}
