package io.plog.results.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.results.model.Results;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page of a study says in words: no more than its intervals. */
final class SentencesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path directory;

    private static Results study;

    @BeforeAll
    static void compute() throws IOException {
        study = SyntheticStudy.known(directory, 1).results();
    }

    private static ObjectNode tree() {
        return JSON.valueToTree(study);
    }

    private static Results results(JsonNode tree) throws IOException {
        return JSON.treeToValue(tree, Results.class);
    }

    private static String headline(JsonNode tree) throws IOException {
        return String.join(" ", Headline.sentences(StudyCells.of(results(tree))));
    }

    /** The one sentence at the top: who is slower by its whole interval, and with whom no difference was seen. */
    @Test
    void theHeadlineSaysOnlyWhatIntervalsAllow() throws IOException {
        ObjectNode tree = tree();
        for (JsonNode comparison : tree.path("overhead")) {
            ObjectNode ratio = (ObjectNode) comparison.path("ratioOfMeans");
            switch (comparison.path("target").textValue()) {
                case "inline" -> ratio.put("ratio", 4.6).put("low", 2.5).put("high", 8.7);
                case "threads=150" -> ratio.put("ratio", 0.5).put("low", 0.4).put("high", 0.6);
                default -> ratio.put("ratio", 1.3).put("low", 0.9).put("high", 1.8);
            }
        }
        assertThat(headline(tree))
                .contains("inline takes 4.60 times (2.50 to 8.70)")
                .contains("threads=150 takes 0.50 times (0.40 to 0.60)")
                .contains("as long as dedicated in the mean")
                .contains(". There no difference from dedicated was seen with threads=300; threads-shared=150.")
                .contains("With the log a design carries this share of what it carries in memory: dedicated 33 %");
        tree.putArray("overhead");
        tree.path("cells").forEach(cell -> {
            if (cell.path("force").textValue().equals("off")) {
                ((ObjectNode) cell).putNull("underLoad");
            }
        });
        assertThat(headline(tree))
                .contains("No two designs were measured at one rate")
                .doesNotContain("in memory");
    }
}
