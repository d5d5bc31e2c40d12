package io.plog.app.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LabFilesTest {
    @TempDir
    private Path folder;

    /** A step that is done again finds no more bugs by that. */
    @Test
    void linesAreCountedOrTheValuesOfAGroupInThem() throws IOException {
        String text = "bug,fault\n1,kill\n1,kill\n2,kill\n3,cut\n";
        Files.writeString(folder.resolve("bugs.csv"), text);
        Evidence.Step step = new Evidence.Step("made", 1, Instant.EPOCH, 2, Instant.EPOCH, Evidence.sumOf(text));
        LabFiles files = new LabFiles(folder, new Evidence.Found(9, null, Map.of(), List.of(step), ""), null);
        assertThat(files.number(observed("^[1-8],kill"))).isEqualTo(3);
        assertThat(files.number(observed("^([1-8]),kill"))).isEqualTo(2);
    }

    private static Lab.Observed observed(String lines) {
        return new Lab.Observed("n", "bugs.csv", "made", null, null, lines);
    }
}
