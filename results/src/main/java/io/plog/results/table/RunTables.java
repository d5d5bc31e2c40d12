package io.plog.results.table;

import io.plog.results.cells.FigureData;
import io.plog.results.cells.TimeSeries;
import io.plog.results.model.Results;
import io.plog.stats.Ecdf;
import io.plog.stats.text.Units;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of a run, from its results and the data of its cells. */
public final class RunTables {
    private static final double CONFIDENCE = 0.95;

    /** The size of the picture that a reader sees first, or the nearest to it that was measured. */
    private static final int FIRST_SIZE_BYTES = 1000;

    private final Results results;
    private final FigureData figures;
    private final List<String> targets;

    private RunTables(Results results, FigureData figures) {
        this.results = results;
        this.figures = figures;
        targets = results.environment().targets().stream()
                .map(Results.Target::name)
                .toList();
    }

    /** Those that the run has data for. */
    public static List<Table> of(Results results, FigureData figures) {
        RunTables run = new RunTables(results, figures);
        return Stream.of(
                        run.cost(),
                        run.density(),
                        run.peaks(),
                        run.means(),
                        run.shift(),
                        run.ecdf(),
                        run.ends(),
                        run.series(),
                        run.interruptions(),
                        run.components())
                .filter(table -> !table.rows().isEmpty())
                .toList();
    }

    private static String measure(FigureData.Drawn curve) {
        return curve.isLogging() ? "logging" : "end to end";
    }

    private Table cost() {
        Table table = Table.of("cost", 2, "target", "payload:bytes", "requests:count", "mean:µs");
        int size = figures.curves().stream()
                .map(FigureData.Drawn::payloadBytes)
                .min(Comparator.comparingInt(bytes -> Math.abs(bytes - FIRST_SIZE_BYTES)))
                .orElse(0);
        results.cells().stream()
                .filter(cell -> cell.payloadBytes() == size && cell.count() > 0 && cell.endToEndMicros() != null)
                .forEach(cell -> table.row(cell.target(), size, cell.count(), mean(cell)));
        return table;
    }

    private static double mean(Results.Cell cell) {
        Results.Distribution found = cell.endToEndMicros();
        return found == null ? Double.NaN : found.mean();
    }

    /** A curve for each cell and measure; all of a measure have the same bins, each of the same width in ln(latency). */
    private Table density() {
        Table table = Table.of(
                "density",
                3,
                "measure",
                "target",
                "payload:bytes",
                "from:µs",
                "to:µs",
                "requests:count",
                "share:share",
                "density per unit of ln(latency)",
                "density per µs");
        for (FigureData.Drawn curve : figures.curves()) {
            FigureData.Bins bins = curve.isLogging() ? figures.logging() : figures.endToEnd();
            for (int i = 0; bins != null && i < curve.counts().length; i++) {
                double from = bins.edges()[i];
                double to = bins.edges()[i + 1];
                double share = (double) curve.counts()[i] / curve.count();
                table.row(
                        measure(curve),
                        curve.target(),
                        curve.payloadBytes(),
                        from,
                        to,
                        curve.counts()[i],
                        Units.significant(share, 6),
                        Units.significant(share / Math.log(to / from), 6),
                        Units.significant(share / (to - from), 6));
            }
        }
        return table;
    }

    /** Where a distribution has more than one, each found again by the bootstrap. */
    private Table peaks() {
        Table table = Table.of("peaks", 3, "measure", "target", "payload:bytes", "latency:µs", "share:share");
        for (Results.Cell cell : results.cells()) {
            peaks(table, "logging", cell, cell.logPeaks());
            peaks(table, "end to end", cell, cell.endToEndPeaks());
        }
        return table;
    }

    private static void peaks(Table table, String measure, Results.Cell cell, List<Results.Peak> peaks) {
        if (peaks.size() > 1) {
            peaks.forEach(peak -> table.row(measure, cell.target(), cell.payloadBytes(), peak.micros(), peak.share()));
        }
    }

    private Table means() {
        Table table = Table.of(
                "means",
                3,
                "target",
                "payload:bytes",
                "measure",
                "requests:count",
                "mean:µs",
                "sd:µs",
                "mean low:µs",
                "mean high:µs",
                "median:µs");
        for (Results.Cell cell : results.cells()) {
            if (cell.endToEndMicros() != null) {
                means(table, cell, "logging", cell.logMicros());
                means(table, cell, "end to end", cell.endToEndMicros());
            }
        }
        return table;
    }

    private static void means(Table table, Results.Cell cell, String measure, Results.@Nullable Distribution d) {
        if (d != null) {
            Results.Interval interval = d.meanInterval();
            table.row(
                    cell.target(),
                    cell.payloadBytes(),
                    measure,
                    cell.count(),
                    d.mean(),
                    d.sd(),
                    interval == null ? null : interval.low(),
                    interval == null ? null : interval.high(),
                    d.p50());
        }
    }

