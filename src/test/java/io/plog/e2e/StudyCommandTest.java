package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.Await;
import io.plog.e2e.support.Directories;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
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
    /** On a machine that is busy with other things. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private static List<String> study(String more, Object... values) {
        return Words.of(
                "study --designs dedicated,inline --loads 0.5 --rates 60 --duration 600ms --connections 4"
                        + " --mix 100=1,10k=1 --seed 3 --trials 1 %s",
                Words.of(more, values));
    }

    /** A disk that takes as long each time: half of the time on another one goes into the search for the rate that it keeps. */
    @Test
    @Timeout(300)
    void aTinyStudyFillsEverythingAndLeavesNothingBehindNotEvenOfOneThatWasKilled() throws Exception {
        Path logs = Files.createDirectory(directory.resolve("logs"));
        fillsEverything(Words.of("--log-dir sim:fixed:2ms@%s", logs));
        assertThat(logs).isEmptyDirectory();
    }

    @Test
    @Tag("slow")
    @Timeout(300)
    void soItDoesOnARealDisk() throws Exception {
        fillsEverything(List.of());
    }

    private void fillsEverything(List<String> where) throws Exception {
        Path out = Files.createDirectory(directory.resolve("out"));
        for (String left : List.of("plan.json", "samples.plog", "warm-up.tmp", "search.tmp", "idle.tmp")) {
            Files.createFile(out.resolve(left));
        }
        Plog study = Plog.start("%s %s", study("--overwrite --out %s", out), where);
        Path soFar = out.resolve("samples.plog");
        Path planned = out.resolve("plan.json");
        Await.until("the study begins", () -> planned.toFile().length() > 0 || !study.isAlive());
        Await.until("a cell is measured", () -> Files.exists(soFar) || !study.isAlive());
        LocalRun watched = LocalRun.of("report %s --out %s --json", soFar, directory.resolve("watched"));
        assertThat(watched.outText()).contains("of 13 cells are measured");
        study.awaitExit(PATIENCE);
        study.exited(0, 5);
        JsonNode results =
                new ObjectMapper().readTree(out.resolve("results.json").toFile());
        assertThat(results.path("kind").textValue()).isEqualTo("study");
        assertThat(results.path("partial").path("partial").booleanValue()).isFalse();
        assertThat(results.path("cells").findValuesAsText("load"))
                .containsOnly("capacity", "relative", "absolute", "workload")
                .hasSize(2 + 2 + 2 + 2 + 2 + 3);
        assertThat(results.path("overhead")).hasSize(1);
        assertThat(results.path("claims")).hasSize(9);
        for (JsonNode cell : results.path("cells")) {
            JsonNode load = cell.path("underLoad");
            boolean logged = !cell.path("force").textValue().equals("off");
            boolean mixed = cell.path("dimensions").has("workload");
            assertThat(cell.path("count").longValue()).isPositive();
            if (!load.path("problems").isEmpty()) {
                continue; // on a machine with other work a cell as short as these may have answered nothing in time
            }
            assertThat(load.path("acceptedPerSecond").path("value").doubleValue())
                    .isPositive();
            assertThat(load.path("trials").path(0).path("errors")).isEmpty();
            if (cell.path("dimensions").path("load").textValue().equals("capacity")) {
                assertThat(load.path("serverMicrosPerRequest").doubleValue()).isPositive();
            }
            assertThat(load.path("readyChannels")).isNotEmpty();
            assertThat(load.path("workload").isObject()).isEqualTo(mixed);
            assertThat(mixed || load.path("batchRecords").isEmpty() != logged).isTrue();
        }
        assertThat(results.path("validity")).anySatisfy(check -> {
            assertThat(check.path("id").textValue()).isEqualTo("design");
            assertThat(check.path("ok").booleanValue()).isTrue();
        });
        assertThat(study.out())
                .allSatisfy(line -> assertThat(line.length()).as("%s", line).isLessThanOrEqualTo(100));
        assertThat(study.outText()).containsPattern("/s!? capacity mix"); // a ! if it is not judged
        // One on a machine with other work is not valid, and nothing is judged by it.
        assertThat(study.outText()).contains(study.awaitExit() == 0 ? List.of("R1", "W2") : List.of("are not judged"));
        assertThat(Directories.names(out))
                .as("no logs, and the parts are in one file")
                .containsExactly("plan.json", "report.html", "results.json", "samples.plog", "server.log");
        assertThat(study.processes()).isEmpty();
    }

    @Test
    @Timeout(300)
    void aDesignThatAnswersNothingInItsTimeFailsAndIsNotLeftOut() throws Exception {
        Path out = directory.resolve("out");
        LocalRun study = LocalRun.of(
                        "study --designs inline --loads 0.5 --rates 60 --duration 100ms --connections 4 --mix 100=1 --seed 3"
                                + " --trials 1 --log-dir sim:fixed:300ms --out %s",
                        out)
                .exited(1);
        assertThat(study.errText())
                .contains(
                        "the run is partial: 1 of its cells failed, the first: inline, capacity, mix: none of its requests"
                                + " was accepted in its time, so no other load has a rate");
        assertThat(study.outText()).contains("simulated: fixed:300ms,");
        assertThat(out).isDirectoryNotContaining("glob:**/plog-study-*");
    }

    @Test
    @Tag("slow")
    @Timeout(300)
    void ctrlCEndsTheServerAndTakesTheLogAway() throws Exception {
        Path out = directory.resolve("out");
        try (Plog study = Plog.start("study --designs dedicated --duration 600s --connections 4 --out %s", out)) {
            Await.until("the first cell is measured", () -> isMeasured(out.resolve("cells")) || !study.isAlive());
            List<ProcessHandle> servers = study.processes();
            assertThat(servers).as("%s", study).isNotEmpty();
            study.interrupt();
            assertThat(study.awaitExit(PATIENCE)).isEqualTo(1);
            study.withoutStackTrace();
            assertThat(study.errText()).contains("interrupted before anything was measured");
            assertThat(servers).noneMatch(ProcessHandle::isAlive);
        }
        assertThat(Directories.names(out)).noneMatch(name -> name.startsWith("plog-study-"));
    }

    /** Which cell is the first hangs on the seed. */
    private static boolean isMeasured(Path cells) throws IOException {
        if (!Files.isDirectory(cells)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(cells)) {
            return files.anyMatch(file -> file.endsWith("samples.plog"));
        }
    }

    @Test
    void aDryRunSaysWhatItTakesAndDoesNothing() throws Exception {
        Path out = directory.resolve("out");
        LocalRun study = LocalRun.of("%s", study("--dry-run --out %s", out)).exited(0);
        assertThat(study.errText()).contains("cells      13", "takes", "writes", "--seed 3");
        assertThat(study.outText()).contains("\"seed\" : 3");
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
                "--duration|0|duration is 0 ms|expected 100 ms",
                "--arrivals|poison|arrivals|poisson"
            })
    void whatMakesNoSenseIsRefusedInOneLine(String option, String value, String found, String expected)
            throws Exception {
        LocalRun study = LocalRun.of("study --out %s %s %s", directory.resolve("out"), option, value)
                .exited(2);
        assertThat(study.err()).hasSize(1);
        assertThat(study.errText()).contains(found, expected);
    }

    @Test
    void aDirectoryThatIsNotThereOrHasResultsIsRefused() throws Exception {
        LocalRun missing = LocalRun.of(
                        "%s", study("--out %s --log-dir %s", directory.resolve("out"), directory.resolve("nowhere")))
                .exited(1);
        assertThat(missing.errText()).contains("nowhere does not exist: expected a directory on the disk to measure");
        Files.writeString(directory.resolve("results.json"), "");
        LocalRun full = LocalRun.of("%s", study("--out %s", directory)).exited(1);
        assertThat(full.errText()).contains("holds results already (results.json)");
    }
}
