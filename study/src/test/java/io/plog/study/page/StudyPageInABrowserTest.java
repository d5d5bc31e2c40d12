package io.plog.study.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.report.Browser;
import io.plog.report.figure.Figure;
import io.plog.study.StudyResults;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens the study's page in Chromium, if the machine has it, and looks at what its script made. A probe appended to the page tells;
 * nothing in the page itself knows about it.
 */
@Tag("slow")
final class StudyPageInABrowserTest {
    /** Tells how the page is, presses "light" and the first design, and tells again. */
    private static final String PROBE = """
            <script>
            document.documentElement.dataset.failed = "";
            addEventListener("error", (e) => { document.documentElement.dataset.failed = e.message; });
            const chips = () => [...document.querySelectorAll(".chips button")];
            const opacities = () => Object.fromEntries(chips().map((chip) => {
              const drawn = [...document.querySelectorAll('.drawing [data-name="' + chip.value + '"]')];
              return [chip.value, [...new Set(drawn.map((one) => getComputedStyle(one).opacity))].join()];
            }));
            const look = () => ({ theme: document.documentElement.dataset.theme, background: getComputedStyle(document.body).backgroundColor,
              on: chips().filter((b) => b.getAttribute("aria-pressed") === "true").map((b) => b.textContent), opacities: opacities(), hash: location.hash });
            (function wait() {
              if (document.documentElement.dataset.drawn !== "yes") return setTimeout(wait, 20);
              const found = { before: look(), drawings: drawings.filter((one) => one.getClientRects().length > 0).map(nameOf),
                wide: [...document.querySelectorAll("main > section")].filter((s) => s.getBoundingClientRect().right > innerWidth + 1).map((s) => s.id) };
              [...document.querySelectorAll("header button")].find((b) => b.textContent === "light").click();
              chips()[0].click();
              found.after = look();
              found.failed = document.documentElement.dataset.failed;
              document.body.dataset.found = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(found))));
            })();
            </script>
            """;

    private static StudyResults study;

    @TempDir
    private Path directory;

    @BeforeAll
    static void compute() {
        study = SyntheticStudy.of(11);
    }

    private String opened(String hash) throws IOException, InterruptedException {
        return Browser.opened(directory, StudyReport.html(study).replace("</body>", PROBE + "</body>"), hash);
    }

    @Test
    void everyFigureIsDrawnOnceAndNothingIsWiderThanThePage() throws Exception {
        JsonNode found = Browser.found(opened(""));
        assertThat(found.path("failed").textValue()).isEmpty();
        assertThat(found.path("drawings"))
                .extracting(JsonNode::textValue)
                .containsExactlyElementsOf(
                        StudyReport.figures(study).stream().map(Figure::name).toList());
        assertThat(found.path("wide")).isEmpty();
    }

    @Test
    void onAPhoneEveryFigureReflowsAndNothingScrollsSideways() throws Exception {
        for (int width : new int[] {390, 768, 1440}) {
            JsonNode found = Browser.layout(directory, StudyReport.html(study), width, 900);
            assertThat(found.path("wide").asInt())
                    .as("at " + width)
                    .isLessThanOrEqualTo(found.path("room").asInt());
            assertThat(found.path("beyond")).as("at " + width).isEmpty();
            assertThat(found.path("clipped")).as("at " + width).isEmpty();
            assertThat(found.path("drawings"))
                    .extracting(JsonNode::textValue)
                    .containsExactlyElementsOf(StudyReport.figures(study).stream()
                            .map(figure -> "figure-" + figure.name() + (width == 390 ? Figure.NARROW : ""))
                            .toList());
        }
    }

    @Test
    void aDesignThatIsSwitchedOffFadesAndTheAddressSaysSo() throws Exception {
        JsonNode found = Browser.found(opened("#theme=dark"));
        List<String> designs = study.plan().designs();
        assertThat(found.path("before").path("theme").textValue()).isEqualTo("dark");
        assertThat(found.path("before").path("on"))
                .extracting(JsonNode::textValue)
                .containsExactlyElementsOf(designs);
        assertThat(found.path("before").path("opacities"))
                .allSatisfy(opacity -> assertThat(opacity.textValue()).isEqualTo("1"));
        JsonNode after = found.path("after");
        assertThat(after.path("theme").textValue()).isEqualTo("light");
        assertThat(after.path("background")).isNotEqualTo(found.path("before").path("background"));
        assertThat(after.path("on"))
                .extracting(JsonNode::textValue)
                .containsExactlyElementsOf(designs.subList(1, designs.size()));
        assertThat(after.path("opacities").path(designs.get(0)).textValue()).isEqualTo("0.07");
        for (String design : designs.subList(1, designs.size())) {
            assertThat(after.path("opacities").path(design).textValue())
                    .as(design)
                    .isEqualTo("1");
        }
        assertThat(after.path("hash").textValue()).startsWith("#theme=light&design=");
        assertThat(found.path("failed").textValue()).isEmpty();
    }

    @Test
    void theAddressRestoresTheView() throws Exception {
        String last = study.plan().designs().get(study.plan().designs().size() - 1);
        JsonNode found = Browser.found(opened("#theme=dark&design=nonsense&design=" + last.replace("=", "%3D")));
        assertThat(found.path("before").path("theme").textValue()).isEqualTo("dark");
        assertThat(found.path("before").path("on"))
                .extracting(JsonNode::textValue)
                .containsExactly(last);
    }
}
