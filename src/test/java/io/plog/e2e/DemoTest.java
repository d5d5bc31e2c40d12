package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RunResults;
import io.plog.e2e.support.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code plog demo}, the main job, from the outside. */
@Execution(ExecutionMode.CONCURRENT)
@Order(3)
final class DemoTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    /** Needs root and iproute2, as the option does. */
    @Test
    @Tag("slow")
    void aLinkOfAGigabitIsMeasuredAndLeavesNothingBehind() throws Exception {
        Path out = directory.resolve("out");
        Plog demo = Plog.run("demo --link 1gbit --sizes 100k --iterations 100 --trials 1 --out %s", out)
                .exited(0, 5);
        RunResults results = RunResults.read(out);
        assertThat(results.json().at("/environment/client/network").asText()).isEqualTo("remote");
        assertThat(results.json().at("/command").asText()).contains("--link 1gbit");
        // 100 kB there and back at a Gigabit a second, without any server.
        assertThat(results.json()
                        .findValues("endToEndMicros")
                        .get(0)
                        .path("mean")
                        .doubleValue())
                .isGreaterThan(1_600);
        assertThat(SystemCommand.run("ip", "netns", "list")).doesNotContain("plog-");

        Plog interrupted = Plog.start("demo --link 1gbit --out %s", directory.resolve("interrupted"));
        Await.until(
                "a namespace is there",
                () -> SystemCommand.run("ip", "netns", "list").contains("plog-client-") || !interrupted.isAlive());
        interrupted.interrupt();
        // 130 if it came before anything that could be kept.
        interrupted.exited(1, 130);
        assertThat(SystemCommand.run("ip", "netns", "list")).doesNotContain("plog-");
    }

    @Test
    @Timeout(300)
    void theDemoMeasuresEachTrialOnAServerOfItsOwnAndWritesItsReport() throws Exception {
        Path out = directory.resolve("out");
        Plog demo = Plog.start("demo --out %s --iterations 40 --trials 2 --warmup 5 --seed 5", out);
        assertThat(demo.awaitExit(Duration.ofMinutes(4))).as("%s", demo).isIn(0, 5);
        demo.withoutStackTrace();
        RunResults results = RunResults.read(out);
        assertThat(results.cells()).hasSize(5 * 3);
        assertThat(results.cellNames()).contains("fdatasync/fdatasync/100", "write/write/50000", "off/off/100000");
        assertThat(results.counts()).containsOnly(40);
        assertThat(results.isPartial()).isFalse();
        assertThat(results.claims()).contains("Z1", "Z2", "Z3", "Z4", "Z5", "Z6", "Z7", "Z8", "Z9");
        assertThat(demo.outText()).contains("seed: 5", "fdatasync").containsAnyOf("Z1", "not judged");
        assertThat(demo.errText()).contains(", report: " + out.resolve("report.html"));
        assertThat(demo.out()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        assertThat(out.resolve("log")).doesNotExist();
        assertThat(out.resolve("parts")).doesNotExist();
        for (int trial = 1; trial <= 2; trial++) {
            assertThat(out.resolve("server-" + trial + ".log")).content().contains("stopped: everything appended");
        }
        assertThat(demo.processes()).isEmpty();
        assertThat(results.json().at("/environment/server/jvmFlags").asText())
                .as("the same in the next run")
                .contains("-XX:")
                .doesNotContain("parent");
    }

    @Test
    @Tag("slow")
    void twoDisksAreMeasuredSideBySideForcedAlikeAndTheirLogsGo() throws Exception {
        Path out = directory.resolve("out");
        Path one = Files.createDirectory(directory.resolve("one"));
        Path two = Files.createDirectory(directory.resolve("two"));
        Plog demo = Plog.run(
                        "demo --out %s --log-dir hdd=%s --log-dir %s --sizes 100 --iterations 20 --trials 1 --warmup 2",
                        out, one, two)
                .exited(0, 5);
        RunResults results = RunResults.read(out);
        assertThat(results.cellNames())
                .containsExactlyInAnyOrder("fdatasync-hdd/fdatasync/100", "fdatasync-b/fdatasync/100", "off/off/100");
        assertThat(results.json().at("/environment/targets/1/facts/path").asText())
                .startsWith(two.toRealPath().toString());
        assertThat(Files.readString(out.resolve("report.html"))).contains("fdatasync-hdd", "fdatasync-b");
        assertThat(one).isEmptyDirectory();
        assertThat(two).isEmptyDirectory();
        assertThat(LocalRun.of("demo --log-dir %s --log-dir %s", one, one)
                        .exited(2)
                        .err())
                .anyMatch(line -> line.contains("names the same directory twice"));
    }

    @Test
    void ctrlCKeepsWhatWasMeasuredAndEndsTheServer() throws Exception {
        Path out = directory.resolve("out");
        try (Plog demo = startEndless(out)) {
            awaitMeasuring(out);
            ProcessHandle server = server(demo);
            // As a terminal does: every process of the group gets it, and the server must not mind.
            Plog.interrupt(server.pid());
            demo.interrupt();
            demo.exited(1);
            assertThat(demo.errText()).contains("the run is partial: interrupted after");
            assertThat(server.isAlive()).isFalse();
        }
        assertThat(RunResults.read(out).isPartial()).isTrue();
        assertThat(Files.readString(out.resolve("server.log"))).contains("stopped: everything appended");
        assertThat(out.resolve("log")).doesNotExist();
    }

    @Test
    void aServerThatDiesIsReportedWithItsLastWords() throws Exception {
        Path out = directory.resolve("out");
        try (Plog demo = startEndless(out)) {
            awaitMeasuring(out);
            server(demo).destroyForcibly();
            demo.exited(1);
            assertThat(demo.errText())
                    .contains("the server ended in the middle, with exit code 137; it said:", "listening on");
        }
        assertThat(RunResults.read(out).isPartial()).isTrue();
    }

    @Test
    void aServerThatCannotStartIsReportedInOneLine() throws Exception {
        Path out = directory.resolve("out");
        Plog demo = Plog.run("demo --out %s --iterations 1 --sizes 65MiB --warmup 0", out);
        assertThat(demo.awaitExit()).isNotZero();
        demo.withoutStackTrace();
        assertThat(demo.err().get(demo.err().size() - 1)).startsWith("plog demo: the server ended with exit code 2");
        assertThat(out.resolve("log")).doesNotExist();
    }

    @Test
    void whatIsThereAlreadyIsNotTouched() throws Exception {
        Path out = Files.createDirectory(directory.resolve("out"));
        Files.writeString(out.resolve("results.json"), "precious");
        LocalRun demo = LocalRun.of("demo --out %s", out).exited(1);
        assertThat(demo.onlyErrLine()).contains("holds results already (results.json)");
        assertThat(Files.readString(out.resolve("results.json"))).isEqualTo("precious");
    }

    private static Plog startEndless(Path out) throws Exception {
        return Plog.start("demo --out %s --sizes 100 --trials 1 --warmup 2 --iterations 10000 --force fdatasync", out);
    }

    /** The sample file is begun when the measuring begins. */
    private static void awaitMeasuring(Path out) throws Exception {
        Await.until("it measures", () -> Files.exists(out.resolve("samples.plog")));
    }

    private static ProcessHandle server(Plog demo) {
        // What keeps the processors awake is a process below it, too.
        Optional<ProcessHandle> server =
                demo.processes().stream().filter(DemoTest::isServer).findFirst();
        return server.orElseThrow(() -> new AssertionError("no server below\n" + demo));
    }

    private static boolean isServer(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                    .contains("\0server\0");
        } catch (IOException e) {
            return false; // it has ended
        }
    }
}
