package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Directories;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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
        Plog recovery = Plog.run("recovery --out %s --requests 2000 --checkpoint none,64KiB --trials 2", out)
                .exited(0, 5); // a machine that others use makes it not valid
        List<String> lines = Files.readAllLines(out.resolve("recovery.csv"));
        assertThat(lines.get(0))
                .isEqualTo(
                        "checkpoint,requests,trial,requests a second,in the log,replayed,start ms,open ms,replay ms,first"
                                + " answer ms,discarded");
        List<String[]> rows =
                lines.stream().skip(1).map(line -> line.split(",")).toList();
        assertThat(rows).extracting(row -> row[0]).containsExactly("none", "none", "64KiB", "64KiB");
        for (String[] row : rows) {
            assertThat(Long.parseLong(row[4])).as("in the log").isGreaterThan(2000);
            long parts = Stream.of(row[6], row[7], row[8])
                    .mapToLong(Long::parseLong)
                    .peek(part -> assertThat(part).isNotNegative())
                    .sum();
            assertThat(Long.parseLong(row[9])).as("start, open and replay").isEqualTo(parts);
            assertThat(Long.parseLong(row[10])).as("discarded").isBetween(0L, 64L);
        }
        assertThat(rows.get(1)[5]).as("replayed").isEqualTo(rows.get(1)[4]);
        assertThat(Long.parseLong(rows.get(2)[5])).isLessThan(Long.parseLong(rows.get(2)[4]));
        assertThat(recovery.outText())
                .containsPattern("checkpoint none: first answer [\\d,.]+ \\([\\d,.]+ to [\\d,.]+\\) ms, start ");
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
