package io.plog.report.chart;

import io.plog.report.figure.Axis;
import io.plog.report.figure.Axis.Tick;
import io.plog.report.figure.Figure;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.report.results.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The figure after 2.15: the mean of each size and target, with the standard deviation and the interval of the mean. */
final class MeansFigure {
    private static final double HEIGHT = 220;
    private static final String KEY_INK = "#1b1f24";

    private MeansFigure() {}

    /**
     * Draws it.
     *
     * @param log whether the axis is logarithmic; the book's is linear, and so is the first that a reader sees: on a logarithmic one a
     *     deviation that exceeds its mean has no lower end
     */
    static @Nullable Figure of(Results results, Palette palette, boolean log) {
        List<Results.Cell> cells = results.cells().stream()
                .filter(cell -> cell.endToEndMicros() != null)
                .toList();
        if (cells.isEmpty()) {
            return null;
        }
        List<Panel> panels = new ArrayList<>();
        List<Results.Cell> logged =
                cells.stream().filter(cell -> cell.logMicros() != null).toList();
        Axis y = latency(cells, log);
        if (!logged.isEmpty()) {
            panels.add(panel("Logging", logged, true, palette, y));
        }
        panels.add(panel("End to end", cells, false, palette, y));
        boolean intervals = cells.stream()
                .anyMatch(cell -> Objects.requireNonNull(cell.endToEndMicros()).meanInterval() != null);
        List<KeyEntry> key = new ArrayList<>(palette.targets().stream()
                .map(name -> KeyEntry.line(
                        palette.label(name), palette.target(name).withoutDash().wide(3)))
                .toList());
        key.add(KeyEntry.point("mean", Mark.Shape.DOT, KEY_INK));
        key.add(KeyEntry.point("median", Mark.Shape.DIAMOND, KEY_INK));
        key.add(KeyEntry.line("thin bar: one standard deviation to either side", Style.solid(KEY_INK, 1)));
        if (intervals) {
            key.add(KeyEntry.line("thick bar: 95 % interval of the mean", Style.solid(KEY_INK, 5)));
        }
        return new Figure(
                log ? "means-log" : "means",
                "Mean latency with standard deviation" + (intervals ? " and interval of the mean" : "")
                        + (log ? ", logarithmic axis" : ""),
                alternative(cells, palette),
                key,
                DrawnFigures.inRows(panels, 2),
                List.of(
                        "The standard deviation is that of single requests, not an error of the mean"
                                + (intervals ? "." : "; no interval of the mean was computed.")
                                + " Where it exceeds the mean, its bar ends at " + (log ? "the panel's edge." : "0."),
                        "Within a size the targets stand in the order of the key. Both panels have the same axis."),
                table(cells));
    }

    private static Axis latency(List<Results.Cell> cells, boolean log) {
        double min = Double.MAX_VALUE;
        double max = 0;
        for (Results.Cell cell : cells) {
            for (Results.Distribution d : both(cell)) {
                min = Math.min(min, d.mean() > d.sd() ? Math.min(d.p5(), d.mean() - d.sd()) : d.p5());
                max = Math.max(max, d.mean() + d.sd());
            }
        }
        if (!log) {
            double end = max > 0 ? max * 1.06 : 1;
            return new Axis(
                    "latency",
                    Axis.Scale.LINEAR,
                    0,
                    end,
                    Ticks.linear(0, end, (int) (HEIGHT / 32), Micros::withUnit),
                    false);
        }
        double from = Math.max(0.001, min * 0.8);
        double to = Math.max(from * 2, max * 1.25);
        return new Axis(
                "latency", Axis.Scale.LOG, from, to, Ticks.log(from, to, 1.6 * HEIGHT, Micros::withUnit), false);
    }

    private static List<Results.Distribution> both(Results.Cell cell) {
        List<Results.Distribution> both = new ArrayList<>();
        both.add(Objects.requireNonNull(cell.endToEndMicros()));
        if (cell.logMicros() != null) {
            both.add(cell.logMicros());
        }
        return both;
    }

