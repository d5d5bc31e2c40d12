package io.plog.page;

import static io.plog.page.ProbedPage.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.samples.RunInfo;
import io.plog.results.Analysis;
import io.plog.results.FilledResults;
import io.plog.results.SyntheticRun;
import io.plog.results.compare.Assessment;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.TargetPair;
import io.plog.results.model.Results;
import io.plog.results.table.Table;
import io.plog.stats.Percentile;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens the page in Chromium, if the machine has it, and looks at what its script does. A probe appended to the page says; nothing
 * in the page itself knows about it.
 */
@Tag("slow")
final class PageInABrowserTest {
    @TempDir
    private Path directory;

    private JsonNode opened(String html, String hash) throws Exception {
        return ProbedPage.opened(directory, html, hash);
    }

    @Test
    void thePageIsThereAndItsFiguresCanBeRead() throws Exception {
        JsonNode found = opened(Pages.html(FilledResults.of(SyntheticRun.of(500, 3))), "");
        assertThat(found.path("failed").textValue()).isEmpty();
        List<String> sections =
                new ArrayList<>(Page.list("run").path("sections").findValuesAsText("id"));
        assertThat(texts(found.path("sections"))).containsExactlyElementsOf(sections);
        assertThat(texts(found.path("contents"))).containsExactlyElementsOf(sections);
        assertThat(texts(found.path("ids"))).doesNotHaveDuplicates();
        assertThat(texts(found.path("figures")))
                .containsExactlyInAnyOrder(
                        "max-rate",
                        "logging-density",
                        "over-time",
                        "means-log",
                        "end-to-end-density",
                        "ecdf-logging",
                        "tail-logging",
                        "ecdf-end-to-end",
                        "tail-end-to-end",
                        "series",
                        "components");
        assertThat(found.path("words"))
                .hasSizeGreaterThanOrEqualTo(9)
                .allSatisfy(length -> assertThat(length.intValue()).isGreaterThan(60));
        JsonNode read = found.path("read");
        assertThat(read.path("logging-density").textValue())
                .startsWith("latency ")
                .contains("100 B ");
        assertThat(read.path("ecdf-logging").textValue()).contains(" %");
        assertThat(read.path("means").textValue()).contains("mean ", "median ", "sd ", "[");
        assertThat(read.path("components").textValue()).contains("time ", " %");
        assertThat(read.path("end-to-end-density").textValue()).isNotEmpty();
        assertThat(read.path("series").textValue()).contains("end to end");
    }

    /** Who publishes it says which scripts may run: Jenkins, a wiki, a mail's reader. */
    @Test
    void whereItsScriptsMayNotRunItShowsFindingsAndTables() throws Exception {
        Path browser = Chromium.find().orElseThrow();
        String html = Pages.html(FilledResults.of(SyntheticRun.of(500, 3)));
        Path page = Files.writeString(
                directory.resolve("forbidden.html"), html.replace("script-src 'unsafe-inline'", "script-src 'self'"));
        assertThat(Chromium.opened(browser, directory, page.toUri().toString()))
                .contains("<html lang=\"en\">", "<div id=\"plain\">", "With fdatasync a request takes");
        Files.writeString(page, html);
        assertThat(Chromium.opened(browser, directory, page.toUri().toString()))
                .contains("class=\"scripted\"")
                .doesNotContain("<div id=\"plain\">");
    }

    /** Every number that the page saves is that of the file that plog report --figures writes. */
    @Test
    void everyTableThatIsSavedIsThatOfTheFile() throws Exception {
        PageData data = Pages.data(FilledResults.of(SyntheticRun.of(500, 3)));
        JsonNode csv = opened(Page.of(data), "").path("csv");
        assertThat(data.tables())
                .extracting(Table::name)
                .containsExactly(
                        "density",
                        "peaks",
                        "means",
                        "shift",
                        "ecdf",
                        "series",
                        "over-time",
                        "interruptions",
                        "rates",
                        "components");
        for (Table table : data.tables()) {
            assertThat(csv.path(table.name()).textValue()).as(table.name()).isEqualTo(table.csv());
        }
    }

