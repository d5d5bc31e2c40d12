package io.plog.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.report.compare.Assessment;
import io.plog.report.compare.Assessor;
import io.plog.report.compare.ComparisonFigure;
import io.plog.report.compare.TargetPair;
import io.plog.report.figure.Figure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens the page in Chromium, if the machine has it, and looks at what its scripts made. A probe appended to the page tells; nothing
 * in the page itself knows about it.
 */
@Tag("slow")
final class PageInABrowserTest {
    private static final String PROBE = """
            <script>
            addEventListener("error", (e) => { document.documentElement.dataset.failed = e.message; });
            (function wait() {
              if (document.documentElement.dataset.drawn !== "yes") return setTimeout(wait, 20);
              const found = { failed: document.documentElement.dataset.failed || "", csv: {}, axis: state.axis, sizes: shown.sizes(),
                theme: document.documentElement.dataset.theme, zoom: state.zoom,
                sections: [...document.querySelectorAll("main > section")].map((s) => s.id),
                canvases: document.querySelectorAll("canvas").length, pressed: [...document.querySelectorAll("[aria-pressed=true]")].map((b) => b.textContent),
                words: [...document.querySelectorAll("section.figure")].filter((s) => s.querySelector(".still")).map((s) => s.querySelector(".words p").textContent.length),
                scales: charts.drawers.find((d) => d.holder.id === "plots-ecdf-log").plots.map((p) => [p.scales.x.min, p.scales.x.max]) };
              for (const name of Object.keys(csvOf)) if (still(name)) found.csv[name] = csvOf[name]();
              charts.drawers.find((d) => d.holder.id === "plots-ecdf-log").holder.querySelector(".plot").dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
              found.hashAfterReset = location.hash;
              document.body.dataset.found = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(found, (k, v) => k === "csv" ? undefined : v))));
              for (const [name, csv] of Object.entries(found.csv)) { const pre = document.createElement("pre"); pre.id = "csv-" + name; pre.textContent = csv; document.body.append(pre); }
            })();
            </script>
            """;

    @TempDir
    private Path directory;

    private String opened(String html, String hash) throws IOException, InterruptedException {
        return Browser.opened(directory, html.replace("</body>", PROBE + "</body>"), hash);
    }

    @Test
    void thePageIsDrawnAndItsCsvIsThatOfTheFiles() throws Exception {
        Analysis.Outcome outcome = FilledResults.of(SyntheticRun.of(500, 3));
        String dom = opened(HtmlReport.of(outcome.results(), outcome.figures()), "");
        JsonNode found = Browser.found(dom);
        assertThat(found.path("failed").textValue()).isEmpty();
        assertThat(found.path("canvases").intValue()).isGreaterThan(30);
        assertThat(found.path("sections"))
                .extracting(JsonNode::textValue)
                .containsExactly(
                        "verdict",
                        "conditions",
                        "logging",
                        "means",
                        "e2e",
                        "ecdf",
                        "multiples",
                        "series",
                        "components",
                        "slowest",
                        "comparison",
                        "method",
                        "glossary",
                        "download");
        assertThat(found.path("words"))
                .hasSize(6)
                .allSatisfy(length -> assertThat(length.intValue()).isGreaterThan(60));
        List<Figure> figures = DrawnFigures.of(outcome.results(), outcome.figures());
        for (Figure figure : figures) {
            Matcher csv = Pattern.compile("<pre id=\"csv-" + figure.name() + "\">([^<]*)</pre>")
                    .matcher(dom);
            assertThat(csv.find()).as(figure.name()).isTrue();
            assertThat(csv.group(1)).as(figure.name()).isEqualTo(figure.table().csv());
        }
    }

    /** Also the percentages: the same table as in {@code UnitsTest}, asked of the page's script. */
    @Test
    void aComparisonIsDrawnAndItsCsvIsThatOfTheFile() throws Exception {
        SyntheticRun run = SyntheticRun.of(500, 3, List.of("fdatasync", "dsync", "off"), List.of(100, 1000));
        Assessor.Input input = Assessor.Input.of("run", run, Report.compute(run));
        Assessment assessment = Assessor.of(
                input, input, new Assessor.Request(new TargetPair("fdatasync", "dsync"), List.of(), true, false));
        Figure figure = Objects.requireNonNull(ComparisonFigure.of(assessment));
        Analysis.Outcome outcome = Analysis.of(run);
        String dom = opened(
                HtmlReport.of(outcome.results(), outcome.figures(), assessment, List.of(figure))
                        .replace(
                                "</body>",
                                "<script>document.body.dataset.percent ="
                                        + " [0, 1, .991111, .9996, .99999, .29, .00099, .00001].map(format.percent).join(\"|\");"
                                        + "</script></body>"),
                "");
        JsonNode found = Browser.found(dom);
        assertThat(found.path("failed").textValue()).isEmpty();
        assertThat(dom).contains("id=\"plots-comparison\"><div class=\"panels n3\">");
        Matcher csv =
                Pattern.compile("<pre id=\"csv-comparison\">([^<]*)</pre>").matcher(dom);
        assertThat(csv.find()).isTrue();
        assertThat(csv.group(1)).isEqualTo(figure.table().csv());
        assertThat(dom).contains("data-percent=\"0 %|100 %|99.1 %|99.96 %|99.99 %|29.0 %|0.09 %|");
    }

    @Test
    void theAddressRestoresTheView() throws Exception {
        Analysis.Outcome outcome = Analysis.of(SyntheticRun.of(300, 3));
        JsonNode found = Browser.found(opened(
                HtmlReport.of(outcome.results(), outcome.figures()),
                "#theme=dark&axis=linear&sizes=100,1000&targets=nonsense&zoom=ecdf-log:90:200"));
        assertThat(found.path("failed").textValue()).isEmpty();
        assertThat(found.path("theme").textValue()).isEqualTo("dark");
        assertThat(found.path("axis").textValue()).isEqualTo("linear");
        assertThat(found.path("sizes")).extracting(JsonNode::intValue).containsExactly(100, 1000);
        assertThat(found.path("pressed")).extracting(JsonNode::textValue).contains("dark", "linear", "without logging");
        assertThat(found.path("scales").size()).isPositive();
        assertThat(found.path("scales")).allSatisfy(scale -> {
            assertThat(scale.get(0).doubleValue()).isEqualTo(90);
            assertThat(scale.get(1).doubleValue()).isEqualTo(200);
        });
        assertThat(found.path("hashAfterReset").textValue())
                .contains("theme=dark", "sizes=100,1000")
                .doesNotContain("zoom");
    }
}
