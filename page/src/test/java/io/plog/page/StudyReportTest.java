package io.plog.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.report.study.StudyBlocks;
import io.plog.report.study.StudyFile;
import io.plog.report.study.StudyResults;
import io.plog.report.study.StudyText;
import io.plog.report.study.StudyView;
import io.plog.report.study.SyntheticStudy;
import io.plog.report.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StudyReportTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SEED = 11;
    private static StudyResults study;
    private static String html;

    @TempDir
    private Path out;

    @BeforeAll
    static void render() {
        study = SyntheticStudy.of(SEED);
        html = Page.of(StudyReport.of(study));
    }

    private static ObjectNode tree() {
        return JSON.valueToTree(study);
    }

    private static StudyResults of(JsonNode tree) throws IOException {
        return JSON.treeToValue(tree, StudyResults.class);
    }

    @Test
    void aStudyStaysBelowOneMegabyteAndIsReadAgainAsItWas() throws IOException {
        StudyReport.write(study, out);
        assertThat(Files.size(out.resolve("report.html"))).isLessThan(1_000_000);
        assertThat(StudyFile.read(out.resolve("study.json"))).isEqualTo(study);
        assertThat(out.toFile().list()).containsExactlyInAnyOrder("report.html", "study.json");
    }

    @Test
    void everyFigureIsInASectionAndDrawsColumnsThatThereAre() {
        FigureList.check("study", StudyReport.of(study).tables(), Set.of("summary")); // on the first screen
    }

    @Test
    void thePublishedTablesStandBesideOursWithASentenceEach() {
        Map<String, List<StudyBlocks.Block>> blocks = StudyBlocks.of(new StudyView(study));
        assertThat(String.valueOf(blocks.get("capacity"))).contains("660.9", "485.2", "240.3", "210.6", "Why: ");
        assertThat(String.valueOf(blocks.get("percentiles")))
                .contains("2201.63", "142.65", "New-Flash, 4 instances", "Why: ");
        assertThat(String.valueOf(blocks.get("inversion"))).contains("0.35", "Why: ");
        assertThat(String.valueOf(blocks.get("workloads"))).contains("74.72", "(7.9x)", "over 50 %", "Why: ");
        assertThat(String.valueOf(blocks.get("machines"))).contains("787", "272.9", "Why: ");
    }

    @Test
    void withoutScriptsTheFindingsAndShortTablesAreThere() {
        String plain = html.substring(html.indexOf("<noscript>"), html.indexOf("</noscript>"));
        assertThat(plain)
                .contains("R1, ", "as long as dedicated", "<caption>summary</caption>", "<caption>factors</caption>");
    }

    @Test
    void hostileTextsBecomeNoMarkup() throws Exception {
        String hostile = "x</script><script>alert(1)</script><img src=x onerror=\"alert(2)\">'\"&{{title}}\u0001";
        StudyResults results = of(poisoned(tree(), hostile));
        String page = Page.of(StudyReport.of(results));
        assertThat(page.split("</script>", -1))
                .as("data, library and plog's own")
                .hasSize(4);
        assertThat(page).doesNotContain("<img").doesNotContain("<script>alert").contains("&lt;script&gt;alert(1)");
        assertThat(StudyText.of(results)).doesNotContain("\u0001");
    }

    /** Every text gets a tail, but those that the page goes by. */
    static JsonNode poisoned(JsonNode node, String hostile) {
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
    void theTablesHoldWhatWasMeasured() {
        Map<String, String> csv =
                StudyReport.of(study).tables().stream().collect(Collectors.toMap(Table::name, Table::csv));
        StudyResults.Load first = study.loads().get(5);
        assertThat(csv.get("distribution").lines())
                .contains("near capacity,dedicated,yes," + first.ecdf().get(0).micros() + ","
                        + first.ecdf().get(0).share())
                .filteredOn(line -> line.startsWith("near"))
                .hasSize(2 * 200 * SyntheticStudy.DESIGNS.size());
        assertThat(csv.get("loads"))
                .contains(
                        "," + first.latency().p99() + ",",
                        "," + first.latency().mean().value() + ",");
        assertThat(csv.get("workload-mass").lines())
                .hasSize(1
                        + study.workloads().stream()
                                .flatMap(workload -> workload.rows().stream())
                                .mapToInt(row -> row.density().size())
                                .sum());
    }

    @Test
    void aFileThatIsNoStudyIsRefusedWithASentence() throws IOException {
        Path file = out.resolve("study.json");
        Files.writeString(file, "{\"kind\":\"run\",\"schemaVersion\":1}");
        assertThatThrownBy(() -> StudyFile.read(file)).hasMessageContaining("has the kind \"run\", expected study");
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
