package io.plog.results.study;

import io.plog.measure.study.StudyCell;
import io.plog.results.cells.FigureData.PartCurve;
import io.plog.results.cells.FigureData.Stretch;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Estimate;
import io.plog.results.model.Results.WorkloadPart;
import io.plog.results.table.Table;
import io.plog.stats.Percentile;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.function.Function;

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

    /** Shares of the mean and of the variance, without the whole latency. */
    private static Table parts(List<Cell> workloads) {
        Table table = Table.of(
                "workload-parts",
                2,
                "workload",
                "design",
                "of",
                "part",
                "share:share",
                "low:share",
                "high:share",
                "drawn:share");
        for (Cell workload : workloads) {
            parts(table, workload, "mean", WorkloadPart::share);
            parts(table, workload, "variance", WorkloadPart::shareOfVariance);
        }
        return table;
    }

    /** What is drawn adds up to one: a component that is short where the latency is long has a negative share, drawn as none. */
    private static void parts(Table table, Cell workload, String of, Function<WorkloadPart, Estimate> share) {
        List<WorkloadPart> parts = StudyCells.parts(workload).stream().skip(1).toList();
        double all = parts.stream()
                .mapToDouble(part -> Math.max(0, share.apply(part).value()))
                .sum();
        parts.forEach(part -> StudyTables.row(
                table,
                name(workload),
                workload.target(),
                of,
                part.name(),
                StudyTables.cells(share.apply(part)),
                all == 0 ? 0 : Math.max(0, share.apply(part).value()) / all));
    }

    private static String name(Cell workload) {
        return workload.dimension(StudyCell.WORKLOAD);
    }

    private static String name(PartCurve curve) {
        return curve.dimensions().getOrDefault(StudyCell.WORKLOAD, "");
    }

    private static Table multiples(List<Cell> workloads) {
        Table table = Table.of(
                "workload-multiples", 3, "workload", "design", "component", "percentile", "by median", "low", "high");
        for (Cell workload : workloads) {
            for (WorkloadPart part : StudyCells.parts(workload)) {
                for (int i = 0; i < MULTIPLES.size(); i++) {
                    StudyTables.row(
                            table,
                            name(workload),
                            workload.target(),
                            part.name(),
                            MULTIPLES.get(i),
                            StudyTables.cells(part.multiples().get(i)));
                }
            }
        }
        return table;
    }

    private static Table series(List<PartCurve> curves) {
        Table table =
                Table.of("workload-series", 3, "workload", "design", "component", "from:s", "median:µs", "max:µs");
        for (PartCurve curve : curves) {
            for (Stretch each : curve.series()) {
                table.row(
                        name(curve),
                        curve.target(),
                        curve.part(),
                        each.fromSeconds(),
                        each.medianMicros(),
                        each.maxMicros());
            }
        }
        return table;
    }

    private static Table ecdf(List<PartCurve> curves) {
        Table table = Table.of("workload-ecdf", 3, "workload", "design", "component", "time:µs", "share at most:share");
        curves.forEach(curve ->
                StudyTables.points(table, curve.ecdf(), curve.count(), name(curve), curve.target(), curve.part()));
        return table;
    }

    /** {@code slowest} are bins from the latency's 95th percentile on; {@code drawn} are all but durations of 0. */
    private static Table mass(List<Cell> workloads, List<PartCurve> curves) {
        Table table = Table.of(
                "workload-mass",
                5,
                "workload",
                "design",
                "component",
                "drawn",
                "slowest",
                "from:µs",
                "to:µs",
                "share:share");
        for (PartCurve curve : curves) {
            double slow = workloads.stream()
                    .filter(cell -> cell.target().equals(curve.target())
                            && cell.dimensions().equals(curve.dimensions()))
                    .findFirst()
                    .map(cell -> StudyCells.latency(cell).at(Percentile.P95).micros())
                    .orElse(Double.NaN);
            boolean drawn = false;
            for (int i = 0; i < curve.counts().length; i++) {
                double from = curve.edges()[i];
                double to = curve.edges()[i + 1];
                double share = Units.rounded((double) curve.counts()[i] / curve.count(), 6);
                drawn |= to > NO_TIME_MICROS && share > 0;
                table.row(
                        name(curve),
                        curve.target(),
                        curve.part(),
                        drawn ? "yes" : "no",
                        drawn && from >= slow ? "yes" : "no",
                        from,
                        to,
                        share);
            }
        }
        return table;
    }

    private static Table peaks(List<Cell> workloads) {
        Table table = Table.of("workload-peaks", 3, "workload", "design", "component", "time:µs", "share:share");
        for (Cell workload : workloads) {
            StudyCells.parts(workload)
                    .forEach(part -> part.peaks()
                            .forEach(peak -> table.row(
                                    name(workload), workload.target(), part.name(), peak.micros(), peak.share())));
        }
        return table;
    }
}
