package io.plog.report.chart;

import io.plog.report.cells.FigureData;
import io.plog.report.figure.Axis;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Panel;
import io.plog.report.figure.SourceLine;
import io.plog.report.figure.Ticks;
import io.plog.report.results.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All figures of a run, in the order of the report. */
public final class DrawnFigures {
    static final int COLUMNS = 3;

    private DrawnFigures() {}

    /** Those that the run has data for. */
    public static List<Figure> of(Results results, FigureData figures) {
        Palette palette = new Palette(results);
        DensityFigures densities = new DensityFigures(results, figures, palette);
        EcdfFigures ecdfs = new EcdfFigures(figures, palette);
        String source = source(results);
        return Stream.of(
                        CostFigure.of(results, figures, palette),
                        densities.logging(),
                        densities.loggingLinear(),
                        MeansFigure.of(results, palette, false),
                        MeansFigure.of(results, palette, true),
                        densities.endToEnd(),
                        densities.endToEndLinear(),
                        ShiftFigure.of(results, palette),
                        ecdfs.ecdf(FigureData.LOGGING),
                        ecdfs.ecdf(FigureData.END_TO_END),
                        ecdfs.tail(FigureData.LOGGING),
                        ecdfs.tail(FigureData.END_TO_END),
                        SeriesFigure.of(figures, palette),
                        ComponentsFigure.of(results, palette))
                .filter(Objects::nonNull)
                .map(figure -> figure.from(source))
                .toList();
    }

    /** Program, date, requests and machine of a run. */
    public static String source(Results results) {
        LongSummaryStatistics counts = results.cells().stream()
                .mapToLong(Results.Cell::count)
                .filter(count -> count > 0)
                .summaryStatistics();
        return SourceLine.of(
                results.plogVersion(),
                results.startedAt(),
                SourceLine.requests(counts),
                results.environment().server(),
                results.environment().targets().stream()
                        .map(Results.Target::facts)
                        .toList());
    }

    /** Panels in rows of at most three; a row's further panels have no labels on their y axis, which is the same. */
    static List<List<Panel>> inRows(List<Panel> panels, int columns) {
        List<List<Panel>> rows = new ArrayList<>();
        for (int from = 0; from < panels.size(); from += columns) {
            List<Panel> row = panels.subList(from, Math.min(panels.size(), from + columns));
            rows.add(Stream.concat(row.stream().limit(1), row.stream().skip(1).map(DrawnFigures::withoutLabelsOnY))
                    .toList());
        }
        return rows;
    }

    /** The same of panels that each have a y axis of their own. */
    static List<List<Panel>> inRowsWithAxes(List<Panel> panels, int columns) {
        List<List<Panel>> rows = new ArrayList<>();
        for (int from = 0; from < panels.size(); from += columns) {
            rows.add(panels.subList(from, Math.min(panels.size(), from + columns)));
        }
        return rows;
    }

    private static Panel withoutLabelsOnY(Panel panel) {
        return panel.withY(panel.y().withoutLabels());
    }

    /** About how wide a panel's drawing area is in user units, to choose the labels of its axis. */
    static double panelWidth(int panels) {
        return 640.0 / Math.min(COLUMNS, Math.max(1, panels)) - 16;
    }

    static Axis latency(double min, double max, boolean log, double pixels) {
        return new Axis(
                "latency",
                log ? Axis.Scale.LOG : Axis.Scale.LINEAR,
                min,
                max,
                log
                        ? Ticks.log(min, max, pixels, Micros::withUnit)
                        : Ticks.linear(min, max, (int) Math.max(2, pixels / 62), Micros::withUnit),
                false);
    }

    /** "100 B 95.3 µs, 1 kB 86 µs" and so on, for the text alternatives. */
    static String medians(
            Results results, boolean logging, Predicate<Results.Cell> which, Palette palette, boolean bySize) {
        return results.cells().stream()
                .filter(which)
                .filter(cell -> (logging ? cell.logMicros() : cell.endToEndMicros()) != null)
                .map(cell -> (bySize ? Units.size(cell.payloadBytes()) : palette.label(cell.target())) + " "
                        + Micros.text(Objects.requireNonNull(logging ? cell.logMicros() : cell.endToEndMicros())
                                .p50())
                        + " µs")
                .collect(Collectors.joining(", "));
    }
}
