package io.plog.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.report.Analysis;
import io.plog.report.Browser;
import io.plog.report.FilledResults;
import io.plog.report.Report;
import io.plog.report.SyntheticRun;
import io.plog.report.chart.DrawnFigures;
import io.plog.report.compare.Assessment;
import io.plog.report.compare.Assessor;
import io.plog.report.compare.ComparisonFigure;
import io.plog.report.compare.ComparisonSection;
import io.plog.report.compare.TargetPair;
import io.plog.report.figure.Figure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens the page in Chromium, if the machine has it, and looks at what its script does. A probe appended to the page tells; nothing
 * in the page itself knows about it.
 */
@Tag("slow")
final class PageInABrowserTest {
    /** Tells how the page is, reads every drawing with the arrow keys, and resets a zoom. */
    private static final String PROBE = """
            <script>
            document.documentElement.dataset.failed = "";
            addEventListener("error", (e) => { document.documentElement.dataset.failed = e.message; });
            (function wait() {
              if (document.documentElement.dataset.drawn !== "yes") return setTimeout(wait, 20);
              const press = (drawing, key) => drawing.dispatchEvent(new KeyboardEvent("keydown", { key }));
              const seen = (one) => getComputedStyle(one).display !== "none";
              const found = { theme: document.documentElement.dataset.theme, axis: document.documentElement.dataset.axis,
                background: getComputedStyle(document.body).backgroundColor,
                sections: [...document.querySelectorAll("main > section")].map((s) => s.id),
                drawings: drawings.filter(seen).map(nameOf), words: [...document.querySelectorAll(".words p")].map((p) => p.textContent.length),
                pressed: [...document.querySelectorAll("[aria-pressed=true]")].map((b) => b.textContent),
                rows: [...document.querySelectorAll("#slowest tr[data-size]")].filter(seen).map((r) => r.dataset.size + " " + r.dataset.target),
                faded: [...new Set([...document.querySelectorAll("#figure-ecdf-logging path[data-name]")].filter((p) => getComputedStyle(p).opacity !== "1").map((p) => p.dataset.name))],
                box: svgOf(document.getElementById("figure-ecdf-logging")).getAttribute("viewBox"),
                wide: [...document.querySelectorAll("main > section")].filter((s) => s.getBoundingClientRect().right > innerWidth + 1).map((s) => s.id),
                read: {} };
              for (const drawing of drawings) {
                for (let i = 0; i < 21; i++) press(drawing, "ArrowRight");
                found.read[nameOf(drawing)] = tip.hidden ? "" : tip.textContent;
              }
              press(document.getElementById("figure-ecdf-logging"), "0");
              found.hashAfterReset = location.hash;
              found.svg = svgText(document.getElementById("figure-means"));
              found.failed = document.documentElement.dataset.failed;
              document.body.dataset.found = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(found))));
            })();
            </script>
            """;

    @TempDir
    private Path directory;

    private JsonNode opened(String html, String hash) throws IOException, InterruptedException {
        return Browser.found(Browser.opened(directory, html.replace("</body>", PROBE + "</body>"), hash));
    }

    @Test
    void thePageIsThereAndItsDrawingsCanBeRead() throws Exception {
        Analysis.Outcome outcome = FilledResults.of(SyntheticRun.of(500, 3));
        JsonNode found = opened(RunPage.of(outcome.results(), outcome.figures()), "");
        assertThat(found.path("failed").textValue()).isEmpty();
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
                        "files");
        assertThat(found.path("drawings"))
                .extracting(JsonNode::textValue)
                .containsExactly(
                        "cost",
                        "logging-density",
                        "means",
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
        assertThat(found.path("wide")).isEmpty();
        assertThat(found.path("read").path("logging-density").textValue())
                .startsWith("latency ")
                .contains("100 B ");
        assertThat(found.path("read").path("ecdf-logging").textValue()).contains(" %");
        assertThat(found.path("read").path("means").textValue()).contains("mean ", "median ", "standard deviation ");
        assertThat(found.path("read").path("components").textValue()).contains(" %");
    }

    private JsonNode layout(int width, int height) throws Exception {
        Analysis.Outcome outcome = FilledResults.of(SyntheticRun.of(500, 3));
        return Browser.layout(directory, RunPage.of(outcome.results(), outcome.figures()), width, height);
    }

    @Test
    void theFirstScreenHoldsTheCostAPictureOfItAndWhetherToBelieveIt() throws Exception {
        JsonNode found = layout(1440, 900);
        assertThat(found.path("bottom").path(0).asDouble()).as("sentence").isBetween(1.0, 900.0);
        assertThat(found.path("bottom").path(1).asDouble()).as("picture").isBetween(1.0, 900.0);
        assertThat(found.path("bottom").path(2).asDouble()).as("belief").isBetween(1.0, 900.0);
    }

