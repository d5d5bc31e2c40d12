package io.plog.report.compare;

import io.plog.report.compare.Assessment.Cell;
import io.plog.report.compare.Assessment.Estimated;
import io.plog.report.compare.Assessment.Row;
import io.plog.report.figure.Axis;
import io.plog.report.figure.Axis.Tick;
import io.plog.report.figure.Figure;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.SourceLine;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A comparison as a forest plot: the ratio of each figure with its intervals, on a logarithmic axis with a line at 1. A row for each
 * cell, a panel for each figure, below each other what is end to end and what is logging.
 */
public final class ComparisonFigure {
    private static final double ROW = 15;
    private static final double PANEL = 170;
    private static final Style JOINT = Style.solid("#0072b2", 1.2);
    private static final Style OWN = Style.solid("#0072b2", 4);

    /** The axis reaches at least so far to either side of 1, so that chance does not look like much. */
    private static final double LEAST_RANGE = 1.05;

    /** And at most so far: an interval without an end would have no place. */
    private static final double MOST_RANGE = 1000;

    private ComparisonFigure() {}

    /** Draws it; null if nothing was compared. */
    public static @Nullable Figure of(Assessment assessment) {
        if (assessment.cells().isEmpty()) {
            return null;
        }
        List<List<Panel>> rows = new ArrayList<>();
        double[] range = range(assessment);
        for (Measure measure : Measure.values()) {
            List<Cell> cells = assessment.cells().stream()
                    .filter(cell -> cell.measure() == measure)
                    .toList();
            if (!cells.isEmpty()) {
                rows.add(panels(measure, cells, range));
            }
        }
        return new Figure(
                        "comparison",
                        "B by A: ratios with their intervals",
                        "Ratio of B by A for each message size, of mean, median and 99th percentile, with intervals; 1 is no difference. "
                                + assessment.sentence() + " " + words(assessment),
                        List.of(
                                KeyEntry.point("a difference", Mark.Shape.DOT, JOINT.colour()),
                                KeyEntry.point("none that can be seen", Mark.Shape.RING, JOINT.colour()),
                                KeyEntry.point("too few samples", Mark.Shape.DIAMOND, JOINT.colour()),
                                KeyEntry.line("95 % interval", OWN),
                                KeyEntry.line("joint 95 % interval", JOINT)),
                        rows,
                        List.of(
                                "All joint intervals hold together with 95 %; they decide. A bar that reaches the panel's edge may have no end"
                                        + " there: the table says so.",
                                "Left of the line B takes less time, right of it more. Logarithmic axis."),
                        table(assessment))
                .from(source(assessment));
    }

    /** Both runs with their machines, of which one that is the same is named once, and their requests. */
    private static String source(Assessment assessment) {
        Assessment.Side b = assessment.b();
        Assessment.Side a = assessment.a() == null ? b : assessment.a();
        String requests = SourceLine.requests(assessment.cells().stream()
                .flatMapToLong(cell -> LongStream.of(cell.countA(), cell.countB()))
                .summaryStatistics());
        if (a.equals(b)) {
            return joined(run(b), requests, b.place());
        }
        return a.place().equals(b.place())
                ? joined("A: " + run(a), "B: " + run(b), requests, b.place())
                : joined("A: " + run(a), a.place(), "B: " + run(b), b.place(), requests);
    }

