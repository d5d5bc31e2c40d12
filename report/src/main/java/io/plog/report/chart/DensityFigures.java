package io.plog.report.chart;

import io.plog.report.cells.FigureData;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.results.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The figures after 2.14 and 2.16: densities on a logarithmic axis, and on a linear one with an inset of the tail. */
final class DensityFigures {
    private static final String INK_OF_PEAKS = "#1b1f24";

    private final Results results;
    private final FigureData figures;
    private final Palette palette;

    DensityFigures(Results results, FigureData figures, Palette palette) {
        this.results = results;
        this.figures = figures;
        this.palette = palette;
    }

    /** A panel before it is drawn: its heading and its curves. */
    private record Group(String heading, Map<String, String> about, List<FigureData.Drawn> curves) {}

    @Nullable
    Figure logging() {
        return logging("logging-density", "Logging latency: density for each message size", true);
    }

    @Nullable
    Figure loggingLinear() {
        return logging("logging-density-linear", "Logging latency: density on a linear axis, tail inset", false);
    }

    @Nullable
    Figure endToEnd() {
        return endToEnd("end-to-end-density", "End-to-end latency with and without logging", true);
    }

    @Nullable
    Figure endToEndLinear() {
        return endToEnd("end-to-end-density-linear", "End-to-end latency: density on a linear axis, tail inset", false);
    }

    private @Nullable Figure logging(String name, String title, boolean log) {
        FigureData.Bins bins = figures.logging();
        List<Group> groups = palette.logged().stream()
                .map(target -> new Group(
                        palette.label(target),
                        Map.of("target", target),
                        curves(FigureData.LOGGING, curve -> curve.target().equals(target))))
                .filter(group -> !group.curves().isEmpty())
                .toList();
        if (bins == null || groups.isEmpty()) {
            return null;
        }
        StringBuilder alternative =
                new StringBuilder("Density of the logging latency on a " + (log ? "logarithmic" : "linear")
                        + " axis; one panel per target, one curve per message size. Medians:");
        palette.logged()
                .forEach(target -> alternative
                        .append(' ')
                        .append(palette.label(target))
                        .append(": ")
                        .append(DrawnFigures.medians(
                                results, true, cell -> cell.target().equals(target), palette, true))
                        .append('.'));
        Function<FigureData.Drawn, Style> style = curve -> palette.size(curve.payloadBytes());
        List<Mark> book =
                List.of(new Mark.Reference(100, true, "Zhao: 100 µs"), new Mark.Reference(1000, true, "Zhao: 1000 µs"));
        DensityPanels panels = new DensityPanels(bins, curvesOf(groups), log, !log, style, book);
        List<Panel> densities = groups.stream()
                .map(group -> panels.panel(group.heading(), group.curves(), groups.size(), peaks(group, panels, log))
                        .about(group.about()))
                .toList();
        return new Figure(
                name,
                title,
                alternative.toString(),
                palette.sizeKey(),
                log
                        ? DrawnFigures.inRows(densities, DrawnFigures.COLUMNS)
                        : DrawnFigures.inRowsWithAxes(densities, DrawnFigures.COLUMNS),
                panels.notes(palette),
                table(bins, FigureData.LOGGING));
    }

