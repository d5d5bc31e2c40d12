package io.plog.report.disk.page;

import static io.plog.report.InOrder.inOrder;
import static org.assertj.core.api.Assertions.assertThat;

import io.plog.report.disk.DiskGate;
import io.plog.report.disk.DiskGates;
import io.plog.report.disk.DiskPair;
import io.plog.report.disk.DiskResults;
import io.plog.report.disk.DiskSamples;
import io.plog.report.figure.Figure;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class DiskPageTest {
    private final DiskResults results = DiskSamples.results(
            LongStream.rangeClosed(1, 500).map(i -> i * 1000).toArray());

    @Test
    void theVerdictAndTheGatesComeFirst() {
        List<DiskGates.Judged> gates = DiskGates.judge(List.of(DiskGate.parse("p50 > 1us")), results);
        assertThat(DiskPages.html(results, gates, null))
                .satisfies(inOrder(
                        "gate failed",
                        "A durable append of 512 B takes 250 µs at the median",
                        "Write and force",
                        "a disk of its own, written in order",
                        "Initialised against growing",
                        "share a force"));
    }

    @Test
    void everyFigureStandsAloneWithDirectoryDateNumberAndMachine() {
        List<Figure> figures = DiskPages.figures(results);
        assertThat(figures)
                .extracting(Figure::name)
                .containsExactly("disk-parts", "disk-company", "disk-files", "disk-shared");
        assertThat(figures)
                .allSatisfy(figure -> assertThat(figure.svg())
                        .contains(
                                "/mnt/one, ",
                                "2026-11-22 10:00:00 UTC",
                                " groups.",
                                "n = ",
                                "Z80",
                                "log on ext4 sda1"));
    }

    @Test
    void writeForceAndBothHaveAPanelEachAndACurveForEachSize() {
        Figure parts = DiskPages.figures(results).get(0);
        assertThat(parts.rows()).hasSize(2);
        assertThat(parts.rows().get(0))
                .extracting(panel -> panel.heading())
                .containsExactly("fdatasync: write", "fdatasync: force", "fdatasync: both together");
        // 250 of 500 took at most 250 µs together, and half of that in each part.
        assertThat(parts.table().rows())
                .anyMatch(row -> row.contains("force") && row.contains(250.0) && row.contains(1.0));
    }

    @Test
    void theSameAppendIsDrawnInFourCircumstances() {
        Figure company = DiskPages.figures(results).get(1);
        assertThat(company.key())
                .extracting(entry -> entry.words())
                .containsExactly("alone, sequential", "random places", "beside a second log", "beside random reads");
        assertThat(company.alternative()).contains("beside a second log 250 µs at the median");
    }

    @Test
    void aMachineWithMoreToDoThanProcessorsIsWarnedOf() {
        assertThat(DiskPages.html(DiskSamples.on(results, Map.of("loadAverage", "5.1", "cores", "2")), List.of(), null))
                .contains("The load was 5.1 on 2 processors");
        assertThat(DiskPages.html(DiskSamples.on(results, Map.of("loadAverage", "1.9", "cores", "2")), List.of(), null))
                .doesNotContain("The load was");
    }

    @Test
    void aComparisonHasATableOfItsOwn() {
        DiskResults.Directory directory = results.directories().get(0);
        DiskPair pair = DiskPair.of(directory, directory, "before", "after");
        assertThat(DiskPages.html(results, List.of(), pair))
                .satisfies(inOrder("Two disks side by side", "B (after) is slower than A (before) in 0 of 8 cells"));
    }
}
