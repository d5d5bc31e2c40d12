package io.plog.page;

import static io.plog.page.ProbedPage.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.report.study.StudyResults;
import io.plog.report.study.SyntheticStudy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens the study's page in Chromium, if the machine has it. */
@Tag("slow")
final class StudyPageInABrowserTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> SECTIONS = List.of(
            "verdict",
            "conditions",
            "designs",
            "capacity",
            "percentiles",
            "latency",
            "ecdf",
            "deciles",
            "inversion",
            "turns",
            "components",
            "processor",
            "factors",
            "workloads",
            "machines",
            "method",
            "glossary",
            "files");

    private static StudyResults study;

    @TempDir
    private Path directory;

    @BeforeAll
    static void compute() {
        study = SyntheticStudy.of(11);
    }

    private static ObjectNode tree() {
        return JSON.valueToTree(study);
    }

    private JsonNode opened(JsonNode tree, String hash) throws Exception {
        JsonNode found =
                ProbedPage.opened(directory, Page.of(StudyReport.of(JSON.treeToValue(tree, StudyResults.class))), hash);
        assertThat(found.path("failed").textValue()).isEmpty();
        assertThat(found.path("text").textValue()).doesNotContain("undefined").doesNotContain("NaN");
        return found;
    }

    @Test
    void everySectionAndFigureIsThereAndNothingIsMissingFromAFullStudy() throws Exception {
        JsonNode found = opened(tree(), "");
        assertThat(texts(found.path("sections"))).containsExactlyElementsOf(SECTIONS);
        assertThat(texts(found.path("contents"))).containsExactlyElementsOf(SECTIONS);
        assertThat(texts(found.path("ids"))).doesNotHaveDuplicates();
        assertThat(texts(found.path("figures"))).hasSize(19);
        assertThat(texts(found.path("empty"))).isEmpty();
        assertThat(found.path("read").properties())
                .as("figures without a value at the place that the probe reads")
                .filteredOn(read -> read.getValue().textValue().isEmpty())
                .hasSizeLessThanOrEqualTo(1); // where the times lie, there is nothing at some
        assertThat(found.path("read").path("latency-relative").textValue()).contains("latency ", "[", "sustained");
        assertThat(found.path("rules").path("inversion").intValue()).isEqualTo(3);
    }

    @Test
    void theFirstScreenHasTheSentenceThePictureAndWhetherToBelieveIt() throws Exception {
        JsonNode wide = Browser.layout(directory, Page.of(StudyReport.of(study)), 1440, 900);
        for (int i = 0; i < 3; i++) {
            assertThat(wide.path("bottom").path(i).asDouble()).isBetween(1.0, 900.0);
        }
        assertThat(wide.path("bottom").path(1).asDouble())
                .isLessThan(wide.path("top").path(3).asDouble());
        assertThat(opened(tree(), "").path("text").textValue()).doesNotContain("One trial: ");
        ObjectNode invalid = tree();
        ((ObjectNode) invalid.path("plan")).put("trials", 1);
        ((ObjectNode) invalid.path("validity").get(0)).put("ok", false).put("detail", "requests were sent late");
        assertThat(opened(invalid, "").path("text").textValue())
                .containsSubsequence(
                        "Not valid, do not use these figures: requests were sent late",
                        "not how the next start of the same processes would",
                        "as long as dedicated in the mean",
                        "What each design carries",
                        "R1");
    }

    @Test
    void onAPhoneEveryFigureReflowsAndNothingScrollsSideways() throws Exception {
        for (int width : new int[] {390, 768, 1440}) {
            JsonNode found = Browser.layout(directory, Page.of(StudyReport.of(study)), width, 900);
            assertThat(found.path("wide").asInt())
                    .as("at " + width)
                    .isLessThanOrEqualTo(found.path("room").asInt());
            assertThat(found.path("beyond")).as("at " + width).isEmpty();
            assertThat(found.path("clipped")).as("at " + width).isEmpty();
            assertThat(found.path("drawings")).hasSize(19);
        }
    }

    @Test
    void aListThatIsEmptyLeavesItsSectionWithTheReason() throws Exception {
        for (String[] each : new String[][] {
            {"capacities", "capacity"},
            {"loads", "percentiles", "latency", "ecdf", "deciles", "inversion", "turns", "components", "processor"},
            {"workloads", "workloads"},
            {"machines", "machines"},
            {"comparisons", "factors"},
            {"claims", "verdict"},
            {"validity", "conditions"}
        }) {
            ObjectNode tree = tree();
            tree.putArray(each[0]);
            JsonNode found = opened(tree, "");
            assertThat(texts(found.path("sections"))).containsExactlyElementsOf(SECTIONS);
            assertThat(texts(found.path("empty"))).containsAll(List.of(each).subList(1, each.length));
        }
    }

    @Test
    void whatACellDoesNotKnowIsSaidAndNotDrawn() throws Exception {
        ObjectNode tree = tree();
        for (JsonNode load : tree.path("loads")) {
            ObjectNode cell = (ObjectNode) load;
            List.of("inversion", "deciles", "serverMicrosPerRequest").forEach(cell::putNull);
            List.of("batchRecords", "readyChannels", "components", "ecdf").forEach(cell::putArray);
            List.of("mean", "p50", "p95").forEach(name -> {
                ObjectNode estimate = (ObjectNode) cell.path("latency").path(name);
                estimate.putNull("low").putNull("high");
            });
        }
        JsonNode found = opened(tree, "");
        assertThat(texts(found.path("empty")))
                .contains("ecdf", "deciles", "inversion", "turns", "components", "processor");
        assertThat(texts(found.path("figures")))
                .contains("latency-relative")
                .doesNotContain("ecdf", "deciles", "inversion", "turns", "components", "processor");
    }

    @Test
    void anEmptyStudyThatEndedEarlyStillMakesAPage() throws Exception {
        ObjectNode tree = tree();
        List.of("capacities", "loads", "workloads", "machines", "comparisons", "claims", "controls")
                .forEach(tree::putArray);
        tree.put("partialReason", "the server did not start");
        ((ObjectNode) tree.path("plan")).putArray("designs");
        assertThat(opened(tree, "").path("text").textValue())
                .contains("The study ended before its plan was done", "the server did not start");
    }

    @Test
    void aDesignThatIsSwitchedOffIsNotDrawnAndTheAddressKeepsTheOthers() throws Exception {
        List<String> designs = study.plan().designs();
        String last = designs.get(designs.size() - 1);
        JsonNode found = opened(tree(), "#theme=dark&designs=nonsense&designs=" + last.replace("=", "%3D"));
        assertThat(found.path("theme").textValue()).isEqualTo("dark");
        assertThat(texts(found.path("pressed"))).contains("dark", last).doesNotContain(designs.get(0));
        assertThat(found.path("curves").path("ecdf-rate").path(0).path("curves").findValuesAsText("label"))
                .containsExactly(last);
    }

    @Test
    void hostileTextsAndNumbersNeverRun() throws Exception {
        String hostile =
                "</script><script>root.dataset.failed='ran'</script><img src=x onerror=\"root.dataset.failed='ran'\">";
        JsonNode found = opened(StudyReportTest.poisoned(tree(), hostile), "#designs=<img>&zoom=ecdf,NaN,1,1,1");
        assertThat(found.path("scripts").intValue()).isZero();
        assertThat(found.path("text").textValue()).contains(hostile);
        for (double number : new double[] {1e308, -1e308, 0}) {
            ObjectNode numbers = tree();
            numbers.findParents("low")
                    .forEach(one -> ((ObjectNode) one).put("value", number).put("low", -number));
            JsonNode drawn = ProbedPage.opened(
                    directory, Page.of(StudyReport.of(JSON.treeToValue(numbers, StudyResults.class))), "");
            assertThat(drawn.path("failed").textValue()).as("with " + number).isEmpty();
        }
    }

    @Test
    void everyFigureBecomesAFileThatStandsAlone() throws IOException {
        Path out = directory.resolve("figures");
        assertThat(StudyReport.writeFigures(study, out, false)).contains("19 figures as SVG");
        for (String name : List.of("summary", "sketch", "deciles", "turns", "workload-mass", "machine-latency")) {
            assertThat(Files.readString(out.resolve(name + ".svg")))
                    .contains("plog ", " requests in each of ", "aria-label=")
                    .doesNotContain("var(--")
                    .doesNotContain("NaN");
        }
    }
}
