package io.plog.page;

import static io.plog.page.ProbedPage.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.report.disk.DiskGate;
import io.plog.report.disk.DiskGates;
import io.plog.report.disk.DiskPair;
import io.plog.report.disk.DiskResults;
import io.plog.report.disk.DiskSamples;
import io.plog.report.table.DiskTables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskPageTest {
    private final DiskResults results = DiskSamples.results(
            LongStream.rangeClosed(1, 500).map(i -> i * 1000).toArray());

    @TempDir
    private Path directory;

    private static String page(DiskResults results) {
        return Page.of(DiskPage.of(results, List.of(), null));
    }

    private JsonNode opened(PageData data) throws Exception {
        JsonNode found = ProbedPage.opened(directory, Page.of(data), "");
        assertThat(found.path("failed").textValue()).isEmpty();
        return found;
    }

    @Test
    void everyFigureIsInASectionAndDrawsColumnsThatThereAre() {
        FigureList.check("disk", DiskTables.of(results), Set.of());
    }

    @Test
    @Tag("slow")
    void theVerdictAndTheGatesComeFirst() throws Exception {
        List<DiskGates.Judged> gates = DiskGates.judge(List.of(DiskGate.parse("p50 > 1us")), results);
        assertThat(opened(DiskPage.of(results, gates, null)).path("text").textValue())
                .containsSubsequence(
                        "gate failed",
                        "A durable append of 512 B takes 250 µs at the median",
                        "Write and force",
                        "a disk of its own, written in order",
                        "Initialised against growing",
                        "share a force");
    }

    @Test
    @Tag("slow")
    void everyFigureIsDrawnAndCanBeReadAndFitsAPhone() throws Exception {
        String html = page(results);
        JsonNode found = opened(DiskPage.of(results, List.of(), null));
        assertThat(texts(found.path("figures")))
                .containsExactly("disk-parts", "disk-company", "disk-files", "disk-shared");
        assertThat(found.path("read").path("disk-company").textValue()).contains("time ", "random places", " %");
        assertThat(found.path("read").path("disk-shared").textValue()).contains("appends 1", "median of each");
        assertThat(texts(found.path("contents"))).containsExactlyElementsOf(texts(found.path("sections")));
        for (int width : new int[] {390, 1440}) {
            JsonNode layout = Browser.layout(directory, html, width, 900);
            assertThat(layout.path("wide").asInt())
                    .isLessThanOrEqualTo(layout.path("room").asInt());
            assertThat(layout.path("beyond")).as("at " + width).isEmpty();
            assertThat(layout.path("clipped")).as("at " + width).isEmpty();
            assertThat(layout.path("drawings")).hasSize(4);
        }
    }

    @Test
    @Tag("slow")
    void everyFigureStandsAloneWithDirectoryDateNumberAndMachine() throws Exception {
        Path figures = directory.resolve("figures");
        assertThat(DiskPage.writeFigures(results, figures, false)).contains("6 tables as CSV, 4 figures as SVG");
        for (String name : List.of("disk-parts", "disk-company", "disk-files", "disk-shared")) {
            assertThat(figures.resolve(name + ".svg"))
                    .content()
                    .contains("/mnt/one, ", "2026-11-22 10:00:00 UTC", "n = ", "Z80", "ext4 sda1")
                    .doesNotContain("NaN");
        }
        // 257 of 500 took at most 257 µs together, and half of that in each part.
        assertThat(Files.readAllLines(figures.resolve("disk-parts.csv")))
                .contains("/mnt/one,fdatasync,512,both,500,257,0.514", "/mnt/one,fdatasync,512,force,500,128.5,0.514");
    }

    @Test
    @Tag("slow")
    void writeForceAndBothHaveAPanelEachAndTheSameAppendACurveForEachCircumstance() throws Exception {
        JsonNode curves = opened(DiskPage.of(results, List.of(), null)).path("curves");
        assertThat(curves.path("disk-parts"))
                .hasSize(4)
                .allSatisfy(panel -> assertThat(panel.path("curves")).hasSize(1));
        assertThat(curves.path("disk-company").path(0).path("curves").findValuesAsText("label"))
                .containsExactly("alone, sequential", "random places", "beside a second log", "beside random reads");
    }

    @Test
    @Tag("slow")
    void aMachineWithMoreToDoThanProcessorsIsWarnedOf() throws Exception {
        for (boolean busy : List.of(true, false)) {
            DiskResults on =
                    DiskSamples.on(results, Map.of("loadAverage", busy ? "5.1" : "1.9", "cores", "2", "cpu", "<b>"));
            String text = opened(DiskPage.of(on, List.of(), null)).path("text").textValue();
            assertThat(text.contains("The load was 5.1 on 2 processors")).isEqualTo(busy);
            assertThat(text).contains("<b>");
        }
    }

    @Test
    @Tag("slow")
    void aComparisonHasATableOfItsOwn() throws Exception {
        DiskResults.Directory one = results.directories().get(0);
        DiskPair pair = DiskPair.of(one, one, "before", "after");
        assertThat(opened(DiskPage.of(results, List.of(), pair)).path("text").textValue())
                .containsSubsequence(
                        "Two disks side by side",
                        "B (after) is slower than A (before) in 0 of 8 cells",
                        "no difference");
    }

    @Test
    void withoutScriptsTheVerdictAndShortTablesAreThere() {
        String html = page(results);
        assertThat(html.substring(html.indexOf("<noscript>"), html.indexOf("</noscript>")))
                .contains(
                        "A durable append of 512 B takes 250 µs at the median",
                        "<caption>disk-appends</caption>",
                        "plog audit");
    }
}
