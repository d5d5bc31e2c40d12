package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every figure of a run, computed anew from {@code samples.plog} by {@code tools/recompute}, which was written from the documents
 * and shares no code with plog.
 */
@Order(7)
final class RecomputationTest {
    private static final Path TOOL = DiskDirectory.root().resolve("tools/recompute");
    private static final String REQUIREMENTS = TOOL.resolve("requirements.txt").toString();
    private static final String PACKAGES =
            DiskDirectory.root().resolve("src/test/target/python").toString();

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    /** Installs what the tool needs, once, if the machine lacks it. Where that fails the build says what it did not check. */
    @BeforeAll
    static void installNumPy() throws Exception {
        if (python("-c", "import numpy") == 0
                || (python("-m", "pip", "install", "-q", "--retries=1", "--target", PACKAGES, "-r", REQUIREMENTS) == 0
                        && python("-c", "import numpy") == 0)) {
            return;
        }
        String skipped =
                "NOT CHECKED: the figures of runs, loads and disks were not computed a second time, because python3"
                        + " has no NumPy and pip could not install it. Install it and build again: pip install -r "
                        + REQUIREMENTS
                        + ", or apt-get install python3-numpy";
        assertThat(Boolean.getBoolean("plog.test.skipNothing")).as(skipped).isFalse();
        System.out.println("[WARNING] " + skipped);
        assumeThat(true).as(skipped).isFalse();
    }

    private static int python(String... arguments) throws InterruptedException {
        try {
            return pythonProcess(arguments)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException noPython) {
            return -1;
        }
    }

    private static ProcessBuilder pythonProcess(String... arguments) {
        List<String> line = new ArrayList<>(List.of("python3", "-B"));
        line.addAll(List.of(arguments));
        ProcessBuilder python = new ProcessBuilder(line).redirectErrorStream(true);
        python.environment().put("PYTHONPATH", PACKAGES);
        return python;
    }

    /** Five measurements, one after the other, which on a busy machine take longer than a test usually may. */
    @Test
    @Timeout(300)
    void everyFigureOfARunAndOfALoadIsThatOfItsSamples() throws Exception {
        Path main = Files.createDirectory(directory.resolve("main"));
        Path cached = Files.createDirectory(directory.resolve("cached"));
        Path run = directory.resolve("run");
        Path text = directory.resolve("summary.txt");
        Path few = directory.resolve("few");
        Path load = directory.resolve("load");
        Path open = directory.resolve("open");
        Path binned = directory.resolve("binned");
        try (TestServer server = TestServer.start(
                directory,
                "--log main=%s,segment=16MiB --log cached=%s,segment=16MiB,force=write"
                        + " --unlogged --admin-port free",
                main,
                cached)) {
            LocalRun measure =
                    measured("measure", server, run, "--sizes 100,20k --iterations 250 --trials 2 --warmup 50");
            Files.writeString(text, measure.outText());
            measured("measure", server, few, "--sizes 5k,100k --iterations 3 --trials 1 --warmup 0");
            measured(
                    "load",
                    server,
                    open,
                    "--mode partly-open --target main --connections 3 --rate 1000"
                            + " --workload update-heavy --warmup 200ms --duration 1s");
            LocalRun bins = measured(
                    "load",
                    server,
                    binned,
                    "--mode open --target main --rate 2000 --keep-samples=no --warmup 200ms --duration 1s");
            assertThat(bins.outText()).contains("! warning, every-sample: Samples were kept in bins of at most 1 %");
            measured(
                    "load",
                    server,
                    load,
                    "--mode closed --target main --connections 4 --outstanding 3 --mix 100=50,1k=50"
                            + " --warmup 200ms --duration 1s");
        }
        assertThat(recompute(run, "--text", text.toString())).isGreaterThan(3000);
        assertThat(recompute(few)).isGreaterThan(1000);
        assertThat(recompute(load)).isGreaterThan(500);
        assertThat(recompute(open)).isGreaterThan(500);
        assertThat(recompute(binned)).isBetween(300, 500);
        Path disk = directory.resolve("disk");
        LocalRun.of("disk -d 300ms --sizes 512,8k --shared 1,4 --seed 7 --out %s %s", disk, directory)
                .exited(0, 5);
        assertThat(recompute(disk)).isGreaterThan(500);
    }

    private static LocalRun measured(String command, TestServer server, Path out, String options) throws Exception {
        LocalRun plog = LocalRun.of(command + " --server %s --out %s --seed 7 " + options, server.address(), out)
                .exited(0, 5);
        return plog;
    }

    /** How many figures were recomputed; all agree. */
    private int recompute(Path run, String... options) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of(TOOL.resolve("recompute.py").toString(), run.toString()));
        arguments.addAll(List.of(options));
        Path output = directory.resolve("recomputed.txt");
        Process process = pythonProcess(arguments.toArray(String[]::new))
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        String said = Files.readString(output);
        assertThat(process.exitValue()).as("%s", said).isZero();
        return Integer.parseInt(said.replaceAll("(?s).*: (\\d+) figures recomputed, 0 differ.*", "$1"));
    }
}
