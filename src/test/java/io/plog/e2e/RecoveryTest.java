package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.e2e.support.Directories;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import io.plog.results.model.ResultsFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
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
        JsonNode cells = ResultsFile.read(out.resolve("results.json")).path("cells");
        assertThat(cells)
                .extracting(cell -> cell.at("/dimensions/checkpoint").asText())
                .containsExactly("none", "64KiB");
        for (JsonNode cell : cells) {
            assertThat(cell.path("count").asInt()).isEqualTo(2);
            for (JsonNode trial : cell.at("/recovered/trials")) {
                assertThat(trial.path("inLog").asLong()).isGreaterThan(2000);
                assertThat(trial.path("discarded").asLong()).isBetween(0L, 64L);
                double parts = Stream.of("start", "open", "replay")
                        .mapToDouble(part -> trial.path(part + "Millis").asDouble())
                        .peek(part -> assertThat(part).isNotNegative())
                        .sum();
                assertThat(trial.path("firstAnswerMillis").asDouble()).isCloseTo(parts, Offset.offset(0.01));
            }
        }
        JsonNode none = cells.path(0).at("/recovered/trials/1");
        assertThat(none.path("replayed")).isEqualTo(none.path("inLog"));
        JsonNode saved = cells.path(1).at("/recovered/trials/0");
        assertThat(saved.path("replayed").asLong())
                .isLessThan(saved.path("inLog").asLong());
        assertThat(recovery.outText())
                .containsPattern("checkpoint none: first answer [\\d,.]+ \\([\\d,.]+ to [\\d,.]+\\) ms,\\s+start ");
        assertThat(Files.readString(out.resolve("report.html"))).contains("64KiB", "first answer");
        assertThat(Directories.names(out))
                .as("no log stays")
                .containsExactly("plan.json", "report.html", "results.json", "samples.plog");
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