    @Test
    void everyCurveOfADensityIsThatOfItsTableAndReachesThePublishedValues() throws Exception {
        PageData data = Pages.data(FilledResults.of(SyntheticRun.of(500, 3)));
        Table density = table(data, "density");
        for (String axis : List.of("log", "linear")) {
            JsonNode found = opened(Page.of(data), "#axis=" + axis);
            for (JsonNode panel : found.path("curves").path("logging-density")) {
                assertThat(panel.path("curves")).hasSize(5);
                for (JsonNode curve : panel.path("curves")) {
                    for (JsonNode point : curve.path("points")) {
                        double x = point.path(0).doubleValue();
                        double y = point.path(1).doubleValue();
                        assertThat(density.rows().stream().anyMatch(row -> {
                                    double from = (Double) row.get(3);
                                    double to = (Double) row.get(4);
                                    double middle = axis.equals("log") ? Math.sqrt(from * to) : (from + to) / 2;
                                    double height = (Double) row.get(axis.equals("log") ? 7 : 8);
                                    return Math.abs(middle - x) <= x * 1e-6 && Math.abs(height - y) <= 1e-6;
                                }))
                                .as("%s of %s, %s", axis, curve.path("label"), point)
                                .isTrue();
                    }
                }
                assertThat(panel.path("x").path(1).doubleValue() > 1000).isEqualTo(axis.equals("log"));
            }
            assertThat(found.path("rules").path("logging-density").intValue())
                    .isGreaterThanOrEqualTo(axis.equals("log") ? 2 : 1);
        }
        assertThat(opened(Page.of(data), "#book=off")
                        .path("rules")
                        .path("logging-density")
                        .intValue())
                .isZero();
    }

    @Test
    void aLinearDensityEndsWithItsBodyAndAnInsetShowsTheTail() throws Exception {
        JsonNode found = opened(Pages.html(FilledResults.of(SyntheticRun.of(2000, 3))), "#axis=linear");
        assertThat(found.path("text").textValue()).contains("tail, ", "× magnified");
        assertThat(found.path("curves").path("logging-density"))
                .allSatisfy(panel ->
                        assertThat(panel.path("x").path(0).doubleValue()).isZero());
        assertThat(found.path("curves").path("logging-density").path(0).path("y"))
                .as("each target has a vertical axis of its own")
                .isNotEqualTo(
                        found.path("curves").path("logging-density").path(1).path("y"));
    }

    @Test
    void theMeansStandOnALogarithmicAxisAndAsInTheBookOnALinearOneFromZero() throws Exception {
        String html = Pages.html(FilledResults.of(SyntheticRun.of(500, 3)));
        assertThat(opened(html, "#axis=linear").path("curves").path("means"))
                .hasSize(2)
                .allSatisfy(panel ->
                        assertThat(panel.path("y").path(0).doubleValue()).isZero())
                .anySatisfy(panel -> assertThat(panel.path("stops").intValue()).isEqualTo(15));
        assertThat(opened(html, "").path("curves").path("means"))
                .allSatisfy(panel ->
                        assertThat(panel.path("y").path(0).doubleValue()).isPositive());
    }

    /** The tables are made by the script; their numbers are those of the results, as Java writes them. */
    @Test
    void theTablesShowTheResults() throws Exception {
        Analysis.Outcome outcome = FilledResults.of(SyntheticRun.of(500, 3));
        List<String> rows = new ArrayList<>();
        opened(Pages.html(outcome), "").path("tables").forEach(table -> rows.addAll(texts(table)));
        for (Results.Cell cell : outcome.results().cells()) {
            Stream.of(cell.logMicros(), cell.endToEndMicros())
                    .flatMap(Stream::ofNullable)
                    .map(d -> List.of(
                            " | " + cell.target() + " | " + cell.force() + " | 500 | " + shown(d.mean()) + " | "
                                    + shown(d.sd()) + " | " + shown(d.min()),
                            shown(d.p50()) + "[" + shown(d.p50() * 0.95) + ", " + shown(d.p50() * 1.1) + "]",
                            shown(d.at(Percentile.P999).micros()),
                            " | " + shown(d.max())))
                    .forEach(words ->
                            assertThat(rows).anyMatch(row -> words.stream().allMatch(row::contains)));
            Results.Slow slow = cell.slowest().get(0);
            List<String> words = List.of(
                    cell.target(),
                    shown(slow.endToEndMicros()),
                    String.format(Locale.ROOT, "%,d", slow.request()),
                    shown(slow.forceMicros()),
                    "young <collection>");
            assertThat(rows).anyMatch(row -> words.stream().allMatch(row::contains));
        }
    }

