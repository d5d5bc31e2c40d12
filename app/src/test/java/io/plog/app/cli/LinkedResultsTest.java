package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.page.FigureFiles;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Links in a results directory lead to files of somebody else: what they point to is neither written nor read. */
@DisabledOnOs(OS.WINDOWS)
class LinkedResultsTest {
    @TempDir
    private Path parent;

    private Path results;
    private Path victim;

    @BeforeEach
    void begin() throws IOException {
        results = Files.createDirectory(parent.resolve("results"));
        victim = Files.writeString(parent.resolve("victim"), "mine");
    }

    @Test
    void aLockThatIsALinkIsRefusedAndNamed() throws Exception {
        Path lock = Files.createSymbolicLink(results.resolve("run.lock"), victim);
        assertThatThrownBy(() -> ResultsDirectory.prepare(results, true)).hasMessageContaining(lock.toString());
        assertThat(victim).hasContent("mine");
    }

    @Test
    void progressThatIsALinkIsNeitherWrittenNorRead() throws Exception {
        Path progress = Files.createSymbolicLink(results.resolve(RunProgress.FILE_NAME), victim);
        assertThatThrownBy(() -> new RunProgress(results, "run")).hasMessageContaining(progress.toString());
        assertThat(victim).hasContent("mine");
        Path other = Files.createDirectory(parent.resolve("other"));
        RunProgress real = new RunProgress(other, "run");
        try (real) {
            assertThat(RunProgress.read(other)).isPresent();
            Files.delete(progress);
            Files.createSymbolicLink(progress, other.resolve(RunProgress.FILE_NAME));
            assertThat(RunProgress.read(results)).isEmpty();
        }
    }

    @Test
    void aFileThatIsWrittenInOneStepIsNotWrittenThroughALinkAndIsNamed() throws Exception {
        Path temporary = Files.createSymbolicLink(results.resolve("report.html.tmp"), victim);
        assertThatThrownBy(() -> FigureFiles.write(Map.of("report.html", "<html>"), results))
                .hasMessageStartingWith(temporary + ": ");
        assertThat(victim).hasContent("mine");
    }

    @Test
    void aLinkToNothingIsThereAndIsReplacedItself() throws Exception {
        Path file = Files.createSymbolicLink(results.resolve(ResultsFile.RESULTS), parent.resolve("nothing"));
        assertThatThrownBy(() -> ResultsDirectory.prepare(results, false))
                .hasMessageContaining("holds results already");
        ResultsDirectory.prepare(results, true).close();
        assertThat(Files.exists(file, LinkOption.NOFOLLOW_LINKS)).isFalse();
    }
}
