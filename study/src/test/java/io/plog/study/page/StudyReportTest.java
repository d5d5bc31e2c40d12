package io.plog.study.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.report.figure.Figure;
import io.plog.study.StudyFile;
import io.plog.study.StudyResults;
import io.plog.study.StudyText;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

final class StudyReportTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SEED = 11;
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
    private static String html;

    @TempDir
    private Path out;

    @BeforeAll
    static void render() {
        study = SyntheticStudy.of(SEED);
        html = StudyReport.html(study);
    }

    private static ObjectNode tree() {
        return JSON.valueToTree(study);
    }

    private static StudyResults of(JsonNode tree) throws IOException {
        return JSON.treeToValue(tree, StudyResults.class);
    }

    private static List<String> sections(String page) {
        return Pattern.compile("<section class=\"figure\" id=\"([^\"]+)\">")
                .matcher(page)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    /** Without data and scripts. */
    private static String shown(String page) {
        return page.substring(page.indexOf("<main"), page.indexOf("</main>"));
    }

    private static String section(String page, String id) {
        int begin = page.indexOf("<section class=\"figure\" id=\"" + id + "\">");
        return page.substring(begin, page.indexOf("</section>", begin));
    }

    @Test
    void aStudyStaysBelowOneMegabyteAndIsReadAgainAsItWas() throws IOException {
        StudyReport.write(study, out);
        assertThat(Files.size(out.resolve("report.html"))).isLessThan(1_000_000);
        assertThat(StudyFile.read(out.resolve("study.json"))).isEqualTo(study);
        assertThat(out.toFile().list()).containsExactlyInAnyOrder("report.html", "study.json");
    }

    @Test
    void everySectionIsThereAndNothingIsMissingFromAFullStudy() {
        assertThat(sections(html)).containsExactlyElementsOf(SECTIONS);
        assertThat(shown(html))
                .doesNotContain("class=\"empty\"")
                .doesNotContain("null")
                .doesNotContain("NaN");
        assertThat(StudyReport.figures(study)).hasSize(19);
    }

    @Test
    void everyIdIsThereOnceAndNothingIsLoaded() {
        List<String> ids = Pattern.compile("[ <]id=\"([^\"]+)\"")
                .matcher(html)
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(ids).hasSizeGreaterThan(60).doesNotHaveDuplicates();
        assertThat(html)
                .contains("default-src 'none'")
                .doesNotContainPattern("(?i)(src|href|action)\\s*=\\s*[\"']?\\s*(https?:)?//")
                .doesNotContain("fetch(");
    }

    @Test
    void thePublishedTablesStandBesideOursWithASentenceEach() {
        assertThat(section(html, "capacity")).contains("660.9", "485.2", "240.3", "210.6", "Why: ");
        assertThat(section(html, "percentiles")).contains("2201.63", "142.65", "New-Flash, 4 instances", "Why: ");
        assertThat(section(html, "inversion")).contains("0.58", "0.35", "0.33", "Why: ");
        assertThat(section(html, "workloads")).contains("74.72", "(7.9x)", "over 50 %", "Why: ");
        assertThat(section(html, "machines")).contains("787", "272.9", "Why: ");
    }

    @Test
    void aListThatIsEmptyLeavesItsSectionWithTheReason() throws IOException {
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
            String page = StudyReport.html(of(tree));
            assertThat(sections(page)).containsExactlyElementsOf(SECTIONS);
            for (int i = 1; i < each.length; i++) {
                assertThat(section(page, each[i])).as(each[i]).contains("class=\"empty\"");
            }
        }
    }

    @Test
    void whatACellDoesNotKnowIsSaidAndNotDrawn() throws IOException {
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
        String page = StudyReport.html(of(tree));
        for (String id : List.of("ecdf", "deciles", "inversion", "turns", "components", "processor")) {
            assertThat(section(page, id)).as(id).contains("class=\"empty\"").doesNotContain("<svg");
        }
        assertThat(section(page, "latency")).contains("<svg");
        assertThat(shown(page)).doesNotContain("null").doesNotContain("NaN");
    }

    @Test
    void anEmptyStudyThatEndedEarlyStillMakesAPage() throws IOException {
        ObjectNode tree = tree();
        List.of("capacities", "loads", "workloads", "machines", "comparisons", "claims")
                .forEach(tree::putArray);
        tree.put("partialReason", "the server did not start");
        ((ObjectNode) tree.path("plan")).putArray("designs");
        String page = StudyReport.html(of(tree));
        assertThat(section(page, "verdict"))
                .contains("The study ended before its plan was done", "the server did not start");
        assertThat(StudyText.of(of(tree))).contains("the server did not start");
    }

    @Test
    void anInvalidStudySaysSoBeforeItsFindings() throws IOException {
        ObjectNode tree = tree();
        ((ObjectNode) tree.path("validity").get(0)).put("ok", false).put("detail", "requests were sent late");
        String verdict = section(StudyReport.html(of(tree)), "verdict");
        assertThat(verdict).contains("Not valid, do not use these figures");
        assertThat(verdict.indexOf("requests were sent late")).isLessThan(verdict.indexOf("R1"));
    }

    @Test
    void hostileTextsBecomeNoMarkup() throws Exception {
        String hostile = "x</script><script>alert(1)</script><img src=x onerror=\"alert(2)\">'\"&{{title}}\u0001";
        JsonNode poisoned = poisoned(tree(), hostile);
        StudyResults results = of(poisoned);
        String page = StudyReport.html(results);
        assertThat(page.split("</script>", -1)).as("closing script tags").hasSize(2);
        assertThat(page).doesNotContain("<img").doesNotContain("<script>alert").contains("&lt;script&gt;alert(1)");
        for (Figure figure : StudyReport.figures(results)) {
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(figure.svg())));
        }
        assertThat(StudyText.of(results)).doesNotContain("\u0001");
    }

    /** Every text gets a tail, but those that the page goes by. */
    private static JsonNode poisoned(JsonNode node, String hostile) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(field -> {
                boolean kept = List.of("kind", "machine", "verdict", "severity").contains(field.getKey());
                if (field.getValue().isTextual() && !kept) {
                    object.put(field.getKey(), field.getValue().textValue() + hostile);
                } else {
                    poisoned(field.getValue(), hostile);
                }
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i).isTextual()) {
                    array.set(i, array.get(i).textValue() + hostile);
                } else {
                    poisoned(array.get(i), hostile);
                }
            }
        }
        return node;
    }

    @Test
    void theFiguresFilesHoldWhatWasMeasured() throws IOException {
        StudyReport.writeFigures(study, out, false);
        List<String> ecdf = Files.readAllLines(out.resolve("ecdf.csv"));
        assertThat(ecdf).hasSize(1 + 2 * 200 * SyntheticStudy.DESIGNS.size());
        StudyResults.Load first = study.loads().get(5);
        assertThat(ecdf.get(1))
                .isEqualTo("dedicated,yes," + first.ecdf().get(0).micros() + ","
                        + first.ecdf().get(0).share());
        assertThat(Files.readString(out.resolve("latency-relative.csv")))
                .contains(
                        "," + first.latency().p99() + ",",
                        "," + first.latency().mean().value() + ",");
        assertThat(Files.readAllLines(out.resolve("workload-mass.csv")))
                .hasSize(1
                        + study.workloads().stream()
                                .flatMap(workload -> workload.rows().stream())
                                .mapToInt(row -> row.density().size())
                                .sum());
        assertThat(out.toFile().list()).hasSize(2 * StudyReport.figures(study).size());
    }

    @Test
    void aFileThatIsNoStudyIsRefusedWithASentence() throws IOException {
        Path file = out.resolve("study.json");
        Files.writeString(file, "{\"kind\":\"run\"}");
        assertThatThrownBy(() -> StudyFile.read(file)).hasMessageContaining("has the kind \"run\", expected \"study\"");
        Files.writeString(file, "{\"kind\":\"study\",\"schemaVersion\":9}");
        assertThatThrownBy(() -> StudyFile.read(file))
                .hasMessageContaining(
                        "was written by a newer plog (schema version 9, this one reads 1); nothing is wrong");
        Files.writeString(file, "{\"kind\":");
        assertThatThrownBy(() -> StudyFile.read(file)).hasMessageContaining("is not JSON");
        ObjectNode tree = tree();
        ((ObjectNode) tree.path("loads").get(3)).remove("latency");
        Files.writeString(file, tree.toString());
        assertThatThrownBy(() -> StudyFile.read(file))
                .hasMessageContaining("loads[3]")
                .hasMessageContaining("latency");
        ObjectNode newer = tree();
        newer.put("somethingNewer", 1);
        Files.writeString(file, newer.toString());
        assertThat(StudyFile.read(file)).isEqualTo(study);
    }
}