    private static String joined(String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(" · "));
    }

    private static String run(Assessment.Side side) {
        return side.path() + ", plog " + side.plogVersion() + ", " + SourceLine.date(side.startedAt());
    }

    private static String words(Assessment assessment) {
        List<String> words = new ArrayList<>();
        for (Cell cell : assessment.cells()) {
            words.add(Units.size(cell.payloadBytes()) + ", " + target(cell) + ", "
                    + cell.measure().words() + ": " + cell.sentence());
        }
        return String.join(" ", words);
    }

    private static String target(Cell cell) {
        return cell.targetA().equals(cell.targetB()) ? cell.targetB() : cell.targetB() + " by " + cell.targetA();
    }

    private static List<Panel> panels(Measure measure, List<Cell> cells, double[] range) {
        boolean several =
                cells.stream().map(ComparisonFigure::target).distinct().count() > 1;
        List<Tick> names = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            Cell cell = cells.get(i);
            String size = Units.size(cell.payloadBytes());
            names.add(new Tick(cells.size() - 1 - i, several ? size + ", " + cell.targetB() : size));
        }
        Axis y = new Axis("", Axis.Scale.LINEAR, -0.7, cells.size() - 0.3, names, false);
        Axis x = new Axis("B by A", Axis.Scale.LOG, range[0], range[1], ticks(range[0], range[1]), false);
        String heading = measure == Measure.END_TO_END ? "End to end" : "Logging";
        List<Panel> panels = new ArrayList<>();
        for (Statistic figure : Statistic.COMPARED) {
            List<Mark> marks = new ArrayList<>();
            marks.add(new Mark.Reference(1, true, ""));
            for (int i = 0; i < cells.size(); i++) {
                double at = cells.size() - 1.0 - i;
                cells.get(i).figures().stream()
                        .filter(row -> row.figure() == figure)
                        .forEach(row -> marks.addAll(marks(row, at, range)));
            }
            Axis side = panels.isEmpty() ? y : y.withoutLabels();
            panels.add(Panel.of(heading + ", " + figure.words(), x, side, ROW * cells.size() + 6, marks));
        }
        return panels;
    }

    private static List<Mark> marks(Row row, double at, double[] range) {
        Mark.Shape shape = switch (row.verdict()) {
            case LONGER, SHORTER -> Mark.Shape.DOT;
            case NO_DIFFERENCE -> Mark.Shape.RING;
            case TOO_FEW_SAMPLES -> Mark.Shape.DIAMOND;
        };
        return List.of(
                interval(row.jointRatio(), at, range, JOINT, 6),
                interval(row.ratio(), at, range, OWN, 0),
                new Mark.Point(within(row.ratio().value(), range), at, shape, JOINT.colour()),
                Mark.Reading.at(
                        within(row.ratio().value(), range),
                        at,
                        row.verdict().label().replace('-', ' ') + ": B by A "
                                + Ticks.number(row.ratio().value()) + ", 95 % " + words(row.ratio()) + ", joint 95 % "
                                + words(row.jointRatio())));
    }

    private static String words(Estimated ratio) {
        return (ratio.low() == null ? "?" : Ticks.number(ratio.low())) + " to "
                + (ratio.high() == null ? "?" : Ticks.number(ratio.high()));
    }

    /** An end that the samples do not bound lies beyond the edge. */
    private static Mark interval(Estimated ratio, double at, double[] range, Style style, double cap) {
        Double low = ratio.low();
        Double high = ratio.high();
        return new Mark.Range(
                at, low == null || low <= 0 ? range[0] / 2 : low, high == null ? range[1] * 2 : high, style, cap);
    }

    private static double within(double ratio, double[] range) {
        return Math.max(range[0], Math.min(range[1], ratio));
    }

    /** One range for all panels, as far to the left of 1 as to the right: ratios of different figures are to be compared, too. */
    private static double[] range(Assessment assessment) {
        double farthest = assessment.cells().stream()
                .flatMap(cell -> cell.figures().stream())
                .flatMap(row -> Stream.of(row.jointRatio(), row.ratio()))
                .flatMapToDouble(ratio -> DoubleStream.of(
                        ratio.value(),
                        Objects.requireNonNullElse(ratio.low(), ratio.value()),
                        Objects.requireNonNullElse(ratio.high(), ratio.value())))
                .filter(ratio -> ratio > 0)
                .map(ratio -> Math.max(ratio, 1 / ratio))
                .max()
                .orElse(1);
        double reach = Math.min(MOST_RANGE, Math.max(LEAST_RANGE, farthest * Math.sqrt(Math.min(farthest, 1.1))));
        return new double[] {1 / reach, reach};
    }

    /** Round ratios, and 1 among them; with room for their labels. */
    static List<Tick> ticks(double from, double to) {
        double[] candidates = to < 1.12
                ? new double[] {0.9, 0.95, 1, 1.05, 1.1}
                : to < 1.6
                        ? new double[] {0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5}
                        : to < 4
                                ? new double[] {0.3, 0.5, 0.7, 1, 1.5, 2, 3}
                                : new double[] {0.001, 0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100, 1000};
        double perFactor = PANEL / Math.log(to / from);
        // Those nearest to 1 first: they keep their labels.
        List<Double> labelled = new ArrayList<>();
        List<Tick> ticks = new ArrayList<>();
        Arrays.stream(candidates)
                .filter(at -> at >= from && at <= to)
                .boxed()
                .sorted(Comparator.comparingDouble(at -> Math.abs(Math.log(at))))
                .forEach(at -> {
                    boolean room =
                            labelled.stream().allMatch(other -> Math.abs(Math.log(other / at)) * perFactor >= 26);
                    if (room) {
                        labelled.add(at);
                    }
                    ticks.add(new Tick(at, room ? Ticks.number(at) : ""));
                });
        ticks.sort(Comparator.comparingDouble(Tick::at));
        return ticks;
    }

    private static Table table(Assessment assessment) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Cell cell : assessment.cells()) {
            for (Row row : cell.figures()) {
                rows.add(Table.row(
                        cell.payloadBytes(),
                        cell.targetA(),
                        cell.targetB(),
                        cell.measure().words(),
                        row.figure().label(),
                        row.aMicros(),
                        row.bMicros(),
                        row.ratio().value(),
                        row.ratio().low(),
                        row.ratio().high(),
                        row.jointRatio().low(),
                        row.jointRatio().high(),
                        row.verdict().label()));
            }
        }
        return new Table(
                List.of(
                        "payload bytes",
                        "target A",
                        "target B",
                        "measure",
                        "figure",
                        "A µs",
                        "B µs",
                        "B by A",
                        "low",
                        "high",
                        "joint low",
                        "joint high",
                        "verdict"),
                rows);
    }
}
