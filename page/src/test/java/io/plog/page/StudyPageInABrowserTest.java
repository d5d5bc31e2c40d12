package io.plog.page;

import static io.plog.page.ProbedPage.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.results.Analysis;
import io.plog.results.study.SyntheticStudy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
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

    private static Analysis.Outcome study;

    @TempDir
    private Path directory;

    @BeforeAll
    static void compute(@TempDir Path samples) throws IOException {
        study = SyntheticStudy.of(samples, 2);
    }

    private static ObjectNode tree() {
        return JSON.valueToTree(study.results());
    }

    /** Without the cells of some loads. */
    private static void without(ObjectNode tree, Predicate<JsonNode> cells) {
        Iterator<JsonNode> all = tree.path("cells").elements();
        while (all.hasNext()) {
            if (cells.test(all.next())) {
                all.remove();
            }
        }
    }

    private JsonNode opened(JsonNode tree, String hash) throws Exception {
        JsonNode found = ProbedPage.opened(directory, Page.of(StudyPageTest.data(tree, study)), hash);
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
                .as("figures of which no value can be read")
                .noneMatch(read -> read.getValue().textValue().isEmpty());
        assertThat(found.path("read").path("latency-relative").textValue()).contains("latency ", "[", "judged");
        assertThat(found.path("rules").path("inversion").intValue()).isEqualTo(3);
    }

    @Test
    void theFirstScreenHasTheSentenceThePictureAndWhetherToBelieveIt() throws Exception {
        JsonNode wide = Browser.layout(directory, Pages.html(study), 1440, 900);
        for (int i = 0; i < 3; i++) {
            assertThat(wide.path("bottom").path(i).asDouble()).isBetween(1.0, 900.0);
        }
        assertThat(wide.path("bottom").path(1).asDouble())
                .isLessThan(wide.path("top").path(3).asDouble());
        assertThat(opened(tree(), "").path("text").textValue()).doesNotContain("One trial: ");
        ObjectNode invalid = tree();
        ((ObjectNode) invalid.path("plan")).put("trials", 1);
        ((ObjectNode) invalid.path("validity").get(0))
                .put("ok", false)
                .put("severity", "invalid")
                .put("detail", "requests were sent late");
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
        ObjectNode oneRate = tree();
        Iterator<JsonNode> comparisons = oneRate.path("overhead").elements();
        String rate = oneRate.at("/overhead/0/dimensions/rate").textValue();
        while (comparisons.hasNext()) {
            if (!comparisons.next().at("/dimensions/rate").textValue().equals(rate)) {
                comparisons.remove();
            }
        }
        String html = Page.of(StudyPageTest.data(oneRate, study));
        for (int width : new int[] {390, 768, 1440}) {
            JsonNode found = Browser.layout(directory, html, width, 900);
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
        ObjectNode tree = tree();
        without(
                tree,
                cell -> List.of("capacity", "absolute", "workload")
                                .contains(cell.path("dimensions").path("load").asText())
                        || cell.path("dimensions").has("machine"));
        List.of("overhead", "claims", "validity").forEach(tree::putArray);
        assertEmpty(tree, "capacity", "percentiles", "workloads", "machines", "factors", "verdict", "conditions");
        ObjectNode noLoads = tree();
        without(
                noLoads,
                cell -> List.of("relative", "absolute")
                        .contains(cell.path("dimensions").path("load").asText()));
        assertEmpty(noLoads, "latency", "ecdf", "deciles", "inversion", "turns", "components", "processor");
    }

    private void assertEmpty(ObjectNode tree, String... sections) throws Exception {
        JsonNode found = opened(tree, "");
        assertThat(texts(found.path("sections"))).containsExactlyElementsOf(SECTIONS);
        assertThat(texts(found.path("empty"))).contains(sections);
    }

    @Test
    void whatACellDoesNotKnowIsSaidAndNotDrawn() throws Exception {
        ObjectNode tree = tree();
        tree.path("cells").forEach(each -> {
            ObjectNode cell = (ObjectNode) each;
            cell.putNull("components");
            ObjectNode load = (ObjectNode) cell.path("underLoad");
            List.of("inversion", "deciles", "serverMicrosPerRequest").forEach(load::putNull);
            List.of("batchRecords", "readyChannels").forEach(load::putArray);
        });
        JsonNode found = opened(tree, "");
        assertThat(texts(found.path("empty"))).contains("deciles", "inversion", "turns", "components", "processor");
        assertThat(texts(found.path("figures")))
                .contains("latency-relative")
                .doesNotContain("deciles", "inversion", "turns", "components", "processor");
    }

    @Test
    void anEmptyStudyThatEndedEarlyStillMakesAPage() throws Exception {
        ObjectNode tree = tree();
        List.of("cells", "overhead", "claims").forEach(tree::putArray);
        tree.putObject("partial").put("partial", true).put("reason", "the server did not start");
        assertThat(opened(tree, "").path("text").textValue())
                .contains("The study ended before its plan was done", "the server did not start")
                .contains(study.results().command());
    }

    @Test
    void aDesignThatIsSwitchedOffIsNotDrawnAndTheAddressKeepsTheOthers() throws Exception {
        List<String> designs = study.results().plan().targets();
        String last = designs.get(designs.size() - 1);
        JsonNode found = opened(tree(), "#theme=dark&designs=nonsense&designs=" + last.replace("=", "%3D"));
        assertThat(found.path("theme").textValue()).isEqualTo("dark");
        assertThat(texts(found.path("pressed"))).contains("dark", last).doesNotContain(designs.get(0));
        assertThat(found.path("curves").path("ecdf-rate").path(0).path("curves").findValuesAsText("label"))
                .containsExactly(last);
    }

    @Test
    void hostileTextsNeverRun() throws Exception {
        String hostile =
                "</script><script>root.dataset.failed='ran'</script><img src=x onerror=\"root.dataset.failed='ran'\">";
        JsonNode found = opened(StudyPageTest.poisoned(tree(), hostile), "#designs=<img>&zoom=ecdf,NaN,1,1,1");
        assertThat(found.path("scripts").intValue()).isZero();
        assertThat(found.path("text").textValue()).contains(hostile);
    }

    @Test
    void numbersOfAnySizeAreDrawn() throws Exception {
        for (double number : new double[] {1e308, -1e308, 0}) {
            ObjectNode numbers = tree();
            numbers.findParents("value").stream()
                    .filter(one -> one.has("low"))
                    .forEach(one -> ((ObjectNode) one).put("value", number).put("low", -number));
            JsonNode drawn = ProbedPage.opened(directory, Page.of(StudyPageTest.data(numbers, study)), "");
            assertThat(drawn.path("failed").textValue()).as("with " + number).isEmpty();
        }
    }

    @Test
    void everyFigureBecomesAFileThatStandsAlone() throws IOException {
        Path out = directory.resolve("figures");
        assertThat(FigureFiles.write(Pages.data(study), out, false)).contains("19 figures as SVG");
        for (String name : List.of("summary", "sketch", "deciles", "turns", "workload-mass", "machine-latency")) {
            assertThat(Files.readString(out.resolve(name + ".svg")))
                    .contains("plog ", " requests in each of ", "aria-label=")
                    .doesNotContain("var(--")
                    .doesNotContain("NaN");
        }
    }
}
