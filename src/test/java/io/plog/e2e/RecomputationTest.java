package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every figure of a run, computed anew from {@code samples.plog} by {@code tools/recompute}, which was written from the documents
 * and shares no code with plog. Needs {@code python3} with NumPy; without them the tests are skipped.
 */
@Order(7)
final class RecomputationTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @BeforeEach
    void pythonHasNumPy() throws Exception {
        int exit;
        try {
            exit = new ProcessBuilder("python3", "-c", "import numpy").start().waitFor();
        } catch (IOException e) {
            exit = -1;
        }
        assumeThat(exit)
                .as("python3 with NumPy, which tools/recompute needs (apt-get install python3-numpy)")
                .isZero();
    }

    /** Five programs start, one after the other, which on a busy machine takes longer than a test usually may. */
    @Test
    @Timeout(120)
    void everyFigureOfARunAndOfALoadIsThatOfItsSamples() throws Exception {
        Path main = Files.createDirectory(directory.resolve("main"));
        Path cached = Files.createDirectory(directory.resolve("cached"));
        Path run = directory.resolve("run");
        Path text = directory.resolve("summary.txt");
        Path few = directory.resolve("few");
        Path load = directory.resolve("load");
        Path open = directory.resolve("open");
        try (TestServer server = TestServer.start(
                directory,
                "--log main=%s,segment=16MiB --log cached=%s,segment=16MiB,force=write"
                        + " --unlogged --admin-port free",
                main,
                cached)) {
            Plog measure = measured("measure", server, run, "--sizes 100,20k --iterations 250 --warmup 50");
            Files.writeString(text, measure.outText());
            measured("measure", server, few, "--sizes 5k,100k --iterations 3 --warmup 0");
            measured(
                    "load",
                    server,
                    open,
                    "--mode partly-open --targets main --connections 3 --rate 1000"
                            + " --workload update-heavy --warmup 200ms --duration 1s");
            measured(
                    "load",
                    server,
                    load,
                    "--mode closed --targets main --connections 4 --outstanding 3 --mix 100=50,1k=50"
                            + " --warmup 200ms --duration 1s");
        }
        assertThat(recompute(run, "--text", text.toString())).isGreaterThan(3000);
        assertThat(recompute(few)).isGreaterThan(1000);
        assertThat(recompute(load)).isGreaterThan(500);
        assertThat(recompute(open)).isGreaterThan(500);
        Path disk = directory.resolve("disk");
        Plog appends = Plog.run("disk -d 300ms --sizes 512,8k --shared 1,4 --seed 7 --out %s %s", disk, directory);
        assertThat(appends.awaitExit()).as("%s", appends).isIn(0, 5);
        assertThat(recompute(disk)).isGreaterThan(500);
    }

    private static Plog measured(String command, TestServer server, Path out, String options) throws Exception {
        // How quick the machine is at the moment is not the question here.
        Plog plog = Plog.run(command + " --server %s --out %s --seed 7 " + options, server.address(), out);
        assertThat(plog.awaitExit()).as("%s", plog).isIn(0, 5);
        return plog;
    }

    /** How many figures were recomputed; all agree. */
    private int recompute(Path run, String... options) throws Exception {
        List<String> line = new ArrayList<>(List.of(
                "python3",
                "-B",
                DiskDirectory.root().resolve("tools/recompute/recompute.py").toString(),
                run.toString()));
        line.addAll(List.of(options));
        Path output = directory.resolve("recomputed.txt");
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        String said = Files.readString(output);
        assertThat(process.exitValue()).as("%s", said).isZero();
        return Integer.parseInt(said.replaceAll("(?s).*: (\\d+) figures recomputed, 0 differ.*", "$1"));
    }
}
