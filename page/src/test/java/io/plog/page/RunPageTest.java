package io.plog.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.results.Analysis;
import io.plog.results.FilledResults;
import io.plog.results.SyntheticRun;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.ComparisonTable;
import io.plog.results.compare.TargetPair;
import io.plog.results.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run's page as the text that it is before a browser draws it. */
final class RunPageTest {
    private static final List<String> OWN = List.of(
            "page.html",
            "page.css",
            "text.js",
            "palette.js",
            "scale.js",
            "figure.js",
            "page.js",
            "blocks.js",
            "run.js",
            "run.json",
            "disk.js",
            "disk.json",
            "study.js",
            "study.json",
            "recovery.js",
            "recovery.json",
            "list.js",
            "list.json",
            "trend.js",
            "trend.json",
            "view.js");

    @TempDir
    private static Path out;

    @SuppressWarnings("NullAway.Init")
    private static String html;

    @BeforeAll
    static void writeADefaultRun() throws IOException {
        RunPage.write(Analysis.of(SyntheticRun.of(2000, 5)), out, null, false, null);
        html = Files.readString(out.resolve("report.html"));
    }

    /** The page without the library, whose text is not plog's. */
    private static String own() {
        int library = html.indexOf("<script>\n/*");
        return html.substring(0, library) + html.substring(html.indexOf("</script>", library));
    }

    @Test
    void aRunWithEverythingInItStaysBelow1200Kilobytes() throws IOException {
        assertThat(Files.size(out.resolve("report.html"))).isLessThan(800_000);
        assertThat(Pages.html(FilledResults.of(SyntheticRun.of(2000, 5))).length())
                .isLessThan(1_200_000);
    }

    @Test
    void itHoldsTheResultsAsTheyAreAndEveryTable() throws IOException {
        JsonNode data = Pages.packed(html);
        JsonNode results =
                new ObjectMapper().readTree(out.resolve("results.json").toFile());
        assertThat(data.path("documents").path("results")).isEqualTo(results);
        assertThat(data.path("tables").findValuesAsText("name"))
                .contains("density", "means", "ecdf", "series", "components");
    }

    @Test
    void everyFigureIsInASectionAndDrawsColumnsThatThereAre() throws Exception {
        List<Table> tables = new ArrayList<>(
                Pages.data(FilledResults.of(SyntheticRun.of(300, 5))).tables());
        SyntheticRun run = SyntheticRun.of(300, 3, List.of("fdatasync", "dsync", "off"), List.of(100));
        Assessor.Input input = new Assessor.Input("run", run, Analysis.results(run));
        tables.addAll(ComparisonTable.of(Assessor.of(
                input,
                input,
                new Assessor.Request(new TargetPair.Names("fdatasync", "dsync"), List.of(), true, false))));
        FigureList.check(
                "run", tables, Set.of("cost", "max-rate", "shift")); // on the first screen, and below the densities
    }

    @Test
    void withoutScriptsItSaysSoAndShowsFindingsAndTables() {
        String plain = html.substring(html.indexOf("<div id=\"plain\">"), html.indexOf("</main>"));
        assertThat(plain)
                .contains("no script runs here", "With fdatasync a request takes", "Z10", "<caption>means</caption>")
                .contains("<th>mean µs</th>")
                .doesNotContain("<caption>series</caption>");
        assertThat(plain.split("<tr>", -1)).hasSizeGreaterThan(25);
    }

    @Test
    void everyPrintedPageSaysWhereItsDataAreFrom() {
        assertThat(html)
                .contains(
                        "@bottom-left { content: \"plog 0.1.0, 2026-11-20 14:00:00 UTC · n = 2,000 requests in each of 15 cells")
                .contains("a processor with \\00003c/script>");
    }

    @Test
    void nothingIsLoadedFromAnywhere() {
        assertThat(html).contains("default-src 'none'");
        assertThat(Pattern.compile("(?i)(src|href|action|poster|srcset)\\s*=\\s*[\"']?\\s*(https?:)?//")
                        .matcher(html)
                        .find())
                .isFalse();
        assertThat(Pattern.compile("(?i)<(link|iframe|object|embed|base)\\b|@import|url\\(\\s*[\"']?(https?:)?//")
                        .matcher(own())
                        .find())
                .isFalse();
        assertThat(own())
                .doesNotContain("fetch(")
                .doesNotContain("XMLHttpRequest")
                .doesNotContain("WebSocket")
                .doesNotContain("sendBeacon");
    }

    @Test
    void textFromTheMachinesCannotBecomeMarkup() throws IOException {
        assertThat(html).doesNotContain("a processor with </script>");
        assertThat(html.split("</script>", -1))
                .as("data, library and plog's own")
                .hasSize(5);
        assertThat(Pages.packed(html).findValuesAsText("cpu"))
                .contains("a processor with </script> in its name, 8 cores");
        assertThat(own())
                .doesNotContain("innerHTML")
                .doesNotContain("outerHTML")
                .doesNotContain("insertAdjacentHTML")
                .doesNotContain("document.write")
                .doesNotContain("eval(")
                .doesNotContain(".html(");
    }

    @Test
    void theDocumentsNameEveryTable() throws IOException {
        String documents = Files.readString(Path.of("../docs/measurement.md"));
        assertThat(Pages.data(FilledResults.of(SyntheticRun.of(300, 5))).tables())
                .allSatisfy(table -> assertThat(documents).contains("`" + table.name() + "`"));
    }

    @Test
    void everySlotOfTheTemplateIsFilled() {
        assertThat(own()).doesNotContainPattern("\\{\\{[a-z]+}}");
    }

    @Test
    void theLibraryStandsInItWithItsLicenceAndNoOtherFileIsOfOthers() throws IOException {
        assertThat(html)
                .contains("Copyright 2010-2023 Mike Bostock", "THE SOFTWARE IS PROVIDED \"AS IS\"", "d3js.org v7.9.0");
        Path resources = Path.of("src/main/resources/io/plog/page");
        try (var files = Files.list(resources)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("NOTICE says what is plog's own: name what is added there")
                    .containsExactlyInAnyOrderElementsOf(OWN);
        }
    }

    @Test
    void whatIsInTheWayOfFiguresStopsEverythingBeforeAnythingIsWritten() throws IOException {
        Path figures = Files.createDirectory(out.resolve("figures"));
        Files.writeString(figures.resolve("means.csv"), "mine");
        assertThatThrownBy(() ->
                        RunPage.write(Analysis.of(SyntheticRun.of(30, 5)), out.resolve("other"), figures, false, null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("already")
                .hasMessageContaining("--overwrite");
        assertThat(figures.resolve("means.csv")).hasContent("mine");
        assertThat(figures.resolve("series.csv")).doesNotExist();
        assertThat(out.resolve("other")).doesNotExist();
    }
}
