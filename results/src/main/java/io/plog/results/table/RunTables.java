package io.plog.results.table;

import io.plog.results.cells.FigureData;
import io.plog.results.cells.FigureData.Drawn;
import io.plog.results.cells.FigureData.Place;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.stats.Ecdf;
import io.plog.stats.Percentile;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of a run, from its results and the data of its cells. */
public final class RunTables {
    private static final double CONFIDENCE = 0.95;

    private final Results results;
    private final FigureData figures;

    private RunTables(Results results, FigureData figures) {
        this.results = results;
        this.figures = figures;
    }

    /** Those that the run has data for. */
    public static List<Table> of(Results results, FigureData figures) {
        RunTables run = new RunTables(results, figures);
        return Stream.of(
                        run.density(),
                        run.peaks(),
                        run.means(),
                        run.shift(),
                        run.ecdf(),
                        run.series(),
                        run.interruptions(),
                        run.components())
                .filter(table -> !table.rows().isEmpty())
                .toList();
    }

    /** One of the things that a cell has several of, such as peaks. */
    private record Of<P>(Cell cell, String what, P part) {}

    private static String measure(Drawn curve) {
        return curve.isLogging() ? "logging" : "end to end";
    }

    private TableOf<Place> places(String name, Function<Drawn, Stream<Place>> which) {
        return TableOf.each(figures.curves().stream().flatMap(which).toList(), name, 3);
    }

    /** A curve for each cell and measure; all of a measure have the same bins, each of the same width in ln(latency). */
    private Table density() {
        return places("density", Drawn::bins)
                .column("measure", place -> measure(place.curve()))
                .column("target", place -> place.curve().target())
                .column("payload:bytes", place -> place.curve().payloadBytes())
                .column("from:µs", Place::from)
                .column("to:µs", Place::to)
                .column("requests:count", bin -> bin.curve().counts()[bin.at()])
                .column("share:share", bin -> Units.significant(bin.share(), 6))
                .column(
                        "density per unit of ln(latency)",
                        bin -> Units.significant(bin.share() / Math.log(bin.to() / bin.from()), 6))
                .column("density per µs", bin -> Units.significant(bin.share() / (bin.to() - bin.from()), 6))
                .table();
    }

    /** Where a distribution has more than one, each found again by the bootstrap. */
    private Table peaks() {
        List<Of<Results.Peak>> peaks = new ArrayList<>();
        for (Cell cell : results.cells()) {
            add(peaks, cell, "logging", severalOf(cell.logPeaks()));
            add(peaks, cell, "end to end", severalOf(cell.endToEndPeaks()));
        }
        return TableOf.each(peaks, "peaks", 3)
                .column("measure", Of::what)
                .column("target", peak -> peak.cell.target())
                .column("payload:bytes", peak -> peak.cell.payloadBytes())
                .column("latency:µs", peak -> peak.part.micros())
                .column("share:share", peak -> peak.part.share())
                .table();
    }

    private static List<Results.Peak> severalOf(List<Results.Peak> peaks) {
        return peaks.size() > 1 ? peaks : List.of();
    }

    private static <P> void add(List<Of<P>> all, Cell cell, String what, List<P> parts) {
        parts.forEach(part -> all.add(new Of<>(cell, what, part)));
    }

    private Table means() {
        List<Of<Results.Distribution>> found = new ArrayList<>();
        for (Cell cell : results.cells()) {
            if (cell.endToEndMicros() != null) {
                add(found, cell, "logging", Stream.ofNullable(cell.logMicros()).toList());
                add(found, cell, "end to end", List.of(cell.endToEndMicros()));
            }
        }
        return TableOf.each(found, "means", 3)
                .column("target", of -> of.cell.target())
                .column("payload:bytes", of -> of.cell.payloadBytes())
                .column("measure", Of::what)
                .column("requests:count", of -> of.cell.count())
                .column("mean:µs", of -> of.part.mean())
                .column("sd:µs", of -> of.part.sd())
                .column("mean low:µs", of -> low(of.part.meanInterval()))
                .column("mean high:µs", of -> high(of.part.meanInterval()))
                .column("median:µs", of -> of.part.p50())
                .column("min:µs", of -> of.part.min())
                .column("5 %:µs", of -> of.part.at(Percentile.P5).micros())
                .column("95 %:µs", of -> of.part.at(Percentile.P95).micros())
                .column("99 %:µs", of -> of.part.p99())
                .column("max:µs", of -> of.part.max())
                .column("band:share", of -> Units.significant(Ecdf.band(of.cell.count(), CONFIDENCE), 6))
                .table();
    }

