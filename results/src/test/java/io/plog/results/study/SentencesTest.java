package io.plog.results.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.results.model.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page of a study says in words: no more than its intervals, and nothing that contradicts a finding beside it. */
final class SentencesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path directory;

    private static Results study;

    @BeforeAll
    static void compute() throws IOException {
        study = SyntheticStudy.of(directory, 1).results();
    }

    private static ObjectNode tree() {
        return JSON.valueToTree(study);
    }

    private static Results results(JsonNode tree) throws IOException {
        return JSON.treeToValue(tree, Results.class);
    }

    private static Agreement agreement(JsonNode tree) throws IOException {
        return new Agreement(StudyCells.of(results(tree)), results(tree).claims());
    }

    private static String headline(JsonNode tree) throws IOException {
        return String.join(" ", Headline.sentences(StudyCells.of(results(tree))));
    }

    private static double rate(JsonNode tree) throws IOException {
        return Objects.requireNonNull(StudyCells.of(results(tree)).commonRate());
    }

    /** Its cells at infinite demand with the log. */
    private static List<JsonNode> capacities(JsonNode tree) {
        List<JsonNode> found = new ArrayList<>();
        tree.path("cells").forEach(cell -> {
            if (cell.path("dimensions").path("load").textValue().equals("capacity")
                    && !cell.path("force").textValue().equals("off")) {
                found.add(cell);
            }
        });
        return found;
    }

    private static JsonNode perSecond(JsonNode cell) {
        return cell.path("underLoad").path("acceptedPerSecond");
    }

    private static void put(JsonNode estimate, double value, double low, double high) {
        ((ObjectNode) estimate).put("value", value).put("low", low).put("high", high);
    }

    private static void verdict(ObjectNode tree, String id, String verdict) {
        for (JsonNode finding : tree.path("claims")) {
            if (finding.path("id").textValue().equals(id)) {
                ((ObjectNode) finding).put("verdict", verdict);
            }
        }
    }

    /** A page with "holds" in one place and "fails" in another has no answer. */
    @Test
    void eachRemarkBeginsWithTheVerdictOfItsFinding() throws IOException {
        for (String verdict : List.of("holds", "fails", "undecided", "not-testable")) {
            ObjectNode tree = tree();
            List.of("R1", "R2", "R3").forEach(id -> verdict(tree, id, verdict));
            Agreement agreement = agreement(tree);
            String words = verdict.replace('-', ' ');
            assertThat(agreement.capacities())
                    .filteredOn(each -> !each.startsWith("Why"))
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each).startsWith("R2, " + words + ": "));
            assertThat(agreement.inversion())
                    .filteredOn(each -> !each.startsWith("Why"))
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each).startsWith("R3, " + words + ": "));
            assertThat(agreement.percentiles(rate(tree)))
                    .filteredOn(each -> !each.startsWith("Why"))
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each).startsWith("R1, " + words + ": "));
        }
    }

    @Test
    void aCapacityBelowAnotherIsAFactorBelowOneAndNotSoManyTimesLower() throws IOException {
        ObjectNode tree = tree();
        for (JsonNode capacity : capacities(tree)) {
            if (capacity.path("dimensions").path("machine").isMissingNode()) {
                boolean dedicated = capacity.path("target").textValue().equals("dedicated");
                put(perSecond(capacity), dedicated ? 940 : 1000, dedicated ? 930 : 990, dedicated ? 950 : 1010);
            }
        }
        assertThat(agreement(tree).capacities().get(0))
                .contains("dedicated carries 0.94 times [0.92, 0.96] the requests of inline")
                .doesNotContain("lower");
    }

    /** The slowest of the machines has half a processor, the fastest two: four times as much. */
    @ParameterizedTest(name = "capacity grows {0} to {1} times: {2}")
    @CsvSource({
        "3.2, 4.4, so the processor holds it back",
        "0.9, 1.2, so the disk holds it back",
        "1.5, 2.5, so both hold it back",
        "1.1, 1.6, what holds it back cannot be told from this interval",
        "2.5, 3.5, what holds it back cannot be told from this interval",
    })
    void whatHoldsADesignBackFollowsFromTheWholeInterval(double low, double high, String conclusion)
            throws IOException {
        ObjectNode tree = tree();
        for (JsonNode capacity : capacities(tree)) {
            String machine = capacity.path("dimensions").path("machine").asText();
            if (machine.startsWith("50 ")) {
                put(perSecond(capacity), 1000, 1000, 1000);
            } else if (machine.startsWith("2 ")) {
                put(perSecond(capacity), 500 * (low + high), 1000 * low, 1000 * high);
            }
        }
        assertThat(agreement(tree).machines())
                .filteredOn(each -> !each.startsWith("Why"))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each)
                        .contains(String.format(Locale.ROOT, "[%.2f, %.2f]", low, high))
                        .contains(conclusion));
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
                .contains("inline takes 4.60 times [2.50, 8.70]")
                .contains("threads=150 takes 0.50 times [0.40, 0.60]")
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
