package io.plog.report.chart;

import io.plog.report.figure.Axis;
import io.plog.report.figure.Axis.Tick;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.report.results.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The shift function: how much later each quantile of the logged requests is, with its interval; one panel per size. */
final class ShiftFigure {
    static final String NOTE =
            "Shift function: the quantile with logging minus the same quantile without, with its 95 % interval.";

    private static final double HEIGHT = 110;

    /** Divisions of the axis whose labels would overlap their neighbours'. */
    private static final Set<Double> UNLABELLED = Set.of(0.2, 0.4, 0.6, 0.8, 0.95, 0.99);

    private ShiftFigure() {}

    static @Nullable Figure of(Results results, Palette palette) {
        List<Panel> panels = panels(results, palette);
        if (panels.isEmpty()) {
            return null;
        }
        return new Figure(
                "shift",
                "What logging adds at each quantile, end to end",
                "Shift function of the end-to-end latency: for each message size and target, how many microseconds later each"
                        + " quantile is with logging than without, with 95 % intervals."
                        + differences(results, palette),
                palette.targetKey(palette.logged()),
                DrawnFigures.inRows(panels, DrawnFigures.COLUMNS),
                List.of(NOTE),
                table(results));
    }

    private static String differences(Results results, Palette palette) {
        StringBuilder text = new StringBuilder();
        for (Results.Overhead overhead : results.overhead()) {
            overhead.shift().stream()
                    .filter(shift -> shift.q() == 0.5)
                    .findFirst()
                    .ifPresent(shift -> text.append(" ")
                            .append(palette.label(overhead.target()))
                            .append(", ")
                            .append(Units.size(overhead.payloadBytes()))
                            .append(": ")
                            .append(Ticks.number(shift.micros()))
                            .append(" µs at the median."));
        }
        return text.toString();
    }

    /** One for each size; none if no shift function was computed. */
    static List<Panel> panels(Results results, Palette palette) {
        List<Double> quantiles = results.overhead().stream()
                .flatMap(overhead -> overhead.shift().stream())
                .map(Results.Shift::q)
                .distinct()
                .sorted()
                .toList();
        if (quantiles.isEmpty()) {
            return List.of();
        }
        Axis x = new Axis(
                "quantile, %",
                Axis.Scale.LINEAR,
                -0.6,
                quantiles.size() - 0.4,
                quantiles.stream()
                        .map(q -> new Tick(
                                quantiles.indexOf(q),
                                UNLABELLED.contains(q) ? "" : Ticks.percent(q).replace(" %", "")))
                        .toList(),
                false);
        Axis y = differenceAxis(results);
        return palette.sizes().stream()
                .map(size -> Panel.of(
                                Units.size(size) + ", shift", x, y, HEIGHT, marks(results, palette, size, quantiles, y))
                        .about(Map.of("size", size.toString())))
                .toList();
    }

    private static Axis differenceAxis(Results results) {
        double[] ends = results.overhead().stream()
                .flatMap(overhead -> overhead.shift().stream())
                .flatMapToDouble(shift -> DoubleStream.of(shift.micros(), low(shift), high(shift)))
                .toArray();
        double min = Math.min(0, DoubleStream.of(ends).min().orElse(0));
        double max = Math.max(0, DoubleStream.of(ends).max().orElse(1));
        double from = min < 0 ? min * 1.3 : -3;
        double to = max > 0 ? max * 1.3 : 3;
        return new Axis(
                "difference", Axis.Scale.ARSINH, from, to, Ticks.arsinh(from, to, HEIGHT, Micros::withUnit), false);
    }

    private static double low(Results.Shift shift) {
        return Objects.requireNonNullElse(shift.interval().low(), shift.micros());
    }

    private static double high(Results.Shift shift) {
        return Objects.requireNonNullElse(shift.interval().high(), shift.micros());
    }

    private static List<Mark> marks(Results results, Palette palette, int size, List<Double> quantiles, Axis y) {
        List<Results.Overhead> rows = results.overhead().stream()
                .filter(overhead -> overhead.payloadBytes() == size)
                .toList();
        List<Mark> marks = new ArrayList<>();
        marks.add(new Mark.Reference(0, false, ""));
        List<Mark> readings = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            Results.Overhead overhead = rows.get(row);
            double aside = (row - (rows.size() - 1) / 2.0) * 0.6 / Math.max(1, rows.size());
            double[] at = overhead.shift().stream()
                    .mapToDouble(shift -> quantiles.indexOf(shift.q()) + aside)
                    .toArray();
            double[] micros =
                    overhead.shift().stream().mapToDouble(Results.Shift::micros).toArray();
            marks.add(
                    new Mark.Line(at, micros, palette.target(overhead.target()).wide(1), false));
            for (int i = 0; i < at.length; i++) {
                Results.Shift shift = overhead.shift().get(i);
                String colour = palette.target(overhead.target()).colour();
                Mark.Shape shape = open(shift) ? Mark.Shape.RING : Mark.Shape.DOT;
                marks.add(new Mark.Whisker(
                        at[i],
                        shift.interval().low() == null ? y.min() : low(shift),
                        shift.interval().high() == null ? y.max() : high(shift),
                        palette.target(overhead.target()).withoutDash().wide(1.2),
                        3));
                marks.add(new Mark.Point(at[i], shift.micros(), shape, colour));
                readings.add(Mark.Reading.at(at[i], shift.micros(), words(shift, palette.label(overhead.target()))));
            }
        }
        marks.addAll(readings);
        return marks;
    }

    private static String words(Results.Shift shift, String target) {
        Double low = shift.interval().low();
        Double high = shift.interval().high();
        return target + ", " + Ticks.percent(shift.q()) + " of the requests: " + Micros.withUnit(shift.micros())
                + " later, "
                + (low == null ? "(…" : "[" + Micros.withUnit(low)) + " to "
                + (high == null ? "…)" : Micros.withUnit(high) + "]");
    }

    /** Whether the samples bound the difference on one side only; its bar then ends at the panel's edge. */
    private static boolean open(Results.Shift shift) {
        return Stream.of(shift.interval()).anyMatch(interval -> interval.low() == null || interval.high() == null);
    }

    private static Table table(Results results) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Results.Overhead overhead : results.overhead()) {
            for (Results.Shift shift : overhead.shift()) {
                rows.add(Table.row(
                        overhead.target(),
                        overhead.payloadBytes(),
                        shift.q(),
                        shift.micros(),
                        shift.interval().low(),
                        shift.interval().high()));
            }
        }
        return new Table(List.of("target", "payload bytes", "quantile", "difference µs", "low µs", "high µs"), rows);
    }
}