    private @Nullable Figure endToEnd(String name, String title, boolean log) {
        FigureData.Bins bins = figures.endToEnd();
        List<Group> groups = palette.sizes().stream()
                .map(size -> new Group(
                        Units.size(size),
                        Map.of("size", size.toString()),
                        curves(FigureData.END_TO_END, curve -> curve.payloadBytes() == size)))
                .filter(group -> !group.curves().isEmpty())
                .toList();
        if (bins == null || groups.isEmpty()) {
            return null;
        }
        StringBuilder alternative = new StringBuilder(
                "Density of the end-to-end latency on a "
                        + (log ? "logarithmic" : "linear")
                        + " axis; one panel per message size, one curve per target, the one without logging dashed grey. Medians:");
        palette.sizes()
                .forEach(size -> alternative
                        .append(' ')
                        .append(Units.size(size))
                        .append(": ")
                        .append(DrawnFigures.medians(
                                results, false, cell -> cell.payloadBytes() == size, palette, false))
                        .append('.'));
        DensityPanels panels = new DensityPanels(
                bins,
                curvesOf(groups),
                log,
                false,
                curve -> palette.target(curve.target()),
                List.of(
                        new Mark.Reference(100, true, "Zhao: 100 µs"),
                        new Mark.Reference(10_000, true, "Zhao: 10 ms")));
        List<Panel> densities = groups.stream()
                .map(group -> panels.panel(group.heading(), group.curves(), groups.size(), peaks(group, panels, log))
                        .about(group.about()))
                .toList();
        List<Panel> shifts = log ? ShiftFigure.panels(results, palette) : List.of();
        List<String> notes = new ArrayList<>(panels.notes(palette));
        List<List<Panel>> rows;
        if (shifts.size() == densities.size()) {
            rows = interleaved(
                    DrawnFigures.inRows(densities, DrawnFigures.COLUMNS),
                    DrawnFigures.inRows(shifts, DrawnFigures.COLUMNS));
            notes.add(ShiftFigure.NOTE + " Its figures are in shift.csv.");
        } else {
            rows = DrawnFigures.inRows(densities, DrawnFigures.COLUMNS);
        }
        return new Figure(
                name,
                title,
                alternative.toString(),
                palette.targetKey(palette.targets()),
                rows,
                notes,
                table(bins, FigureData.END_TO_END));
    }

    private static List<List<Panel>> interleaved(List<List<Panel>> above, List<List<Panel>> below) {
        List<List<Panel>> rows = new ArrayList<>();
        for (int i = 0; i < above.size(); i++) {
            rows.add(above.get(i));
            rows.add(below.get(i));
        }
        return rows;
    }

    private List<FigureData.Drawn> curves(String measure, Predicate<FigureData.Drawn> which) {
        return figures.curves().stream()
                .filter(curve -> curve.measure().equals(measure))
                .filter(which)
                .toList();
    }

    private static List<FigureData.Drawn> curvesOf(List<Group> groups) {
        return groups.stream().flatMap(group -> group.curves().stream()).toList();
    }

    /** A ring and the latency at each peak that survived the bootstrap, where a curve has more than one. */
    private List<Mark> peaks(Group group, DensityPanels panels, boolean log) {
        if (!log) {
            return List.of();
        }
        return group.curves().stream()
                .flatMap(curve -> peaksOf(curve).stream()
                        .flatMap(peak -> Stream.of(
                                new Mark.Point(
                                        peak.micros(),
                                        panels.heightAt(curve, peak.micros()),
                                        Mark.Shape.RING,
                                        INK_OF_PEAKS),
                                new Mark.Words(
                                        peak.micros(),
                                        panels.heightAt(curve, peak.micros()),
                                        Micros.text(peak.micros()) + " µs"))))
                .map(Mark.class::cast)
                .toList();
    }

    private List<Results.Peak> peaksOf(FigureData.Drawn curve) {
        List<Results.Peak> peaks = results.cells().stream()
                .filter(cell -> cell.target().equals(curve.target()) && cell.payloadBytes() == curve.payloadBytes())
                .map(cell -> curve.isLogging() ? cell.logPeaks() : cell.endToEndPeaks())
                .findFirst()
                .orElse(List.of());
        return peaks.size() > 1 ? peaks : List.of();
    }

    private Table table(FigureData.Bins bins, String measure) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (FigureData.Drawn curve : curves(measure, any -> true)) {
            for (int i = 0; i < curve.counts().length; i++) {
                double from = bins.edges()[i];
                double to = bins.edges()[i + 1];
                double share = (double) curve.counts()[i] / curve.count();
                rows.add(Table.row(
                        curve.target(),
                        curve.payloadBytes(),
                        from,
                        to,
                        curve.counts()[i],
                        Units.significant(share, 6),
                        Units.significant(share / Math.log(to / from), 6),
                        Units.significant(share / (to - from), 6)));
            }
        }
        return new Table(
                List.of(
                        "target",
                        "payload bytes",
                        "from µs",
                        "to µs",
                        "requests",
                        "share",
                        "density per unit of ln(latency)",
                        "density per µs"),
                rows);
    }
}