    @Test
    void aCellThatWasNotSteadyIsMarkedInItsRows() throws Exception {
        Analysis.Outcome outcome = FilledResults.of(SyntheticRun.of(500, 3));
        ObjectMapper json = new ObjectMapper();
        JsonNode tree = json.valueToTree(outcome.results());
        ObjectNode cell = (ObjectNode) tree.withArray("cells").get(1);
        cell.putObject("steady").put("reached", false).put("detail", "slower in 3 of 3 trials");
        String page = Page.of(RunPage.of(json.treeToValue(tree, Results.class), outcome.figures(), null));
        JsonNode found = opened(page, "");
        List<String> rows = new ArrayList<>();
        found.path("tables").forEach(table -> rows.addAll(texts(table)));
        assertThat(rows)
                .filteredOn(row -> row.contains("~"))
                .hasSize(cell.hasNonNull("logMicros") ? 3 : 2)
                .allMatch(row -> row.contains(" | " + cell.get("target").textValue() + "~ | "));
        assertThat(found.path("text").textValue()).contains("~ not steady while it was counted");
        assertThat(opened(Pages.html(outcome), "").path("text").textValue()).doesNotContain("~");
    }

    private static String shown(double micros) {
        return String.format(Locale.ROOT, micros >= 99.95 ? "%,.0f" : micros >= 9.995 ? "%.1f" : "%.2f", micros);
    }

    @Test
    void theClaimsAreOneTableWithAColumnForEachTargetAndTheBooksFigures() throws Exception {
        JsonNode claims =
                opened(Pages.html(Analysis.of(SyntheticRun.of(500, 3))), "").path("claims");
        assertThat(claims).hasSize(10);
        for (int i = 0; i < 10; i++) {
            assertThat(claims.get(i).path(0).textValue()).startsWith("Z" + (i + 1));
            assertThat(claims.get(i).size())
                    .as("claim, book, and three targets or all")
                    .isIn(3, 5);
        }
        assertThat(claims.get(0).path(1).textValue()).contains("1000 µs");
        assertThat(claims.get(2).path(1).textValue()).isEqualTo("no figure");
        assertThat(claims.get(8).path(1).textValue()).contains("2600 µs");
    }

    @Test
    void aRunThatIsNotValidSaysSoBeforeItSaysACost() throws Exception {
        Analysis.Outcome outcome = Analysis.of(SyntheticRun.of(300, 5).ending(new RunInfo.End(true, "cut", 0)));
        ObjectMapper json = new ObjectMapper();
        ObjectNode tree = json.valueToTree(outcome.results());
        tree.withArray("validity")
                .addObject()
                .put("id", "failures")
                .put("ok", false)
                .put("severity", "invalid")
                .put("detail", "One request failed.");
        String page = Page.of(RunPage.of(json.treeToValue(tree, Results.class), outcome.figures(), null));
        String text = opened(page, "").path("text").textValue();
        assertThat(text.indexOf("Not valid, do not use these values: One request failed."))
                .isBetween(0, text.indexOf("With fdatasync a request takes"));
        assertThat(text).contains("The run ended early", "It cannot know how the next start");
    }

    private JsonNode layout(int width, int height) throws Exception {
        return Browser.layout(directory, Pages.html(FilledResults.of(SyntheticRun.of(500, 3))), width, height);
    }

