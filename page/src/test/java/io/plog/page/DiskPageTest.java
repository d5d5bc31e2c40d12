package io.plog.page;

import static io.plog.page.ProbedPage.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.results.Analysis;
import io.plog.results.SyntheticDisk;
import io.plog.results.compare.Assessment;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.Gate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskPageTest {
    private final SyntheticDisk disk = SyntheticDisk.of(SyntheticDisk.ramp(500));

    @TempDir
    private Path directory;

    private static PageData data(SyntheticDisk disk, @Nullable Assessment comparison) throws IOException {
        Analysis.Outcome outcome = Analysis.of(disk);
        return RunPage.of(outcome.results(), outcome.figures(), comparison);
    }

    private static Assessor.Input input(SyntheticDisk disk, String name) throws IOException {
        return new Assessor.Input(name, disk, Analysis.results(disk));
    }

    private JsonNode opened(PageData data) throws Exception {
        JsonNode found = ProbedPage.opened(directory, Page.of(data), "");
        assertThat(found.path("failed").textValue()).isEmpty();
        return found;
    }

    @Test
    void everyFigureIsInASectionAndDrawsColumnsThatThereAre() throws Exception {
        Assessment same =
                Assessor.of(input(disk, "a"), input(disk, "b"), new Assessor.Request(null, List.of(), false, false));
        FigureList.check("disk", data(disk, same).tables(), Set.of());
    }

    @Test
    @Tag("slow")
    void theVerdictAndTheGatesComeFirst() throws Exception {
        Assessment gates = Assessor.of(
                null,
                input(disk, "run"),
                new Assessor.Request(null, List.of(Gate.parse("log.p50@file=random > 1us")), false, false));
        assertThat(opened(data(disk, gates)).path("text").textValue())
                .containsSubsequence(
                        "gate fails",
                        "A durable append of 512 B takes 250 µs at the median",
                        "Write and force",
                        "a disk of its own, written in order",
                        "Initialised against growing",
                        "share a force");
    }

    @Test
    @Tag("slow")
    void everyFigureIsDrawnAndCanBeReadAndFitsAPhone() throws Exception {
        String html = Page.of(data(disk, null));
        JsonNode found = opened(data(disk, null));
        assertThat(texts(found.path("figures")))
                .containsExactly(
                        "disk-ways", "disk-parts", "disk-over-time", "disk-company", "disk-files", "disk-shared");
        assertThat(found.path("read").path("disk-company").textValue()).contains("time ", "random places", " %");
        assertThat(found.path("read").path("disk-shared").textValue()).contains("appends 1", "median of each");
        assertThat(texts(found.path("contents"))).containsExactlyElementsOf(texts(found.path("sections")));
        for (int width : new int[] {390, 1440}) {
            JsonNode layout = Browser.layout(directory, html, width, 900);
            assertThat(layout.path("wide").asInt())
                    .isLessThanOrEqualTo(layout.path("room").asInt());
            assertThat(layout.path("beyond")).as("at " + width).isEmpty();
            assertThat(layout.path("clipped")).as("at " + width).isEmpty();
            assertThat(layout.path("drawings")).hasSize(6);
        }
    }

    @Test
    @Tag("slow")
    void everyFigureStandsAloneWithDirectoryDateNumberAndMachine() throws Exception {
        Path figures = directory.resolve("figures");
        assertThat(RunPage.write(Analysis.of(disk), null, figures, false, null).figures())
                .contains("7 tables as CSV, 6 figures as SVG");
        for (String name : List.of("disk-ways", "disk-parts", "disk-company", "disk-files", "disk-shared")) {
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
        JsonNode curves = opened(data(disk, null)).path("curves");
        assertThat(curves.path("disk-parts"))
                .hasSize(4)
                .allSatisfy(panel -> assertThat(panel.path("curves")).hasSize(1));
        assertThat(curves.path("disk-company").path(0).path("curves").findValuesAsText("label"))
                .containsExactly("alone, sequential", "random places", "with a second log", "with random reads");
    }

    @Test
    @Tag("slow")
    void aComparisonHasATableOfItsOwn() throws Exception {
        SyntheticDisk slower = SyntheticDisk.of(
                LongStream.of(SyntheticDisk.ramp(500)).map(nanos -> 2 * nanos).toArray());
        Assessment found = Assessor.of(
                input(disk, "before"), input(slower, "after"), new Assessor.Request(null, List.of(), false, false));
        assertThat(opened(data(slower, found)).path("text").textValue())
                .containsSubsequence(
                        "Two measurements next to each other",
                        "A, the baseline: before of",
                        "figures differ",
                        "B takes 2.00 times as long as A");
    }

    @Test
    @Tag("slow")
    void twoDirectoriesOfARunAreComparedUnasked() throws Exception {
        Path out = directory.resolve("two");
        RunPage.write(
                Analysis.of(SyntheticDisk.of(SyntheticDisk.ramp(500)).directory("/mnt/two", SyntheticDisk.ramp(500))),
                out,
                null,
                false,
                null);
        assertThat(out.resolve("report.html")).content().contains("/mnt/two by /mnt/one");
        assertThat(out.resolve("comparison.json")).doesNotExist();
    }

    @Test
    void withoutScriptsTheVerdictAndShortTablesAreThere() throws Exception {
        String html = Page.of(data(disk, null));
        assertThat(html.substring(html.indexOf("<div id=\"plain\">"), html.indexOf("</main>")))
                .contains(
                        "A durable append of 512 B takes 250 µs at the median",
                        "<caption>disk-appends</caption>",
                        "plog audit");
    }
}
