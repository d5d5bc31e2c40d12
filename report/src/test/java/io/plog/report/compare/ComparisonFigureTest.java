package io.plog.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.report.Report;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ComparisonFigureTest {
    @TempDir
    private Path directory;

    private static Assessment compared(double slower) throws Exception {
        TestRun a = TestRun.of(4000, 1);
        TestRun b = TestRun.of(4000, 2).slower("main", slower);
        return Assessor.of(
                Assessor.Input.of("a", a, Report.compute(a)),
                Assessor.Input.of("b", b, Report.compute(b)),
                new Assessor.Request(null, List.of(), false, false));
    }

    private static <M extends Mark> List<M> marks(Figure figure, Class<M> kind) {
        return figure.rows().stream()
                .flatMap(List::stream)
                .map(Panel::marks)
                .flatMap(List::stream)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    @Test
    void everyRatioIsDrawnWithItsIntervalsOnOneAxisAroundOne() throws Exception {
        Assessment found = compared(1.5);
        Figure figure = Objects.requireNonNull(ComparisonFigure.of(found));
        List<Assessment.Row> rows =
                found.cells().stream().flatMap(cell -> cell.figures().stream()).toList();
        assertThat(marks(figure, Mark.Point.class))
                .extracting(Mark.Point::x)
                .containsExactlyInAnyOrderElementsOf(
                        rows.stream().map(row -> row.ratio().value()).toList());
        assertThat(marks(figure, Mark.Range.class)).hasSize(2 * rows.size());
        for (Assessment.Row row : rows) {
            assertThat(marks(figure, Mark.Range.class))
                    .anyMatch(bar -> Objects.equals(bar.low(), row.jointRatio().low()));
        }
        long differing = rows.stream()
                .filter(row -> row.verdict() == Assessment.Verdict.LONGER)
                .count();
        assertThat(differing).isPositive();
        assertThat(marks(figure, Mark.Point.class).stream()
                        .filter(point -> point.shape() == Mark.Shape.DOT)
                        .count())
                .isEqualTo(differing);
        assertThat(marks(figure, Mark.Reference.class))
                .hasSize(figure.rows().stream().mapToInt(List::size).sum())
                .allMatch(line -> line.at() == 1 && line.vertical());
        for (List<Panel> row : figure.rows()) {
            for (Panel panel : row) {
                assertThat(panel.x().place(1)).isBetween(0.4999, 0.5001);
                assertThat(panel.x().ticks())
                        .anyMatch(tick -> tick.at() == 1 && tick.label().equals("1"));
            }
        }
        assertThat(figure.alternative()).contains(found.sentence(), "as long as A");
        assertThat(figure.svg()).contains("</svg>").doesNotContain("NaN").doesNotContain("Infinity");
    }

    @Test
    void theCsvHasEveryRatioAndLeavesWhatHasNoBoundEmpty() throws Exception {
        Assessment found = compared(1);
        String csv = Objects.requireNonNull(ComparisonFigure.of(found)).table().csv();
        long rows =
                found.cells().stream().mapToLong(cell -> cell.figures().size()).sum();
        assertThat(csv.lines()).hasSize((int) rows + 1);
        Assessment.Row first = found.cells().get(0).figures().get(0);
        assertThat(csv.lines().skip(1).findFirst().orElseThrow())
                .contains("," + first.figure().label() + ",")
                .endsWith("," + first.verdict().label());
    }

    @Test
    void gatesAloneHaveNoFigure() throws Exception {
        TestRun run = TestRun.of(400, 1);
        Assessment found = Assessor.of(
                null,
                Assessor.Input.of("b", run, Report.compute(run)),
                new Assessor.Request(null, List.of(Gate.parse("p50 < 1s")), false, false));
        assertThat(ComparisonFigure.of(found)).isNull();
    }

    @Test
    void theFigureIsAFileAndStandsInThePage() throws Exception {
        Assessment found = compared(1.2);
        Figure figure = Objects.requireNonNull(ComparisonFigure.of(found));
        Report.write(
                TestRun.of(4000, 2),
                directory.resolve("out"),
                directory.resolve("figures"),
                false,
                found,
                ComparisonSection.of(found));
        assertThat(directory.resolve("figures/comparison.svg")).hasContent(figure.svg());
        assertThat(directory.resolve("figures/comparison.csv"))
                .hasContent(figure.table().csv());
        assertThat(figure.source()).contains("plog ", " UTC", "n = ", "a fast one", "log on ext4");
        assertThat(figure.svg()).contains(" UTC");
        assertThat(directory.resolve("figures/means.svg")).exists();
        assertThat(Files.readString(directory.resolve("out/report.html")))
                .contains(
                        "id=\"figure-comparison\"",
                        figure.svgElement().replaceAll("(fill|stroke)=\"#([0-9a-f]+)\"", "$1=\"var(--c$2)\""));
    }

    @Test
    void ticksHaveRoundLabelsWithRoom() {
        for (double reach : new double[] {1.06, 1.1, 1.4, 2, 3.9, 12, 1000}) {
            assertThat(ComparisonFigure.ticks(1 / reach, reach))
                    .as("up to %s", reach)
                    .anyMatch(tick -> tick.at() == 1 && tick.label().equals("1"))
                    .filteredOn(tick -> !tick.label().isEmpty())
                    .hasSizeBetween(3, 7);
        }
    }
}