    @Test
    void theFirstScreenHoldsTheCostAPictureOfItAndWhetherToBelieveIt() throws Exception {
        JsonNode found = layout(1440, 900);
        for (int i = 0; i < 3; i++) {
            assertThat(found.path("bottom").path(i).asDouble()).isBetween(1.0, 900.0);
        }
        assertThat(found.path("scrolling"))
                .as("tables and figures with a scroll bar")
                .isEmpty();
    }

    @Test
    void noPageScrollsSidewaysAndNoWordsAreCut() throws Exception {
        for (int width : new int[] {390, 768, 1440}) {
            JsonNode found = layout(width, 900);
            assertThat(found.path("width").asInt()).isEqualTo(width);
            assertThat(found.path("wide").asInt())
                    .as("at " + width)
                    .isLessThanOrEqualTo(found.path("room").asInt());
            assertThat(found.path("beyond")).as("at " + width).isEmpty();
            assertThat(found.path("clipped")).as("at " + width).isEmpty();
            assertThat(found.path("scrollingDrawings")).as("at " + width).isEmpty();
            assertThat(found.path("drawings")).hasSizeGreaterThan(8);
            for (int i = 0; i < 3; i++) {
                assertThat(found.path("bottom").path(i).asDouble()).isBetween(1.0, 3 * 844.0);
            }
        }
    }

    /** On both sides of 0, where what is near to it is spread: labels do not run into each other, and that of 0 stays. */
    @Test
    void labelsAroundNothingHaveRoomAndNothingKeepsIts() throws Exception {
        JsonNode axes =
                opened(Pages.html(FilledResults.of(SyntheticRun.of(60, 3))), "").path("both");
        assertThat(axes).hasSize(28);
        for (JsonNode ticks : axes) {
            List<Double> places = new ArrayList<>();
            ticks.forEach(tick -> places.add(tick.path(1).doubleValue()));
            places.sort(null);
            for (int i = 1; i < places.size(); i++) {
                assertThat(places.get(i) - places.get(i - 1)).as("%s", ticks).isGreaterThanOrEqualTo(14);
            }
            assertThat(ticks).anyMatch(tick -> tick.path(2).textValue().equals("0 µs"));
        }
        assertThat(axes.get(2)).extracting(tick -> tick.path(2).textValue()).contains("0 µs", "100 µs", "10 ms");
    }

    @Test
    void everyFigureBecomesAFileThatStandsAlone() throws Exception {
        PageData data = Pages.data(FilledResults.of(SyntheticRun.of(500, 3)));
        String written = FigureFiles.write(data, directory.resolve("figures"), false);
        assertThat(written).contains(data.tables().size() + " tables as CSV, 16 figures as SVG");
        for (String name : List.of(
                "cost",
                "logging-density",
                "logging-density-linear",
                "means",
                "means-log",
                "end-to-end-density-linear",
                "shift",
                "tail-end-to-end",
                "series",
                "components")) {
            String svg = Files.readString(directory.resolve("figures/" + name + ".svg"));
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            assertThat(factory.newDocumentBuilder()
                            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
                            .getDocumentElement()
                            .getTagName())
                    .isEqualTo("svg");
            assertThat(svg)
                    .contains("plog 0.1.0, 2026-11-20 14:00:00 UTC", "n = 500 requests", "aria-label=")
                    .doesNotContain("var(--")
                    .doesNotContain("NaN")
                    .doesNotContain("Infinity");
        }
        JsonNode found = opened(Page.of(data), "#theme=dark&zoom=means,10,10,300,200");
        assertThat(ids(found.path("svg").textValue()))
                .as("what the button saves, whatever the page shows")
                .isEqualTo(ids(Files.readString(directory.resolve("figures/means-log.svg"))));
    }

    /** Without the numbers that make ids of patterns and clips unique in a page. */
    private static String ids(String svg) {
        return svg.replaceAll("(clip|hatch)-\\d+-", "$1-");
    }

