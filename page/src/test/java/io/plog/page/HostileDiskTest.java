package io.plog.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.report.HostileJson;
import io.plog.report.disk.DiskFile;
import io.plog.report.disk.DiskPair;
import io.plog.report.disk.DiskResults;
import io.plog.report.disk.DiskSamples;
import io.plog.report.disk.DiskText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A {@code disk.json} with any field changed to anything is rendered, or refused in a sentence; see {@link HostileJson}. */
final class HostileDiskTest {
    @TempDir
    private Path directory;

    @Test
    void anyFieldMayBeAnythingAndIsDrawnOrRefusedInASentence() throws IOException {
        DiskResults good = DiskSamples.on(
                DiskSamples.results(LongStream.rangeClosed(1, 200)
                        .map(i -> 100_000 + 777 * i)
                        .toArray()),
                Map.of("cpu", "Z80", "cores", "2", DiskResults.LOAD_FACT, "0.5"));
        HostileJson.areDrawnOrRefusedInASentence(good, directory.resolve(DiskFile.NAME), 200, file -> {
            DiskResults results = DiskFile.read(file);
            DiskPage.render(results, List.of(), null, directory);
            DiskText.of(results);
            results.isBusy();
            pair(good, results);
        });
    }

    @Test
    void anAmountThatIsNoNumberIsShownAsItStands() {
        assertThat(DiskText.of(DiskSamples.results(100_000, 200_000))).contains("2.0 of 1e400 GiB free");
    }

    /** A misuse may be said: the two have nothing in common. */
    private static void pair(DiskResults a, DiskResults b) {
        try {
            DiskPair.of(a.directories().get(0), b.directories().get(0), "a", "b")
                    .text();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("in common");
        }
    }
}
