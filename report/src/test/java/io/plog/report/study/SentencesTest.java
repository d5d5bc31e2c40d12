package io.plog.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page of a study says in words: no more than its intervals, and nothing that contradicts a finding beside it. */
final class SentencesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final StudyResults STUDY = SyntheticStudy.of(11);

    private static ObjectNode tree() {
        return JSON.valueToTree(STUDY);
    }

    private static StudyView view(JsonNode tree) throws IOException {
        return new StudyView(JSON.treeToValue(tree, StudyResults.class));
    }

    private static double rate(JsonNode tree) throws IOException {
        return Objects.requireNonNull(view(tree).commonRate());
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
            Agreement agreement = new Agreement(view(tree));
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
        for (JsonNode capacity : tree.path("capacities")) {
            if (capacity.path("sizes").textValue().equals("mix")
                    && capacity.path("machine").textValue().isEmpty()) {
                boolean dedicated = capacity.path("design").textValue().equals("dedicated");
                put(
                        capacity.path("requestsPerSecond"),
                        dedicated ? 940 : 1000,
                        dedicated ? 930 : 990,
                        dedicated ? 950 : 1010);
            }
        }
        assertThat(new Agreement(view(tree)).capacities().get(0))
                .contains("dedicated carries 0.94 times [0.92, 0.96] the requests of inline")
                .doesNotContain("lower");
    }

    /** The slowest of the machines has a quarter of a processor, the fastest one: four times as much. */
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
        for (JsonNode capacity : tree.path("capacities")) {
            String machine = capacity.path("machine").textValue();
            if (machine.startsWith("25 ")) {
                put(capacity.path("requestsPerSecond"), 1000, 1000, 1000);
            } else if (machine.startsWith("100 ")) {
                put(capacity.path("requestsPerSecond"), 500 * (low + high), 1000 * low, 1000 * high);
            }
        }
        StudyView view = view(tree);
        assertThat(new Agreement(view).machines())
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
        double rate = rate(tree);
        for (JsonNode comparison : tree.path("comparisons")) {
            ((ObjectNode) comparison).put("ratePerSecond", rate);
            switch (comparison.path("design").textValue()) {
                case "inline" -> put(comparison.path("meanRatio"), 4.6, 2.5, 8.7);
                case "threads=150" -> put(comparison.path("meanRatio"), 0.5, 0.4, 0.6);
                default -> put(comparison.path("meanRatio"), 1.3, 0.9, 1.8);
            }
        }
        String headline = String.join(" ", new Headline(view(tree)).sentences());
        assertThat(headline)
                .contains("inline takes 4.60 times [2.50, 8.70]")
                .contains("threads=150 takes 0.50 times [0.40, 0.60]")
                .contains("as long as dedicated in the mean")
                .contains(
                        ". There no difference from dedicated was seen with inline, 4 loops; threads=300; threads-shared=300.")
                .contains("With the log a design carries this share of what it carries in memory: dedicated 33 %");
        tree.putArray("comparisons");
        tree.putArray("controls");
        assertThat(String.join(" ", new Headline(view(tree)).sentences()))
                .contains("No two designs were measured at one rate")
                .doesNotContain("in memory");
    }
}
