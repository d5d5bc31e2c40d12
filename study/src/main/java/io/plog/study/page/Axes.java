package io.plog.study.page;

import io.plog.report.figure.Axis;
import io.plog.report.figure.Axis.Tick;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Micros;
import io.plog.study.StudyResults.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Axes that hold given values. Stateless. */
final class Axes {
    /** Drawing width of a panel, by how many stand side by side. */
    private static final double[] WIDTHS = {640, 640, 290, 170};

    private Axes() {}

    static double width(int columns) {
        return WIDTHS[Math.min(columns, WIDTHS.length - 1)];
    }

    /** Latencies in microseconds; values that are not above 0 do not count. */
    static Axis logTime(String label, DoubleStream micros, double pixels) {
        return Axis.log(label, micros, pixels, Micros::withUnit);
    }

    /** From 0 to a little above the largest value. */
    static Axis fromZero(String label, DoubleStream values, double pixels, DoubleFunction<String> show) {
        double largest = values.filter(Double::isFinite).max().orElse(0);
        double max = largest > 0 ? largest * 1.08 : 1;
        return new Axis(
                label, Axis.Scale.LINEAR, 0, max, Ticks.linear(0, max, Math.max(2, (int) (pixels / 60)), show), false);
    }

    /** The values of a distribution function, with one before them: its first step goes up from 0, not from mid-air. */
    static double[] fromTheAxis(List<Point> points, ToDoubleFunction<Point> value, double first) {
        return DoubleStream.concat(DoubleStream.of(first), points.stream().mapToDouble(value))
                .toArray();
    }

    static Axis shares(String label) {
        return new Axis(
                label, Axis.Scale.LINEAR, 0, 1, Ticks.linear(0, 1, 4, share -> Math.round(share * 100) + " %"), false);
    }

    /** Relative loads, divided where something was measured. */
    static Axis levels(double[] levels) {
        List<Tick> ticks = Arrays.stream(levels)
                .distinct()
                .sorted()
                .mapToObj(level -> new Tick(level, StudyNumbers.level(level)))
                .toList();
        double max = Arrays.stream(levels).max().orElse(1);
        return new Axis(
                "load, of the design's own capacity", Axis.Scale.LINEAR, 0, Math.max(1, max * 1.03), ticks, false);
    }

    /** Rows with names, the first on top. */
    static Axis rows(List<String> names) {
        int n = names.size();
        return new Axis(
                "",
                Axis.Scale.LINEAR,
                -0.65,
                n - 0.35,
                IntStream.range(0, n)
                        .mapToObj(i -> new Tick(n - 1.0 - i, names.get(i)))
                        .toList(),
                false);
    }

    /** In rows of so many; those after a row's first have no labels on their y axis, which is the same. */
    static List<List<Panel>> grid(List<Panel> panels, int columns) {
        List<List<Panel>> rows = new ArrayList<>();
        for (int from = 0; from < panels.size(); from += columns) {
            List<Panel> row = new ArrayList<>();
            for (Panel panel : panels.subList(from, Math.min(panels.size(), from + columns))) {
                row.add(row.isEmpty() ? panel : panel.withY(panel.y().withoutLabels()));
            }
            rows.add(row);
        }
        return rows;
    }
}
