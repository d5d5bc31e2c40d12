package io.plog.report.disk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.report.HostileJson;
import io.plog.report.disk.page.DiskPages;
import io.plog.report.results.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A {@code disk.json} with any field changed to anything is rendered, or refused in a sentence; properties as for studies. */
final class HostileDiskTest {
    private static final long SEED = Long.getLong("plog.hostile.seed", System.nanoTime());
    private static final int DOCUMENTS = Integer.getInteger("plog.hostile.documents", 200);

    @TempDir
    private Path directory;

    @Test
    void anyFieldMayBeAnythingAndIsDrawnOrRefusedInASentence() throws IOException {
        System.out.println("seed " + SEED);
        List<String> wrong = new ArrayList<>();
        AtomicInteger drawn = new AtomicInteger();
        Path file = directory.resolve(DiskFile.NAME);
        DiskResults good = DiskSamples.on(
                DiskSamples.results(LongStream.rangeClosed(1, 200)
                        .map(i -> 100_000 + 777 * i)
                        .toArray()),
                Map.of("cpu", "Z80", "cores", "2", DiskResults.LOAD_FACT, "0.5"));
        new HostileJson(new ObjectMapper().valueToTree(good), SEED).each(DOCUMENTS, (text, what) -> {
            Files.writeString(file, text);
            try {
                DiskResults results = DiskFile.read(file);
                DiskPages.render(results, List.of(), null, directory);
                DiskText.of(results);
                results.isBusy();
                pair(good, results);
                drawn.incrementAndGet();
            } catch (ResultsFile.UnreadableException e) {
                assertThat(e).hasMessageStartingWith(file + ": ").hasMessageNotContaining("\n");
            } catch (RuntimeException e) {
                wrong.add(what + ": " + e + " at " + e.getStackTrace()[0]);
            }
        });
        System.out.println(drawn + " of " + DOCUMENTS + " drawn");
        assertThat(wrong).as("seed " + SEED).isEmpty();
        assertThat(drawn).hasPositiveValue();
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
