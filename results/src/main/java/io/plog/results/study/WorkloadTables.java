package io.plog.results.study;

import io.plog.measure.study.StudyCell;
import io.plog.results.cells.FigureData.PartCurve;
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
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The tables of the three workloads: the third study. */
final class WorkloadTables {
    /** Below the clock's resolution: the first bin, for durations of 0. */
    static final double NO_TIME_MICROS = 0.01;

    private static final List<String> MULTIPLES = List.of("95 %", "99 %", "99.9 %");

    private WorkloadTables() {}

    static List<Table> of(List<Cell> workloads, List<PartCurve> curves) {
        return List.of(
                parts(workloads),
                multiples(workloads),
                series(curves),
                ecdf(curves),
                mass(workloads, curves),
                peaks(workloads));
    }

    /** One of the things that a workload, or a part of it, has several of. */
    private record Of<P>(String design, Map<String, String> dimensions, String part, P thing) {
        Of(Cell workload, String part, P thing) {
            this(workload.target(), workload.dimensions(), part, thing);
        }
    }

    /** A table whose first columns say which part of which workload a row is about. */
    private static <P> TableOf<Of<P>> table(Collection<Of<P>> rows, String name, int keys) {
        return TableOf.each(rows, name, keys)
                .column("workload", row -> row.dimensions.getOrDefault(StudyCell.WORKLOAD, ""))
                .column("design", Of::design);
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

    /** A percentile as a multiple of the median. */
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

    /** A place on a curve: a stretch of time, a knot, a bin. */
    private record Place(PartCurve curve, int at) {}

    private static List<Of<Place>> places(List<PartCurve> curves, ToIntFunction<PartCurve> count) {
        return curves.stream()
                .flatMap(curve -> IntStream.range(0, count.applyAsInt(curve))
                        .mapToObj(
                                at -> new Of<>(curve.target(), curve.dimensions(), curve.part(), new Place(curve, at))))
                .toList();
    }

    private static Table series(List<PartCurve> curves) {
        return table(places(curves, curve -> curve.series().size()), "workload-series", 3)
                .column("component", Of::part)
                .column(
                        "from:s",
                        row -> row.thing.curve.series().get(row.thing.at).fromSeconds())
                .column(
                        "median:µs",
                        row -> row.thing.curve.series().get(row.thing.at).medianMicros())
                .column(
                        "max:µs",
                        row -> row.thing.curve.series().get(row.thing.at).maxMicros())
                .table();
    }

    private static Table ecdf(List<PartCurve> curves) {
        return table(places(curves, curve -> curve.ecdf()[0].length), "workload-ecdf", 3)
                .column("component", Of::part)
                .column("time:µs", row -> Micros.ofNanos(row.thing.curve.ecdf()[0][row.thing.at]))
                .column(
                        "share at most:share",
                        row -> Units.rounded(
                                (double) row.thing.curve.ecdf()[1][row.thing.at] / row.thing.curve.count(), 6))
                .table();
    }

    private static double share(Place bin) {
        return Units.rounded((double) bin.curve.counts()[bin.at] / bin.curve.count(), 6);
    }

    /** Whether it is no bin of durations of 0, which stand before all others. */
    private static boolean isDrawn(Place bin) {
        return IntStream.rangeClosed(0, bin.at)
                .anyMatch(at -> bin.curve.edges()[at + 1] > NO_TIME_MICROS && share(new Place(bin.curve, at)) > 0);
    }

    /** {@code slowest} are bins from the latency's 95th percentile on; {@code drawn} are all but durations of 0. */
    private static Table mass(List<Cell> workloads, List<PartCurve> curves) {
        return table(places(curves, curve -> curve.counts().length), "workload-mass", 5)
                .column("component", Of::part)
                .column("drawn", row -> isDrawn(row.thing) ? "yes" : "no")
                .column("slowest", row -> isDrawn(row.thing) && isSlow(workloads, row.thing) ? "yes" : "no")
                .column("from:µs", row -> row.thing.curve.edges()[row.thing.at])
                .column("to:µs", row -> row.thing.curve.edges()[row.thing.at + 1])
                .column("share:share", row -> share(row.thing))
                .table();
    }

    private static boolean isSlow(List<Cell> workloads, Place bin) {
        return workloads.stream()
                .filter(cell -> cell.target().equals(bin.curve.target())
                        && cell.dimensions().equals(bin.curve.dimensions()))
                .limit(1)
                .anyMatch(cell -> bin.curve.edges()[bin.at]
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
