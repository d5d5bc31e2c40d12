package io.plog.results.study;

import io.plog.measure.plan.StudyCell;
import io.plog.results.cells.FigureData;
import io.plog.results.cells.FigureData.Drawn;
import io.plog.results.cells.FigureData.Place;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.WorkloadPart;
import io.plog.results.table.Table;
import io.plog.results.table.TableOf;
import io.plog.stats.Estimate;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The tables of the three workloads: the third study. */
final class WorkloadTables {
    /** Below the clock's resolution: the first bin, for durations of 0. */
    static final double NO_TIME_MICROS = 0.01;

    private static final List<String> MULTIPLES = List.of("95 %", "99 %", "99.9 %");

    private WorkloadTables() {}

    static List<Table> of(List<Cell> workloads, List<Drawn> curves) {
        return List.of(
                parts(workloads),
                multiples(workloads),
                series(curves),
                ecdf(curves),
                mass(workloads, curves),
                peaks(workloads));
    }

    /** One of the things that a workload, or a part of it, has several of. */
    private record Of<P>(Cell workload, String part, P thing) {}

    /** A table whose first columns say which part of which workload a row is about. */
    private static <P> TableOf<Of<P>> table(Collection<Of<P>> rows, String name, int keys) {
        return TableOf.each(rows, name, keys)
                .column("workload", row -> row.workload.dimension(StudyCell.WORKLOAD))
                .column("design", row -> row.workload.target());
    }

    private static <P> List<Of<P>> each(List<Cell> workloads, Function<WorkloadPart, Stream<P>> things) {
        return workloads.stream()
                .flatMap(workload -> StudyCells.parts(workload).stream()
                        .flatMap(part -> things.apply(part).map(thing -> new Of<>(workload, part.name(), thing))))
                .toList();
    }

    /** A share, and how much of the whole is drawn for it. */
    private record Share(String of, Estimate estimate, double drawn) {}

    /** Shares of the mean and of the variance, without the whole latency. */
    private static Table parts(List<Cell> workloads) {
        List<Of<Share>> shares = new ArrayList<>();
        for (Cell workload : workloads) {
            add(shares, workload, "mean", WorkloadPart::share);
            add(shares, workload, "variance", WorkloadPart::shareOfVariance);
        }
        return table(shares, "workload-parts", 2)
                .column("of", row -> row.thing.of)
                .column("part", Of::part)
                .estimate("share:share", "low:share", "high:share", row -> row.thing.estimate)
                .column("drawn:share", row -> row.thing.drawn)
                .table();
    }

    /** What is drawn adds up to one: a component that is short where the latency is long has a negative share, drawn as none. */
    private static void add(List<Of<Share>> shares, Cell workload, String of, Function<WorkloadPart, Estimate> share) {
        List<WorkloadPart> parts = StudyCells.parts(workload).stream().skip(1).toList();
        double all = parts.stream()
                .mapToDouble(part -> Math.max(0, share.apply(part).value()))
                .sum();
        parts.forEach(part -> shares.add(new Of<>(
                workload,
                part.name(),
                new Share(
                        of,
                        share.apply(part),
                        all == 0 ? 0 : Math.max(0, share.apply(part).value()) / all))));
    }

    private record Multiple(String percentile, Estimate byMedian) {}

    private static Table multiples(List<Cell> workloads) {
        List<Of<Multiple>> multiples = each(
                workloads,
                part -> IntStream.range(0, MULTIPLES.size())
                        .mapToObj(i ->
                                new Multiple(MULTIPLES.get(i), part.multiples().get(i))));
        return table(multiples, "workload-multiples", 3)
                .column("component", Of::part)
                .column("percentile", row -> row.thing.percentile)
                .estimate("by median", "low", "high", row -> row.thing.byMedian)
                .table();
    }

    /** Of the latency and its components of each workload. */
    private static TableOf<Place> places(
            List<Drawn> curves, String name, int keys, Function<Drawn, Stream<Place>> which) {
        return TableOf.each(
                        curves.stream()
                                .filter(curve -> curve.dimensions().containsKey(StudyCell.WORKLOAD)
                                        && !curve.measure().equals(FigureData.END_TO_END))
                                .flatMap(which)
                                .toList(),
                        name,
                        keys)
                .column("workload", place -> place.curve().dimensions().get(StudyCell.WORKLOAD))
                .column("design", place -> place.curve().target())
                .column("component", place -> place.curve().measure());
    }

    private static Table series(List<Drawn> curves) {
        return places(curves, "workload-series", 3, Drawn::runs)
                .column("from:s", run -> run.curve().series().startMillis()[run.at()] / 1000.0)
                .column("median:µs", run -> Micros.ofNanos(run.curve().series().median()[run.at()]))
                .column("max:µs", run -> Micros.ofNanos(run.curve().series().max()[run.at()]))
                .table();
    }

    private static Table ecdf(List<Drawn> curves) {
        return places(curves, "workload-ecdf", 3, Drawn::knots)
                .column("time:µs", Place::micros)
                .column("share at most:share", knot -> Units.rounded(knot.shareAtMost(), 6))
                .table();
    }

    /** Whether it is no bin of durations of 0, which stand before all others. */
    private static boolean isDrawn(Place bin) {
        return bin.curve()
                .bins()
                .limit(bin.at() + 1L)
                .anyMatch(other -> other.to() > NO_TIME_MICROS && other.curve().counts()[other.at()] > 0);
    }

    /** {@code slowest} are bins from the latency's 95th percentile on; {@code drawn} are all but durations of 0. */
    private static Table mass(List<Cell> workloads, List<Drawn> curves) {
        return places(curves, "workload-mass", 5, Drawn::bins)
                .column("drawn", bin -> isDrawn(bin) ? "yes" : "no")
                .column("slowest", bin -> isDrawn(bin) && isSlow(workloads, bin) ? "yes" : "no")
                .column("from:µs", Place::from)
                .column("to:µs", Place::to)
                .column("share:share", bin -> Units.rounded(bin.share(), 6))
                .table();
    }

    private static boolean isSlow(List<Cell> workloads, Place bin) {
        return workloads.stream()
                .filter(bin.curve()::isOf)
                .limit(1)
                .anyMatch(cell -> bin.from()
                        >= StudyCells.latency(cell).at(Percentile.P95).micros());
    }

    private static Table peaks(List<Cell> workloads) {
        return table(each(workloads, part -> part.peaks().stream()), "workload-peaks", 3)
                .column("component", Of::part)
                .column("time:µs", row -> row.thing.micros())
                .column("share:share", row -> row.thing.share())
                .table();
    }
}
