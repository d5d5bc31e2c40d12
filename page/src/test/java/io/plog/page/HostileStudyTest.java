package io.plog.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.samples.SampleFileException;
import io.plog.measure.samples.SampleFileReader;
import io.plog.results.Analysis;
import io.plog.results.HostileJson;
import io.plog.results.TerminalSummary;
import io.plog.results.study.SyntheticStudy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study's {@code samples.plog} whose description says anything is rendered, or refused in a sentence; see {@link HostileJson}. */
@Tag("slow")
final class HostileStudyTest {
    private static final long SEED = Long.getLong("plog.hostile.seed", System.nanoTime());
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    @Test
    void anythingInTheDescriptionIsDrawnOrRefusedInASentence() throws IOException {
        System.out.println("seed " + SEED);
        Path file = SyntheticStudy.writeSmall(directory);
        byte[] sound = Files.readAllBytes(file);
        ObjectNode document = JSON.createObjectNode();
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            document.set("info", JSON.valueToTree(reader.info()));
            document.set("end", JSON.valueToTree(reader.end()));
            document.set("events", JSON.valueToTree(reader.events()));
        }
        List<String> wrong = new ArrayList<>();
        List<String> drawn = new ArrayList<>();
        new HostileJson(document, SEED).each(30, (text, what) -> {
            Files.write(file, HostileRunTest.described(sound, JSON.readTree(text)));
            try {
                TerminalSummary.of(RunPage.write(Analysis.of(file), directory.resolve("out"), null, false, null)
                        .results());
                drawn.add(what);
            } catch (SampleFileException e) {
                assertThat(e).hasMessageStartingWith(file + ": ").hasMessageNotContaining("\n");
            } catch (RuntimeException e) {
                wrong.add(what + ": " + e + " at " + e.getStackTrace()[0]);
            }
        });
        assertThat(wrong).as("seed " + SEED).isEmpty();
        assertThat(drawn).isNotEmpty();
    }
}
