package io.plog.report.chart;

import io.plog.report.cells.FigureData;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Table;
import io.plog.report.results.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The picture that a reader sees first: the end-to-end latency with and without logging, of one size. */
public final class CostFigure {
    /** The name of its files. */
    public static final String NAME = "cost";

    /** The size of which it is drawn, or the nearest to it that was measured. */
    private static final int SIZE_BYTES = 1000;

    private CostFigure() {}

    /** Null if nothing was counted. */
    static @Nullable Figure of(Results results, FigureData figures, Palette palette) {
        FigureData.Bins bins = figures.endToEnd();
        int size = palette.sizes().stream()
                .min(Comparator.comparingInt(bytes -> Math.abs(bytes - SIZE_BYTES)))
                .orElse(0);
        List<FigureData.Drawn> curves = figures.curves().stream()
                .filter(curve -> !curve.isLogging() && curve.payloadBytes() == size)
                .toList();
        if (bins == null || curves.isEmpty()) {
            return null;
        }
        DensityPanels panels =
                new DensityPanels(bins, curves, true, false, curve -> palette.target(curve.target()), List.of());
        List<Mark> means = new ArrayList<>();
        for (FigureData.Drawn curve : curves) {
            double mean = mean(results, curve);
            double height = panels.heightAt(curve, mean);
            means.add(new Mark.Point(
                    mean, height, Mark.Shape.DOT, palette.target(curve.target()).colour()));
            means.add(new Mark.Words(mean, height, "mean " + Micros.withUnit(mean)));
        }
        return new Figure(
                NAME,
                "A request of " + Units.size(size)
                        + (palette.targets().stream().anyMatch(palette::isOff)
                                ? ", with and without logging"
                                : ", with logging"),
                "Density of the end-to-end latency of requests of " + Units.size(size)
                        + " on a logarithmic axis, a curve for each target, the one without logging dashed grey. Means: "
                        + curves.stream()
                                .map(curve ->
                                        palette.label(curve.target()) + " " + Micros.withUnit(mean(results, curve)))
                                .collect(Collectors.joining(", "))
                        + ".",
                palette.targetKey(palette.targets()),
                List.of(List.of(panels.panel("", curves, 1, means))),
                List.of("Dots: means. " + panels.notes(palette).get(0)),
                table(results, curves));
    }

    private static double mean(Results results, FigureData.Drawn curve) {
        return results.cells().stream()
                .filter(cell -> cell.target().equals(curve.target()) && cell.payloadBytes() == curve.payloadBytes())
                .map(Results.Cell::endToEndMicros)
                .filter(Objects::nonNull)
                .mapToDouble(Results.Distribution::mean)
                .findFirst()
                .orElseThrow();
    }

    /** The curves themselves are in the table of the end-to-end density. */
    private static Table table(Results results, List<FigureData.Drawn> curves) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        curves.forEach(curve ->
                rows.add(Table.row(curve.target(), curve.payloadBytes(), curve.count(), mean(results, curve))));
        return new Table(List.of("target", "payload bytes", "requests", "mean µs"), rows);
    }
}
