package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.SystemCommand;
import io.plog.e2e.support.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A command that measures is killed or stopped in its middle, and goes on. */
@Timeout(400)
final class ResumeTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private TestServer server() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        return TestServer.start(directory, "--log main=%s,segment=16MiB", log);
    }

    /** How far it says it is before it is killed. */
    @ParameterizedTest
    @CsvSource({
        "load, 4, --mode open -r 100 -c 2 -d 12s --warmup 1s",
        "disk, 1, -d 4s --force fdatasync --sizes 512 --shared 1 --neighbours log"
    })
    void whatWasKilledGoesOnAsOneRun(String command, int done, String options) throws Exception {
        isContinued(command, done, options);
    }

    /** These start servers of their own, again and again. */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "recovery, 2, --requests 2000 --checkpoint none --trials 4",
        "study, 3, --designs inline --loads 0.5 --rates 60 --duration 600ms --connections 4 --mix 100=1 --trials 1"
    })
    void whatWasKilledWithItsServersGoesOnAsOneRun(String command, int done, String options) throws Exception {
        isContinued(command, done, options);
    }

    @Test
    void aLoadWhoseDiskFillsKeepsWhatIsThereAndGoesOnOnceThereIsRoom() throws Exception {
        Path small = Files.createDirectory(directory.resolve("small"));
        assumeTrue(
                SystemCommand.succeeds("mount", "-t", "tmpfs", "-o", "size=4400k", "none", small.toString()),
                "may mount");
        Path out = small.resolve("out");
        try (TestServer server = TestServer.start(directory, "--unlogged")) {
            LocalRun full = LocalRun.of(
                            "load --server %s --target off --mode closed -c 8 --requests 60000 --warmup 100ms --out %s",
                            server.address(), out)
                    .exited(1);
            assertThat(full.errText()).contains("the run is partial: ", "No space left on device");
            long kept = counted(out);
            assertThat(kept).isBetween(1L, 59_999L);
            assertThat(out.resolve("report.html")).isNotEmptyFile();
            SystemCommand.run("mount", "-o", "remount,size=64m", small.toString());
            LocalRun.of("load --resume %s", out).exited(0, 5);
            assertThat(counted(out)).isEqualTo(60_000);
        } finally {
            SystemCommand.run("umount", small.toString());
        }
    }

    private static long counted(Path out) throws IOException {
        return new ObjectMapper()
                .readTree(out.resolve("results.json").toFile())
                .at("/cells/0/count")
                .asLong();
    }

    private void isContinued(String command, int done, String options) throws Exception {
        Path out = directory.resolve("out");
        Path disk = Files.createDirectory(directory.resolve("disk"));
        try (TestServer server = server()) {
            boolean load = command.equals("load");
            String where = load ? " --server %s" : command.equals("disk") ? " %s" : " --log-dir %s";
            try (Plog killed =
                    Plog.start(command + " " + options + " --out %s" + where, out, load ? server.address() : disk)) {
                Await.until(
                        "it measures",
                        () -> Files.exists(out.resolve("progress.json"))
                                && new ObjectMapper()
                                                .readTree(out.resolve("progress.json")
                                                        .toFile())
                                                .path("done")
                                                .asInt()
                                        >= done);
                assertThat(LocalRun.of("%s --resume %s", command, out).exited(1).onlyErrLine())
                        .contains("is being written by another run");
                killed.kill();
            }
            String other = load ? "disk" : "load";
            assertThat(LocalRun.of("%s --resume %s", other, out).exited(2).onlyErrLine())
                    .contains("plan.json: is a plan of plog " + command + ", expected one of plog " + other);
            Plog.start("%s --resume %s", command, out).awaitExit(PATIENCE);
        }
        JsonNode results =
                new ObjectMapper().readTree(out.resolve("results.json").toFile());
        assertThat(results.at("/partial/partial").asBoolean(true)).isFalse();
        assertThat(results.path("validity").findValuesAsText("id")).contains("uninterrupted");
    }
}