    private static Panel panel(String heading, List<Results.Cell> cells, boolean logging, Palette palette, Axis y) {
        List<String> targets = logging ? palette.logged() : palette.targets();
        Axis x = new Axis(
                "message size",
                Axis.Scale.LINEAR,
                -0.5,
                palette.sizes().size() - 0.5,
                palette.sizes().stream()
                        .map(size -> new Tick(palette.sizes().indexOf(size), Units.size(size)))
                        .toList(),
                false);
        double slot = 0.66 / Math.max(1, targets.size());
        List<Mark> marks = new ArrayList<>();
        List<Mark> readings = new ArrayList<>();
        for (Results.Cell cell : cells) {
            Results.Distribution d = Objects.requireNonNull(logging ? cell.logMicros() : cell.endToEndMicros());
            double at = palette.sizes().indexOf(cell.payloadBytes())
                    + (targets.indexOf(cell.target()) - (targets.size() - 1) / 2.0) * slot;
            marks.addAll(marks(d, at, palette.target(cell.target()).withoutDash(), y));
            readings.add(new Mark.Reading(
                    at,
                    at,
                    Math.min(d.p50(), d.mean()),
                    Math.max(d.p50(), d.mean()),
                    palette.label(cell.target()) + ", "
                            + Units.size(cell.payloadBytes()) + ": mean " + Micros.text(d.mean()) + " µs" + interval(d)
                            + ", median "
                            + Micros.text(d.p50()) + " µs, standard deviation " + Micros.text(d.sd()) + " µs"));
        }
        marks.addAll(readings);
        return Panel.of(heading, x, y, HEIGHT, marks);
    }

    private static List<Mark> marks(Results.Distribution d, double at, Style style, Axis y) {
        List<Mark> marks = new ArrayList<>();
        double low = d.mean() - d.sd();
        double edge = y.scale() == Axis.Scale.LOG ? y.min() * 0.5 : 0; // below a logarithmic axis it has no end to cap
        marks.add(new Mark.Whisker(at, low > y.min() ? low : edge, d.mean() + d.sd(), style.wide(1), 6));
        Results.Interval interval = d.meanInterval();
        if (interval != null && interval.low() != null && interval.high() != null) {
            marks.add(new Mark.Whisker(at, interval.low(), interval.high(), style.wide(5), 0));
        }
        marks.add(new Mark.Point(at, d.p50(), Mark.Shape.DIAMOND, style.colour()));
        marks.add(new Mark.Point(at, d.mean(), Mark.Shape.DOT, style.colour()));
        return marks;
    }

    private static String interval(Results.Distribution d) {
        Results.Interval interval = d.meanInterval();
        return interval == null || interval.low() == null || interval.high() == null
                ? ""
                : " [" + Micros.text(interval.low()) + ", " + Micros.text(interval.high()) + "]";
    }

    private static String alternative(List<Results.Cell> cells, Palette palette) {
        return "Means with standard deviations for each message size and target, of logging and end to end. End to end, mean and"
                + " standard deviation in microseconds: "
                + cells.stream()
                        .map(cell -> palette.label(cell.target()) + ", " + Units.size(cell.payloadBytes()) + ": "
                                + Micros.text(Objects.requireNonNull(cell.endToEndMicros())
                                        .mean())
                                + " and "
                                + Micros.text(cell.endToEndMicros().sd()))
                        .collect(Collectors.joining("; "))
                + ".";
    }

    private static Table table(List<Results.Cell> cells) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Results.Cell cell : cells) {
            row(rows, cell, "logging", cell.logMicros());
            row(rows, cell, "end to end", cell.endToEndMicros());
        }
        return new Table(
                List.of(
                        "target",
                        "payload bytes",
                        "measure",
                        "requests",
                        "mean µs",
                        "sd µs",
                        "mean low µs",
                        "mean high µs",
                        "median µs"),
                rows);
    }

    private static void row(
            List<List<@Nullable Object>> rows, Results.Cell cell, String measure, Results.@Nullable Distribution d) {
        if (d == null) {
            return;
        }
        Results.Interval interval = d.meanInterval();
        rows.add(Table.row(
                cell.target(),
                cell.payloadBytes(),
                measure,
                cell.count(),
                d.mean(),
                d.sd(),
                interval == null ? null : interval.low(),
                interval == null ? null : interval.high(),
                d.p50()));
    }
}