    @Test
    void aComparisonIsDrawnAroundOneAndCanBeRead() throws Exception {
        SyntheticRun run = SyntheticRun.of(500, 3, List.of("fdatasync", "dsync", "off"), List.of(100, 1000));
        Assessor.Input input = new Assessor.Input("run", run, Analysis.results(run));
        Assessment assessment = Assessor.of(
                input, input, new Assessor.Request(new TargetPair.Names("fdatasync", "dsync"), List.of(), true, false));
        Analysis.Outcome outcome = Analysis.of(run);
        JsonNode found = opened(Page.of(RunPage.of(outcome.results(), outcome.figures(), assessment)), "");
        assertThat(found.path("failed").textValue()).isEmpty();
        assertThat(found.path("text").textValue()).contains(assessment.sentence());
        assertThat(found.path("read").path("comparison").textValue()).contains("B by A ", "joint ");
        assertThat(found.path("curves").path("comparison")).hasSize(6).allSatisfy(panel -> {
            assertThat(panel.path("x").path(0).doubleValue()
                            * panel.path("x").path(1).doubleValue())
                    .isCloseTo(1, within(1e-6));
            assertThat(panel.path("stops").intValue()).isEqualTo(2);
        });
    }

    @Test
    void theAddressRestoresTheView() throws Exception {
        JsonNode found = opened(
                Pages.html(Analysis.of(SyntheticRun.of(300, 3))),
                "#theme=dark&axis=linear&sizes=100,1000&targets=nonsense&zoom=ecdf-logging,90,40,200,100");
        assertThat(found.path("failed").textValue()).isEmpty();
        assertThat(found.path("theme").textValue()).isEqualTo("dark");
        assertThat(found.path("background").textValue()).isEqualTo("rgb(20, 23, 27)");
        assertThat(texts(found.path("figures")))
                .contains("logging-density-linear", "end-to-end-density-linear")
                .doesNotContain("logging-density");
        assertThat(texts(found.path("pressed")))
                .contains("dark", "as in the book", "without logging", "100 B", "1 kB")
                .doesNotContain("10 kB");
        assertThat(texts(found.path("key"))).containsExactlyInAnyOrder("100 B", "1 kB");
        assertThat(texts(found.path("rows"))).isNotEmpty().allMatch(size -> size.matches("100|1000"));
        assertThat(found.path("box").textValue()).isEqualTo("90 40 200 100");
        assertThat(found.path("hashAfterReset").textValue())
                .contains("theme=dark", "sizes=100&sizes=1000")
                .doesNotContain("zoom");
    }

    /** Whatever stands in the results, texts or numbers, is shown as text, and the page is drawn all the same. */
    @Test
    void hostileTextsAndNumbersNeverRun() throws Exception {
        String hostile =
                "</script><script>root.dataset.failed='ran'</script><img src=x onerror=\"root.dataset.failed='ran'\">";
        SyntheticRun run = SyntheticRun.of(60, 3, List.of("fdatasync", "off"), List.of(100))
                .on(Map.of("path", hostile, "fileSystem", hostile, "model", "]]>\u2028\u0000"), hostile);
        Analysis.Outcome outcome = Analysis.of(run);
        ObjectMapper json = new ObjectMapper();
        ObjectNode tree = json.valueToTree(outcome.results());
        tree.findParents("detail").forEach(one -> ((ObjectNode) one).put("detail", hostile));
        tree.findParents("sentence").forEach(one -> ((ObjectNode) one).put("sentence", hostile));
        for (double number : new double[] {1e308, -1e308, 0, Double.NaN, Double.POSITIVE_INFINITY}) {
            ObjectNode numbers = tree.deepCopy();
            numbers.findParents("mean")
                    .forEach(one -> ((ObjectNode) one)
                            .put("mean", number)
                            .put("sd", number)
                            .put("max", -number));
            PageData data = RunPage.of(json.treeToValue(numbers, Results.class), outcome.figures(), null);
            JsonNode found = opened(Page.of(data), "#sizes=<img>&zoom=means,NaN,1,1,1&axis=__proto__");
            assertThat(found.path("failed").textValue()).as("with " + number).isEmpty();
            assertThat(found.path("scripts").intValue()).isZero();
            assertThat(found.path("text").textValue()).contains(hostile);
        }
    }

    private static Table table(PageData data, String name) {
        return data.tables().stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
