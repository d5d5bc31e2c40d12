package io.plog.study.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.report.HostileJson;
import io.plog.report.results.ResultsFile;
import io.plog.study.StudyFile;
import io.plog.study.StudyResults;
import io.plog.study.StudyText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A {@code study.json} with any field changed to anything is rendered, or refused in a sentence. {@code plog.hostile.documents} says
 * how many are tried (some 5,000 are all), {@code plog.hostile.seed} repeats them.
 */
final class HostileStudyTest {
    private static final long SEED = Long.getLong("plog.hostile.seed", System.nanoTime());
    private static final int DOCUMENTS = Integer.getInteger("plog.hostile.documents", 30);

    @TempDir
    private Path directory;

    @Test
    void anyFieldMayBeAnythingAndIsDrawnOrRefusedInASentence() throws IOException {
        System.out.println("seed " + SEED);
        List<String> wrong = new ArrayList<>();
        AtomicInteger drawn = new AtomicInteger();
        Path file = directory.resolve(StudyFile.NAME);
        new HostileJson(new ObjectMapper().valueToTree(SyntheticStudy.of(7)), SEED).each(DOCUMENTS, (text, what) -> {
            Files.writeString(file, text);
            try {
                StudyResults study = StudyFile.read(file);
                StudyReport.html(study);
                StudyText.of(study);
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
}