    private Table shift() {
        Table table = Table.of("shift", 2, "target", "payload:bytes", "quantile", "difference:µs", "low:µs", "high:µs");
        for (Results.Overhead overhead : results.overhead()) {
            for (Results.Shift shift : overhead.shift()) {
                table.row(
                        overhead.target(),
                        overhead.payloadBytes(),
                        shift.q(),
                        shift.micros(),
                        shift.interval().low(),
                        shift.interval().high());
            }
        }
        return table;
    }

    /** Half the width of the 95 % band. */
    private static double band(FigureData.Drawn curve) {
        return new Ecdf(curve.count(), curve.ecdf()[0], curve.ecdf()[1]).band(CONFIDENCE);
    }

    /** Distribution function and tail are the same table, read from either end. */
    private Table ecdf() {
        Table table = Table.of(
                "ecdf",
                3,
                "measure",
                "target",
                "payload:bytes",
                "latency:µs",
                "share at most:share",
                "band low:share",
                "band high:share",
                "requests slower:count",
                "share slower:share");
        for (FigureData.Drawn curve : figures.curves()) {
            double half = band(curve);
            for (int i = 0; i < curve.ecdf()[0].length; i++) {
                double share = curve.shareAtMost(i);
                long slower = curve.count() - curve.ecdf()[1][i];
                table.row(
                        measure(curve),
                        curve.target(),
                        curve.payloadBytes(),
                        curve.ecdf()[0][i] / 1000.0,
                        Units.significant(share, 8),
                        Units.significant(Math.max(0, share - half), 6),
                        Units.significant(Math.min(1, share + half), 6),
                        slower,
                        Units.significant((double) slower / curve.count(), 8));
            }
        }
        return table;
    }

    /** A row for each curve: the quantiles to the next knot. */
    private Table ends() {
        Table table = Table.of(
                "ends",
                3,
                "measure",
                "target",
                "payload:bytes",
                "requests:count",
                "band:share",
                "min:µs",
                "10 %:µs",
                "90 %:µs",
                "99 %:µs",
                "max:µs");
        for (FigureData.Drawn curve : figures.curves()) {
            table.row(
                    measure(curve),
                    curve.target(),
                    curve.payloadBytes(),
                    curve.count(),
                    Units.significant(band(curve), 6),
                    at(curve, 0),
                    at(curve, 0.1),
                    at(curve, 0.9),
                    at(curve, 0.99),
                    at(curve, 1));
        }
        return table;
    }

    /** The latency in microseconds that at least this share of the requests did not exceed, to the next knot. */
    private static double at(FigureData.Drawn curve, double share) {
        int knot = 0;
        while (curve.shareAtMost(knot) < share - 1e-9) {
            knot++;
        }
        return curve.ecdf()[0][knot] / 1000.0;
    }

    private Table series() {
        Table table = Table.of(
                "series",
                3,
                "target",
                "payload:bytes",
                "measure",
                "first request:count",
                "start:ms",
                "end:ms",
                "min:µs",
                "median:µs",
                "max:µs");
        for (FigureData.Drawn curve : figures.curves()) {
            TimeSeries series = curve.series();
            for (int i = 0; i < series.first().length; i++) {
                table.row(
                        curve.target(),
                        curve.payloadBytes(),
                        measure(curve),
                        series.first()[i] + 1,
                        series.startMillis()[i],
                        series.endMillis()[i],
                        series.min()[i] / 1000.0,
                        series.median()[i] / 1000.0,
                        series.max()[i] / 1000.0);
            }
        }
        return table;
    }

    /** Which requests of each cell fell on an event, for a lane under its series. */
    private Table interruptions() {
        Table table = Table.of(
                "interruptions",
                3,
                "target",
                "payload:bytes",
                "interruption",
                "from request:count",
                "to request:count");
        for (FigureData.Lane lane : figures.lanes()) {
            figures.curves().stream()
                    .filter(curve -> !curve.isLogging())
                    .forEach(curve -> InterruptionSpans.joined(lane, curve.series(), curve.count())
                            .forEach(span -> table.row(
                                    curve.target(),
                                    curve.payloadBytes(),
                                    lane.side() + " " + lane.kind(),
                                    Units.rounded(span[0], 2),
                                    Units.rounded(span[1], 2))));
        }
        return table;
    }

    private Table components() {
        Table table = Table.of("components", 4, "target", "payload:bytes", "at", "part", "time:µs", "share:share");
        results.cells().stream()
                .sorted(Comparator.comparingInt((Results.Cell cell) -> targets.indexOf(cell.target()))
                        .thenComparingInt(Results.Cell::payloadBytes))
                .forEach(cell -> {
                    Results.Components components = cell.components();
                    if (components != null) {
                        parts(table, cell, "mean", components.parts());
                        parts(table, cell, "median", components.atMedian());
                        parts(table, cell, "p99", components.atP99());
                    }
                });
        return table;
    }

    private static void parts(Table table, Results.Cell cell, String at, List<Results.Part> parts) {
        parts.forEach(
                part -> table.row(cell.target(), cell.payloadBytes(), at, part.name(), part.micros(), part.share()));
    }
}
