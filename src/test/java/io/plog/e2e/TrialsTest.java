package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.Directories;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RunResults;
import io.plog.e2e.support.SystemCommand;
import io.plog.e2e.support.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs of several trials, plans as files, and runs that are interrupted and gone on with. */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
final class TrialsTest {
    private static final int TRIALS = 2;
    private static final int BLOCKS = 3;
    private static final int ITERATIONS = 60;

    /** For the run that several tests only read. */
    @TempDir(factory = DiskDirectory.class)
    static Path shared;

    @SuppressWarnings("NullAway.Init")
    private static TestServer sharedServer;

    /** Has ended when the tests begin. */
    @SuppressWarnings("NullAway.Init")
    private static Plog complete;

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @BeforeAll
    static void measureARunOfTrials() throws Exception {
        sharedServer = server(shared);
        complete =
                Plog.run("measure --plan %s --out %s --csv", plan(shared, sharedServer, ""), shared.resolve("results"));
    }

    @AfterAll
    static void stopTheServer() {
        if (sharedServer != null) {
            sharedServer.close();
        }
    }

    private static TestServer server(Path directory) throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        return TestServer.start(directory, "--log a=%s,segment=4MiB --unlogged --admin-port 0", log);
    }

    private static Path plan(Path directory, TestServer server, String more) throws Exception {
        return Files.writeString(
                directory.resolve("plan.json"), """
                {"server": "%s", "sizes": ["100", "1k"], "targets": ["a", "off"], "iterations": %d, "trials": %d,
                 "blocks": %d, "warmup": 4, "seed": 11 %s}
                """.formatted(server.address(), ITERATIONS, TRIALS, BLOCKS, more));
    }

    @Test
    void theTrialsOfAPlanFileAreMergedIntoOneRun() throws Exception {
        Path results = shared.resolve("results");
        complete.exited(0, 5);
        RunResults read = RunResults.read(results);
        assertThat(read.isPartial()).isFalse();
        assertThat(read.counts()).hasSize(4).containsOnly(ITERATIONS);
        assertThat(results.resolve("parts")).doesNotExist();
        Map<String, Long> perTrial = samples(results).stream()
                .filter(sample -> "0".equals(sample.get("PHASE")))
                .collect(Collectors.groupingBy(sample -> sample.get("TRIAL"), Collectors.counting()));
        assertThat(perTrial).isEqualTo(Map.of("0", 4 * 30L, "1", 4 * 30L));
        assertThat(samples(results).stream().filter(sample -> "1".equals(sample.get("PHASE"))))
                .hasSize(TRIALS * 4 * 4);
    }

    @Test
    void aRunThatWasKilledGoesOn() throws Exception {
        endAndGoOn("KILL");
    }

    @Test
    @Tag("slow")
    void anInterruptedRunGoesOn() throws Exception {
        endAndGoOn("INT");
    }

    private void endAndGoOn(String signal) throws Exception {
        Path results = directory.resolve("results");
        Path ledger = directory.resolve("ledger");
        try (TestServer server = server(directory)) {
            Path plan = plan(directory, server, ", \"rate\": 60");
            try (Plog measure = Plog.start("measure --plan %s --out %s --ledger %s", plan, results, ledger)) {
                // Into the second block: one is done, and a cell of the next is under way.
                Await.until(
                        "it measures",
                        () -> Files.exists(ledger) && Files.readAllLines(ledger).size() > 70);
                SystemCommand.signal("-" + signal, measure.pid());
                measure.awaitExit();
                Await.until(
                        "its trial's process has ended",
                        () -> measure.processes().isEmpty());
            }
            if (signal.equals("INT")) {
                assertThat(RunResults.read(results).isPartial()).isTrue();
            }
            awaitPart(results);
            LocalRun.of("measure --resume %s --ledger %s --csv", results, ledger)
                    .exited(0, 5);
        }
        RunResults read = RunResults.read(results);
        assertThat(read.isPartial()).isFalse();
        assertThat(read.counts()).hasSize(4).containsOnly(ITERATIONS);
        // Every acknowledgement has its sample, also before the turn was cut.
        assertThat(samples(results)).hasSize(Files.readAllLines(ledger).size());
        assertThat(samples(results).stream().map(sample -> sample.get("PHASE")).distinct())
                .contains("0", "1");
        LocalRun.of("audit --ledger %s --log %s", ledger, directory.resolve("log"))
                .exited(0);
    }

    /** Killed, the first process cannot wait for that of the trial, which ends by itself. */
    private static void awaitPart(Path results) throws Exception {
        Await.until("the part is whole", () -> {
            return Directories.names(results.resolve("parts")).contains("trial-1.plog");
        });
    }

    @Test
    void aRunThatIsCompleteIsOnlyRenderedAgain() throws Exception {
        Path results = Files.createDirectory(directory.resolve("results"));
        Directories.copy(shared.resolve("results"), results);
        byte[] samples = Files.readAllBytes(results.resolve("samples.plog"));
        Files.delete(results.resolve("report.html"));
        LocalRun.of("measure --resume %s", results).exited(0, 5);
        assertThat(results.resolve("report.html")).isNotEmptyFile();
        assertThat(Arrays.equals(Files.readAllBytes(results.resolve("samples.plog")), samples))
                .as("the samples are as before")
                .isTrue();
    }

    @Test
    void whatCannotBePlannedIsMisuse() throws Exception {
        LocalRun both =
                LocalRun.of("measure --resume %s --sizes 100", directory).exited(2);
        assertThat(both.onlyErrLine()).contains("--sizes cannot be given with it");
        LocalRun nothing = LocalRun.of("measure --resume %s", directory).exited(1);
        assertThat(nothing.onlyErrLine()).contains("there is no plan.json in it");
        LocalRun missing =
                LocalRun.of("demo --plan %s", directory.resolve("none.json")).exited(1);
        assertThat(missing.onlyErrLine()).contains("none.json");
    }

    @Test
    @Tag("slow")
    void aDemoThatWasKilledIsGoneOnWithOnEmptyLogs() throws Exception {
        Path out = directory.resolve("out");
        try (Plog demo =
                Plog.start("demo --out %s --trials 2 --iterations 20 --warmup 2 --sizes 100 --force fdatasync", out)) {
            Await.until("the second trial's log is there", () -> Files.exists(out.resolve("log/trial-2")));
            List<ProcessHandle> others = demo.processes();
            demo.kill();
            Await.until(
                    "its server and its client have ended",
                    () -> others.stream().noneMatch(ProcessHandle::isAlive));
        }
        assertThat(out.resolve("log/trial-2")).exists();
        Plog.run("demo --resume %s", out).exited(0, 5);
        assertThat(RunResults.read(out).counts()).containsOnly(20);
        assertThat(out.resolve("log")).doesNotExist();
        assertThat(out.resolve("parts")).doesNotExist();
    }

    private static List<Map<String, String>> samples(Path results) throws Exception {
        List<String> lines = Files.readAllLines(results.resolve("samples.csv"));
        List<String> names = List.of(lines.get(0).split(",", -1));
        List<Map<String, String>> samples = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> values = Arrays.asList(line.split(",", -1));
            samples.add(
                    names.stream().collect(Collectors.toMap(name -> name, name -> values.get(names.indexOf(name)))));
        }
        return samples;
    }
}
