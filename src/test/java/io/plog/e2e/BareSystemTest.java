package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.SystemCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the system does not tell is unknown, and nothing fails for it. Stands in for macOS and other systems than Linux. */
final class BareSystemTest {
    @TempDir(factory = DiskDirectory.class)
    private Path directory;

    @Test
    void macOsForcesOnlyByCallsThatFlushTheDrive() throws Exception {
        Map<String, String> macOs = Map.of("JAVA_TOOL_OPTIONS", "-Dos.name=MacOS");
        Path log = Files.createDirectory(directory.resolve("log"));
        try (Plog disk = Plog.start(
                        macOs,
                        "disk %s -d 1ms --force write,fsync,dsync --sizes 4Ki --shared 1 --files growing --neighbours none",
                        log);
                Plog server = Plog.start(macOs, "server --port 0 --admin-port 0 --log a=%s,force=direct", log)) {
            disk.awaitExit();
            assertThat(disk.outText().replaceAll("\\s+", " ")) // lines break where the directory's name lets them
                    .contains("force=dsync: not available here", "force=dsync does not flush the drive on MacOS");
            server.exited(1);
            assertThat(server.errText()).contains("force=direct does not flush the drive on MacOS");
        }
    }

    @Test
    @Tag("slow")
    void aDemoRunsWhereTheSystemTellsNothing() throws Exception {
        assumeTrue(SystemCommand.succeeds("unshare", "-m", "true"), "root may hide /proc");
        Path out = directory.resolve("out");
        try (Plog demo =
                Plog.startOnBareSystem("demo --sizes 100 -n 20 --trials 1 --blocks 2 --warmup 2 --out %s", out)) {
            int code = demo.awaitExit();
            demo.withoutStackTrace();
            assertThat(code).as("%s", demo).isEqualTo(demo.outText().contains("! invalid, ") ? 5 : 0);
            assertThat(demo.outText())
                    .contains("cannot tell from here", "! warning, write-cache:")
                    .doesNotContain("! invalid, write-cache:");
            assertThat(Files.readString(out.resolve("results.json")))
                    .containsPattern("\"fileSystem\" ?: ?\"unknown\"")
                    .containsPattern("\"transport\" ?: ?\"nio\"");
            assertThat(Files.readString(out.resolve("server.log"))).contains("stopped: everything appended");
        }
    }
}