    @Test
    void onAPhoneTheFirstThreeScreensHoldThem() throws Exception {
        JsonNode found = layout(390, 844);
        for (int i = 0; i < 3; i++) {
            assertThat(found.path("bottom").path(i).asDouble()).isBetween(1.0, 3 * 844.0);
        }
        assertThat(found.path("drawings"))
                .extracting(JsonNode::textValue)
                .contains("figure-cost-narrow")
                .doesNotContain("figure-cost");
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
        }
    }

    @Test
    void onADeskNoTableAndNoDrawingNeedsAScrollBar() throws Exception {
        assertThat(layout(1440, 900).path("scrolling")).isEmpty();
    }

    /** Only tables may, whose columns belong beside each other. */
    @Test
    void onAPhoneNoDrawingNeedsAScrollBar() throws Exception {
        JsonNode found = layout(390, 844);
        List<String> names = new ArrayList<>();
        found.path("drawings").forEach(one -> names.add(one.textValue()));
        assertThat(names).hasSizeGreaterThan(8);
        assertThat(found.path("scrollingDrawings")).isEmpty();
    }

    @Test
    void aDrawingThatIsSavedIsThatOfTheFile() throws Exception {
        Analysis.Outcome outcome = FilledResults.of(SyntheticRun.of(500, 3));
        Figure means = DrawnFigures.of(outcome.results(), outcome.figures()).stream()
                .filter(figure -> figure.name().equals("means"))
                .findFirst()
                .orElseThrow();
        JsonNode found =
                opened(RunPage.of(outcome.results(), outcome.figures()), "#theme=dark&zoom=means,10,10,300,200");
        assertThat(plain(found.path("svg").textValue())).isEqualTo(plain(means.svg()));
    }

    /** Without what only a page needs and what a browser writes otherwise: names, groups of panels, their ends, sizes on the page. */
    private static String plain(String svg) {
        return svg.replaceAll(" (data-[a-z]+|style|class)=\"[^\"]*\"", "")
                .replaceAll("<g>\n|</g>\n", "")
                .replaceAll("<g [^>]*>\n", "")
                .replaceAll("></[a-z]+>|/>", "/>")
                .replaceAll("<path[^>]*>\n", "<path/>\n")
                .replaceAll("\n+", "\n")
                .replaceAll("(<path/>\n)+", "<path/>\n");
    }

    @Test
    void aComparisonIsDrawnAndCanBeRead() throws Exception {
        SyntheticRun run = SyntheticRun.of(500, 3, List.of("fdatasync", "dsync", "off"), List.of(100, 1000));
        Assessor.Input input = Assessor.Input.of("run", run, Report.compute(run));
        Assessment assessment = Assessor.of(
                input, input, new Assessor.Request(new TargetPair("fdatasync", "dsync"), List.of(), true, false));
        Figure figure = Objects.requireNonNull(ComparisonFigure.of(assessment));
        Analysis.Outcome outcome = Analysis.of(run);
        JsonNode found = opened(RunPage.of(outcome.results(), outcome.figures(), ComparisonSection.of(assessment)), "");
        assertThat(found.path("failed").textValue()).isEmpty();
        assertThat(found.path("drawings")).extracting(JsonNode::textValue).contains(figure.name());
        assertThat(found.path("read").path("comparison").textValue()).contains("B by A ", "joint 95 % ");
    }

    @Test
    void theAddressRestoresTheView() throws Exception {
        Analysis.Outcome outcome = Analysis.of(SyntheticRun.of(300, 3));
        JsonNode found = opened(
                RunPage.of(outcome.results(), outcome.figures()),
                "#theme=dark&axis=linear&sizes=100,1000&targets=nonsense&zoom=ecdf-logging,90,40,200,100");
        assertThat(found.path("failed").textValue()).isEmpty();
        assertThat(found.path("theme").textValue()).isEqualTo("dark");
        assertThat(found.path("background").textValue()).isEqualTo("rgb(20, 23, 27)");
        assertThat(found.path("axis").textValue()).isEqualTo("linear");
        assertThat(found.path("drawings"))
                .extracting(JsonNode::textValue)
                .contains("logging-density-linear", "end-to-end-density-linear")
                .doesNotContain("logging-density", "end-to-end-density");
        assertThat(found.path("pressed"))
                .extracting(JsonNode::textValue)
                .contains("dark", "linear", "without logging", "100 B", "1 kB")
                .doesNotContain("10 kB");
        assertThat(found.path("faded"))
                .extracting(JsonNode::textValue)
                .containsExactlyInAnyOrder("10 kB", "50 kB", "100 kB");
        assertThat(found.path("rows").size()).isPositive();
        assertThat(found.path("rows"))
                .allSatisfy(row -> assertThat(row.textValue()).matches("(100|1000) .*"));
        assertThat(found.path("box").textValue()).isEqualTo("90 40 200 100");
        assertThat(found.path("hashAfterReset").textValue())
                .contains("theme=dark", "sizes=100&sizes=1000")
                .doesNotContain("zoom");
    }
}
