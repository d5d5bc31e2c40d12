package io.plog.app.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LabFilesTest {
    @TempDir
    private Path folder;

    /** A step that is done again finds no more bugs by that. */
    @Test
    void linesAreCountedOrTheValuesOfAGroupInThem() throws IOException {
        Files.writeString(folder.resolve("bugs.csv"), "bug,fault\n1,kill\n1,kill\n2,kill\n3,cut\n");
        assertThat(number("^[1-8],kill")).isEqualTo(3);
        assertThat(number("^([1-8]),kill")).isEqualTo(2);
    }

    private double number(String lines) throws IOException {
        return new LabFiles(folder).number(new Lab.Observed("n", "bugs.csv", null, null, lines));
    }
}
