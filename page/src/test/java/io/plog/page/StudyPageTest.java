package io.plog.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.results.Analysis;
import io.plog.results.TerminalSummary;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import io.plog.results.study.SyntheticStudy;
import io.plog.results.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init")
final class StudyPageTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path directory;

    private static Analysis.Outcome study;
    private static String html;

    @BeforeAll
    static void render() throws IOException {
        study = SyntheticStudy.of(directory, 1);
        html = Pages.html(study);
    }

    /** The page of changed results. */
    static PageData data(JsonNode tree, Analysis.Outcome original) throws IOException {
        return RunPage.of(JSON.treeToValue(tree, Results.class), original.figures(), null);
    }

    @Test
    void aStudyStaysBelowOneMegabyteAndHoldsTheResultsAsTheyAre() throws IOException {
        Path out = directory.resolve("out");
        Results results = RunPage.write(Analysis.of(directory.resolve("samples.plog")), out, null, false, null)
                .results();
        assertThat(Files.size(out.resolve("report.html"))).isLessThan(1_000_000);
        JsonNode written = JSON.readTree(out.resolve("results.json").toFile());
        assertThat(JSON.treeToValue(written, Results.class)).isEqualTo(results);
        assertThat(Pages.packed(html).path("documents").path("results"))
                .isEqualTo(JSON.readTree(ResultsFile.json(study.results())));
    }

    @Test
    void everyFigureIsInASectionAndDrawsColumnsThatThereAre() {
        FigureList.check("study", Pages.data(study).tables(), Set.of("summary")); // on the first screen
    }

    @Test
    void thePublishedTablesAreAmongOurs() {
        String tables = Pages.data(study).tables().stream()
                .filter(table -> table.name().startsWith("published-"))
                .map(Table::csv)
                .collect(Collectors.joining());
        assertThat(tables)
                .contains("660.9", "485.2", "240.3", "210.6", "2201.63", "142.65", "0.35", "74.72", "787", "272.9");
    }

    @Test
    void withoutScriptsTheFindingsAndShortTablesAreThere() {
        String plain = html.substring(html.indexOf("<div id=\"plain\">"), html.indexOf("</main>"));
        assertThat(plain)
                .contains("R1, ", "as long as dedicated", "<caption>summary</caption>", "<caption>factors</caption>");
    }

    @Test
    void hostileTextsBecomeNoMarkup() throws Exception {
        String hostile = "x</script><script>alert(1)</script><img src=x onerror=\"alert(2)\">'\"&{{title}}\u0001";
        JsonNode tree = poisoned(JSON.valueToTree(study.results()), hostile);
        String page = Page.of(data(tree, study));
        assertThat(page.split("</script>", -1))
                .as("data, library and plog's own")
                .hasSize(5);
        assertThat(page).doesNotContain("<img").doesNotContain("<script>alert").contains("&lt;script&gt;alert(1)");
        assertThat(TerminalSummary.of(JSON.treeToValue(tree, Results.class))).doesNotContain("\u0001");
    }

    /** Every text gets a tail, but those that the page goes by. */
    static JsonNode poisoned(JsonNode node, String hostile) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(field -> {
                boolean kept = List.of(
                                "kind",
                                "force",
                                "load",
                                "level",
                                "rate",
                                "warmup",
                                "verdict",
                                "severity",
                                "seen",
                                "subject",
                                "mode",
                                "arrivals")
                        .contains(field.getKey());
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
                Pages.data(study).tables().stream().collect(Collectors.toMap(Table::name, Table::csv));
        Results.Cell first = study.results().cells().stream()
                .filter(cell -> "relative".equals(cell.dimensions().get("load"))
                        && "0.95".equals(cell.dimensions().get("level")))
                .findFirst()
                .orElseThrow();
        Results.Distribution latency = Objects.requireNonNull(first.endToEndMicros());
        assertThat(csv.get("distribution").lines())
                .filteredOn(line -> line.startsWith("near capacity,dedicated,yes,"))
                .hasSizeBetween(100, 200)
                .anySatisfy(line -> assertThat(line).startsWith("near capacity,dedicated,yes," + latency.min() + ","));
        assertThat(csv.get("loads")).contains("," + latency.p99() + ",", "," + latency.mean() + ",");
        assertThat(csv.get("workload-mass").lines())
                .hasSize(1
                        + study.figures().curves().stream()
                                .filter(curve -> !curve.measure().equals("e2e"))
                                .mapToInt(curve -> curve.counts().length)
                                .sum());
    }
}
