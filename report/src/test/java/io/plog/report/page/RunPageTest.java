package io.plog.report.page;

import static io.plog.report.InOrder.inOrder;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.report.Analysis;
import io.plog.report.FilledResults;
import io.plog.report.Report;
import io.plog.report.SyntheticRun;
import io.plog.report.chart.DrawnFigures;
import io.plog.report.compare.TestRun;
import io.plog.report.figure.Figure;
import io.plog.report.results.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunPageTest {
    @TempDir
    private static Path out;

    private static String html;

    @BeforeAll
    static void writeADefaultRun() throws IOException {
        Report.write(SyntheticRun.of(2000, 5), out);
        html = Files.readString(out.resolve("report.html"));
    }

    @Test
    void theDefaultRunStaysBelow800Kilobytes() throws IOException {
        assertThat(Files.size(out.resolve("report.html"))).isLessThan(800_000);
    }

    @Test
    void aRunWithEverythingInItStaysBelowOneAndAHalfMegabytes() throws IOException {
        Analysis.Outcome filled = FilledResults.of(SyntheticRun.of(2000, 5));
        assertThat(RunPage.of(filled.results(), filled.figures()).length()).isLessThan(1_500_000);
    }

    /** But for the shift function, whose panels stand under those of the densities. */
    @Test
    void everyFigureStandsInThePageWithoutAScript() throws IOException {
        Analysis.Outcome outcome = Analysis.of(SyntheticRun.of(2000, 5));
        List<Figure> figures = DrawnFigures.of(outcome.results(), outcome.figures());
        assertThat(figures).hasSizeGreaterThan(8);
        for (Figure figure : figures) {
            if (!figure.name().equals("shift")) {
                assertThat(html)
                        .contains("id=\"figure-" + figure.name() + "\"", coloured(figure.svgElement()))
                        .contains("<p>" + figure.alternative());
            }
        }
        assertThat(html.split("<svg ", -1))
                .as("each is drawn twice, for a desk and for a phone")
                .hasSize(2 * (figures.size() - 1) + 1);
    }

    @Test
    void onAPhonePanelsAboutTheSameSizeStandTogether() {
        String drawing = html.substring(html.indexOf("id=\"figure-end-to-end-density-narrow\""));
        List<String> sizes = Pattern.compile("<g class=\"panel\"[^>]* data-size=\"([^\"]*)\"")
                .matcher(drawing.substring(0, drawing.indexOf("</figure>")))
                .results()
                .map(panel -> panel.group(1))
                .toList();
        assertThat(sizes).hasSizeGreaterThan(5);
        for (String size : Set.copyOf(sizes)) {
            assertThat(sizes.lastIndexOf(size) - sizes.indexOf(size) + 1)
                    .as("panels from the first to the last about %s, of %s", size, sizes)
                    .isEqualTo(Collections.frequency(sizes, size));
        }
    }

    @Test
    void thePageBeginsWithTheCostAPictureOfItAndWhetherToBelieveIt() {
        assertThat(html)
                .satisfies(inOrder(
                        "<p class=\"cost\">With <b>fdatasync</b>",
                        "id=\"figure-cost\"",
                        "id=\"figure-cost-narrow\"",
                        "<div class=\"believe beside\">",
                        "class=\"strip\"",
                        "id=\"claims\"",
                        "id=\"conditions\""));
    }

    @Test
    void aRunThatIsNotValidSaysSoBeforeItSaysACost() throws IOException {
        Analysis.Outcome outcome = Analysis.of(SyntheticRun.of(300, 5).ending(Optional.empty()));
        ObjectMapper json = new ObjectMapper();
        ObjectNode tree = json.valueToTree(outcome.results());
        tree.withArray("validity")
                .addObject()
                .put("id", "failures")
                .put("ok", false)
                .put("severity", "invalid")
                .put("detail", "One request failed.");
        String page = RunPage.of(json.treeToValue(tree, Results.class), outcome.figures());
        assertThat(page)
                .satisfies(inOrder(
                        "<div class=\"believe below\">", "Not valid, do not use these values", "<p class=\"cost\">"));
    }

    @Test
    void theClaimsAreOneTableWithAColumnForEachTargetAndTheBooksFigures() {
        String claims = html.substring(html.indexOf("id=\"claims\""), html.indexOf("id=\"conditions\""));
        assertThat(claims.split("<table", -1)).hasSize(2);
        assertThat(claims)
                .contains("<th scope=\"col\">the book's figure</th><th scope=\"col\">fdatasync</th>"
                        + "<th scope=\"col\">write</th><th scope=\"col\">without logging</th></tr>");
        List<String> rows = Pattern.compile("<tr class=\"claim\">.*?</tr>", Pattern.DOTALL)
                .matcher(claims)
                .results()
                .map(match -> match.group())
                .toList();
        assertThat(rows).hasSize(10);
        for (int i = 0; i < 10; i++) {
            assertThat(rows.get(i))
                    .contains("<span class=\"id\">Z" + (i + 1) + "</span>", "data-head=\"the book's figure\"")
                    .containsPattern(
                            "<summary><span class=\"badge [a-z-]+\">.*</span> <span class=\"found\">[^<]+</span>");
            int columns = rows.get(i).split("<td", -1).length - 1;
            assertThat(columns)
                    .as("book and three targets")
                    .isEqualTo(rows.get(i).contains("colspan=\"3\"") ? 2 : 4);
        }
        assertThat(rows.get(0)).contains("1000 µs");
        assertThat(rows.get(2)).contains("no figure");
        assertThat(rows.get(8)).contains("2600 µs");
    }

    @Test
    void everyPrintedPageSaysWhereItsDataAreFrom() {
        assertThat(html)
                .contains(
                        "@bottom-left { content: \"plog 0.1.0, 2026-11-20 14:00:00 UTC · n = 2,000 requests in each of 15 cells")
                .contains("a processor with \\00003c/script>");
    }

    @Test
    void thePageSpeaksAsTheFieldDoes() {
        assertThat(html)
                .contains("density per unit of ln(latency)")
                .doesNotContain("per factor e")
                .doesNotContainPattern("keeps? (its|their) word")
                .doesNotContain("against off");
    }

    /** As the page has it, with variables for colours. */
    private static String coloured(String svg) {
        return svg.replaceAll("(fill|stroke)=\"#([0-9a-f]+)\"", "$1=\"var(--c$2)\"");
    }

    @Test
    void whatOneTrialCannotKnowStandsBesideTheCostAndInTheTables() throws IOException {
        String sentence = "It cannot know how the next start of the same processes would differ.";
        assertThat(page(TestRun.of(200, 1)).split(Pattern.quote(sentence), -1))
                .as("beside the cost, and in both tables of percentiles")
                .hasSize(4);
        assertThat(page(TestRun.of(200, 1).trials(2))).doesNotContain(sentence);
    }

    private static String page(TestRun run) throws IOException {
        Analysis.Outcome outcome = Analysis.of(run);
        return RunPage.of(outcome.results(), outcome.figures());
    }

    @Test
    void everyColourOfADrawingHasALightAndADarkOne() {
        Set<String> used = Pattern.compile("var\\((--c[0-9a-f]+)\\)")
                .matcher(html)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
        assertThat(used)
                .hasSizeGreaterThan(15)
                .allSatisfy(name -> assertThat(html).contains(name + ": light-dark(#" + name.substring(3) + ", #"));
    }

    @Test
    void everyIdIsThereOnce() {
        List<String> ids = Pattern.compile("[ <]id=\"([^\"]+)\"")
                .matcher(html)
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(ids).hasSizeGreaterThan(30).doesNotHaveDuplicates();
    }

    @Test
    void nothingIsLoadedFromAnywhere() {
        assertThat(html).contains("default-src 'none'");
        assertThat(Pattern.compile("(?i)(src|href|action|poster|srcset)\\s*=\\s*[\"']?\\s*(https?:)?//")
                        .matcher(html)
                        .find())
                .isFalse();
        assertThat(Pattern.compile("(?i)<(link|iframe|object|embed|base)\\b|@import|url\\(\\s*[\"']?(https?:)?//")
                        .matcher(html)
                        .find())
                .isFalse();
        assertThat(html)
                .doesNotContain("fetch(")
                .doesNotContain("XMLHttpRequest")
                .doesNotContain("WebSocket")
                .doesNotContain("sendBeacon");
    }

    @Test
    void textFromTheMachinesCannotBecomeMarkup() {
        assertThat(html).contains("a processor with &lt;/script&gt;").doesNotContain("a processor with </script>");
        assertThat(html.split("</script>", -1)).as("closing script tags").hasSize(2);
    }

    @Test
    void everySlotOfTheTemplateIsFilled() {
        assertThat(html).doesNotContainPattern("\\{\\{[a-z]+}}");
    }
}
