package io.plog.report.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.stats.text.TextLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskPairTest {
    private static DiskResults disk(int factor) {
        return DiskSamples.results(
                LongStream.rangeClosed(900, 1100).map(i -> i * 1000 * factor).toArray());
    }

    private static DiskPair pair(DiskResults a, DiskResults b) {
        return DiskPair.of(a.directories().get(0), b.directories().get(0), "a", "b");
    }

    @Test
    void aDiskThatTakesTwiceAsLongIsSlowerAndTheSameOneIsNot() {
        assertThat(pair(disk(1), disk(2)).rows())
                .hasSize(8)
                .allMatch(row -> row.verdict().equals("slower"))
                .allMatch(row -> row.ratio() == 2);
        assertThat(pair(disk(2), disk(1)).rows()).allMatch(row -> row.verdict().equals("faster"));
        assertThat(pair(disk(1), disk(1)).rows()).allMatch(row -> row.verdict().equals("no difference"));
        assertThat(pair(disk(1), disk(2)).text().lines())
                .allMatch(line -> line.length() <= TextLines.WIDTH || line.startsWith("B (b) is slower"));
    }

    @Test
    void resultsAreReadBackAsTheyWereWritten(@TempDir Path directory) throws IOException {
        DiskResults results = disk(1);
        DiskFile.write(results, directory);
        Path file = directory.resolve(DiskFile.NAME);
        assertThat(DiskFile.read(file)).isEqualTo(results);
        String text = Files.readString(file);
        Files.writeString(file, text.replace("\"kind\" : \"disk\"", "\"kind\" : \"study\""));
        assertThatThrownBy(() -> DiskFile.read(file)).hasMessageContaining("has the kind \"study\"");
        Files.writeString(file, text.replaceFirst("\"groups\" : \\d+", "\"groups\" : -7"));
        assertThatThrownBy(() -> DiskFile.read(file)).hasMessageContaining("groups is -7, expected 0 or more");
        Files.writeString(file, text.substring(0, text.length() / 2));
        assertThatThrownBy(() -> DiskFile.read(file)).hasMessageContaining("is not JSON");
    }
}