    private static @Nullable Double low(Results.@Nullable Interval interval) {
        return interval == null ? null : interval.low();
    }

    private static @Nullable Double high(Results.@Nullable Interval interval) {
        return interval == null ? null : interval.high();
    }

    /** The difference at a quantile of a target and a size. */
    private record Shifted(Results.Overhead of, Results.Shift shift) {}

    private Table shift() {
        List<Shifted> all = results.overhead().stream()
                .flatMap(of -> of.shift().stream().map(shift -> new Shifted(of, shift)))
                .toList();
        return TableOf.each(all, "shift", 2)
                .column("target", row -> row.of.target())
                .column("payload:bytes", row -> row.of.payloadBytes())
                .column("quantile", row -> row.shift.q())
                .column("difference:µs", row -> row.shift.micros())
                .column("low:µs", row -> low(row.shift.interval()))
                .column("high:µs", row -> high(row.shift.interval()))
                .table();
    }

    /** Half the width of the 95 % band. */
    private static double band(Drawn curve) {
        return Ecdf.band(curve.count(), CONFIDENCE);
    }

    private static long slower(Place knot) {
        return knot.curve().count() - knot.curve().ecdf().ranks()[knot.at()];
    }

    /** Distribution function and tail are the same table, read from either end. */
    private Table ecdf() {
        return places("ecdf", Drawn::knots)
                .column("measure", place -> measure(place.curve()))
                .column("target", place -> place.curve().target())
                .column("payload:bytes", place -> place.curve().payloadBytes())
                .column("latency:µs", Place::micros)
                .column("share at most:share", knot -> Units.significant(knot.shareAtMost(), 8))
                .column(
                        "band low:share",
                        knot -> Units.significant(Math.max(0, knot.shareAtMost() - band(knot.curve())), 6))
                .column(
                        "band high:share",
                        knot -> Units.significant(Math.min(1, knot.shareAtMost() + band(knot.curve())), 6))
                .column("requests slower:count", RunTables::slower)
                .column(
                        "share slower:share",
                        knot -> Units.significant(
                                (double) slower(knot) / knot.curve().count(), 8))
                .table();
    }

    private Table series() {
        return places("series", Drawn::runs)
                .column("target", place -> place.curve().target())
                .column("payload:bytes", place -> place.curve().payloadBytes())
                .column("measure", place -> measure(place.curve()))
                .column("first request:count", run -> run.curve().series().first()[run.at()] + 1)
                .column("start:ms", run -> run.curve().series().startMillis()[run.at()])
                .column("end:ms", run -> run.curve().series().endMillis()[run.at()])
                .column("min:µs", run -> run.curve().series().min()[run.at()] / 1000.0)
                .column("median:µs", run -> run.curve().series().median()[run.at()] / 1000.0)
                .column("max:µs", run -> run.curve().series().max()[run.at()] / 1000.0)
                .table();
    }

    /** From which to which request of a curve something interrupted a side. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Span(FigureData.Lane lane, Drawn curve, double[] ends) {}

    /** Which requests of each cell fell on an event, for a lane under its series. */
    private Table interruptions() {
        List<Span> spans = figures.lanes().stream()
                .flatMap(lane -> figures.curves().stream()
                        .filter(curve -> !curve.isLogging())
                        .flatMap(curve -> InterruptionSpans.joined(lane, curve.series(), curve.count()).stream()
                                .map(ends -> new Span(lane, curve, ends))))
                .toList();
        return TableOf.each(spans, "interruptions", 3)
                .column("target", span -> span.curve.target())
                .column("payload:bytes", span -> span.curve.payloadBytes())
                .column("interruption", span -> span.lane.side() + " " + span.lane.kind())
                .column("from request:count", span -> Units.rounded(span.ends[0], 2))
                .column("to request:count", span -> Units.rounded(span.ends[1], 2))
                .table();
    }

    private Table components() {
        List<Of<Results.Part>> parts = new ArrayList<>();
        results.cells()
                .forEach(cell -> Stream.ofNullable(cell.components()).forEach(components -> {
                    add(parts, cell, "mean", components.parts());
                    add(parts, cell, "median", components.atMedian());
                    add(parts, cell, "p99", components.atP99());
                }));
        return TableOf.each(parts, "components", 4)
                .column("target", of -> of.cell.target())
                .column("payload:bytes", of -> of.cell.payloadBytes())
                .column("at", Of::what)
                .column("part", of -> of.part.name())
                .column("time:µs", of -> of.part.micros())
                .column("share:share", of -> of.part.share())
                .table();
    }
}
