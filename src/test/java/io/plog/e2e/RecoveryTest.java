package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Directories;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code plog recovery}, from the outside. */
class RecoveryTest {
    @TempDir
    Path directory;

    @Test
    @Tag("slow")
    void aKilledServerComesBackWithAllThatItAcknowledgedAndReplaysOnlyWhatFollowsItsCheckpoint() throws Exception {
        Path out = directory.resolve("out");
        Plog recovery = Plog.run("recovery --out %s --requests 2000 --checkpoint none,64KiB", out)
                .exited(0);
        List<String> lines = Files.readAllLines(out.resolve("recovery.csv"));
        assertThat(lines.get(0))
                .isEqualTo(
                        "checkpoint,requests,requests a second,in the log,replayed,replay ms,first answer ms,discarded");
        List<String[]> rows =
                lines.stream().skip(1).map(line -> line.split(",")).toList();
        assertThat(rows).extracting(row -> row[0]).containsExactly("none", "64KiB");
        for (String[] row : rows) {
            long acknowledged = Long.parseLong(row[1]);
            long logged = Long.parseLong(row[3]);
            assertThat(acknowledged).isGreaterThanOrEqualTo(2000);
            assertThat(logged).isGreaterThanOrEqualTo(acknowledged);
            assertThat(Long.parseLong(row[7])).as("discarded").isLessThanOrEqualTo(logged - acknowledged);
        }
        assertThat(rows.get(0)[4]).isEqualTo(rows.get(0)[3]);
        assertThat(Long.parseLong(rows.get(1)[4])).isLessThan(Long.parseLong(rows.get(1)[3]));
        assertThat(Files.readString(out.resolve("report.html"))).contains("64KiB", "first answer");
        assertThat(Directories.names(out)).as("no log stays").containsExactly("recovery.csv", "report.html");
    }

    @Test
    void aDiskThatLosesWhatItForcedIsFoundOut() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        Path other = Files.createDirectory(disk.resolve("plog-recovery-15216265108836842328"));
        LocalRun recovery = LocalRun.of(
                        "recovery --out %s --requests 500 --checkpoint none --log-dir sim:lying@%s",
                        directory.resolve("out"), disk)
                .exited(1);
        assertThat(recovery.errText()).containsPattern("LOST: \\d+ requests were acknowledged, and the log ends with");
        assertThat(recovery.errText()).contains("the log is kept in " + disk.resolve("plog-recovery-"));
        assertThat(recovery.errText()).contains("note: " + other + " was left by a run that was killed or failed");
        assertThat(Directories.names(disk))
                .as("the evidence, and what another run left")
                .hasSize(2);
    }

    @Test
    void whatCannotBeMeasuredIsRefusedBeforeAnythingIsMade() throws Exception {
        Path out = directory.resolve("out");
        assertThat(LocalRun.of("recovery --out %s --requests 5", out).exited(2).err())
                .anyMatch(line -> line.contains("expected 128 to 100000000"));
        assertThat(out).doesNotExist();
    }
}
