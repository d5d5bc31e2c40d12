package io.plog.app.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.plog.app.CommandRun;
import io.plog.app.cli.ResultsDirectory;
import io.plog.client.FakeServer;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.protocol.ReplyHeader;
import java.io.Closeable;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasureCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    private int measure(FakeServer server, String... more) {
        List<String> arguments = new ArrayList<>(List.of("measure", "--server", "127.0.0.1:" + server.port()));
        arguments.addAll(List.of("--iterations", "40", "--trials", "1", "--warmup", "5", "--sizes", "100,1k"));
        arguments.addAll(List.of("--out", directory.resolve("run").toString()));
        arguments.addAll(List.of(more));
        return CommandRun.plog(out, err, arguments.toArray());
    }

    /** On a machine that is busy with other things a run may say that it is not valid. */
    private static final List<Integer> MEASURED = List.of(0, 5);

    @Test
    void aRunWritesAllItsFilesAndPrintsASummaryOfAtMostAHundredColumns() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            assertThat(measure(server, "--csv", "--seed", "4711"))
                    .as(err.toString())
                    .isIn(MEASURED);
        }
        Path run = directory.resolve("run");
        assertThat(run).isDirectoryContaining(file -> file.endsWith("samples.plog"));
        for (String name : List.of("samples.plog", "results.json", "report.html", "samples.csv")) {
            assertThat(run.resolve(name)).isNotEmptyFile();
        }
        assertThat(Files.readAllLines(run.resolve("samples.csv"))).hasSize(1 + 4 * 45);
        assertThat(out.toString().lines()).isNotEmpty().allMatch(line -> line.length() <= 100);
        assertThat(err.toString()).contains("seed 4711").contains("report.html");
        try (SampleFileReader reader = SampleFileReader.open(run.resolve("samples.plog"))) {
            RunInfo info = reader.info();
            assertThat(info.command())
                    .contains("--seed 4711")
                    .contains("--sizes 100,1k")
                    .contains("--iterations 40");
        }
    }

    @Test
    void jsonIsWhatTheFileHolds() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            assertThat(measure(server, "--json")).isIn(MEASURED);
        }
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(out.toString()))
                .isEqualTo(json.readTree(directory.resolve("run/results.json").toFile()));
    }

    @Test
    void aDirectoryThatAnotherRunWritesIsRefusedAndLeftAsItIs() throws Exception {
        Path run = directory.resolve("run");
        try (FakeServer server = FakeServer.good()) {
            assertThat(measure(server)).isIn(MEASURED);
            assertThat(run.resolve("run.lock")).doesNotExist();
            Files.writeString(run.resolve("run.lock"), "left by a process that was killed");
            assertThat(measure(server, "--overwrite")).isIn(MEASURED);
            try (Closeable other = ResultsDirectory.prepare(run, true)) {
                Files.writeString(run.resolve("samples.plog"), "being written");
                for (String again : List.of("--overwrite", "--json")) {
                    assertThat(measure(server, again)).isEqualTo(1);
                    assertThat(err.toString())
                            .contains("is being written by another run, process "
                                    + ProcessHandle.current().pid());
                }
                assertThat(run.resolve("samples.plog")).hasContent("being written");
                assertThat(other).isNotNull();
            }
        }
    }

    @Test
    void resultsThatAreThereAreKeptUnlessTheyMayBeOverwritten() {
        try (FakeServer server = FakeServer.good()) {
            assertThat(measure(server)).isIn(MEASURED);
            assertThat(measure(server)).isEqualTo(1);
            assertThat(err.toString())
                    .contains("holds results already (samples.plog)")
                    .contains("--overwrite");
            assertThat(measure(server, "--overwrite")).isIn(MEASURED);
        }
    }

    @Test
    void aServerThatGoesAwayGivesPartialResultsAndExitCode1() {
        try (FakeServer server = FakeServer.answering(
                (request, count) -> count < 100 ? List.of(FakeServer.reply(request)) : List.of())) {
            assertThat(measure(server)).isEqualTo(1);
        }
        assertThat(err.toString())
                .contains("plog measure: the run is partial: the server closed the connection")
                .containsPattern("; plog measure --resume .*run continues it");
        assertThat(out.toString()).contains("partial");
        assertThat(directory.resolve("run/report.html")).isNotEmptyFile();
        assertThat(directory.resolve("run/results.json")).content().contains("\"partial\" : true");
    }

    @Test
    void aRunThatIsNotValidIsWrittenAndExitCode5() {
        try (FakeServer server = FakeServer.answering((request, count) -> {
            ByteBuf reply = FakeServer.reply(request);
            ReplyHeader.setResidenceNanos(reply, 3_600_000_000_000L);
            return List.of(reply);
        })) {
            assertThat(measure(server)).isEqualTo(5);
        }
        assertThat(err.toString()).contains("plog measure: the run is not valid: ");
        assertThat(directory.resolve("run/report.html")).isNotEmptyFile();
    }

    @Test
    void misuseIsOneLineAndExitCode2() {
        try (FakeServer server = FakeServer.good()) {
            assertMisused(server, "the server has no target 'nowhere'; it has a, off", "--targets", "nowhere");
            assertMisused(server, "size 300000 is over the server's limit of 200000 bytes", "--sizes", "300k");
            assertMisused(server, "not a size: 'much'", "--sizes", "much");
            assertMisused(server, "--ledger-force needs --ledger FILE", "--ledger-force", "--csv");
            assertMisused(server, "connections is 0: expected 1 to 1024", "--connections", "0");
            assertMisused(server, "--server is 'host:x': expected HOST:PORT", "--server", "host:x");
        }
        assertThat(directory.resolve("run")).doesNotExist();
    }

    private void assertMisused(FakeServer server, String words, String option, String value) {
        err.getBuffer().setLength(0);
        List<String> arguments = new ArrayList<>(List.of("measure", "--server", "127.0.0.1:" + server.port(), "--out"));
        arguments.add(directory.resolve("run").toString());
        if (option.equals("--server")) {
            arguments.subList(1, 3).clear();
        }
        arguments.addAll(List.of(option, value));
        int code = CommandRun.plog(out, err, arguments.toArray());
        assertThat(code).as(err.toString()).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("plog measure: " + words);
    }

    @Test
    void aServerThatIsNotThereIsExitCode1AndLeavesNothing() {
        FakeServer server = FakeServer.good();
        server.stop();
        assertThat(measure(server)).isEqualTo(1);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("plog measure: no server at 127.0.0.1:");
        assertThat(directory.resolve("run")).doesNotExist();
    }
}
