package io.plog.report.study;

import io.plog.report.study.StudyResults.DensityBin;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Row;
import io.plog.report.study.StudyResults.Workload;
import io.plog.report.table.Table;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The tables of the three workloads: the third study. */
final class WorkloadTables {
    /** Below the clock's resolution: the first bin, for durations of 0. */
    static final double NO_TIME_MICROS = 0.01;

    private static final List<String> MULTIPLES = List.of("95 %", "99 %", "99.9 %");

    private WorkloadTables() {}

    static List<Table> of(List<Workload> workloads) {
        return List.of(
                parts(workloads),
                multiples(workloads),
                series(workloads),
                ecdf(workloads),
                mass(workloads),
                peaks(workloads));
    }

    /** Shares of the mean and of the variance, without the whole latency. */
    private static Table parts(List<Workload> workloads) {
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
        for (Workload workload : workloads) {
            parts(table, workload, "mean", Row::share, Row::shareOfMean);
            parts(
                    table,
                    workload,
                    "variance",
                    Row::shareOfVariance,
                    row -> row.shareOfVariance().value());
        }
        return table;
    }

    private interface Share {
        Estimate of(Row row);
    }

    /** What is drawn adds up to one: a component that is short where the latency is long has a negative share, drawn as none. */
    private static void parts(Table table, Workload workload, String of, Share share, ToDoubleFunction<Row> drawn) {
        List<Row> rows = workload.rows().stream().skip(1).toList();
        double all = rows.stream()
                .mapToDouble(row -> Math.max(0, drawn.applyAsDouble(row)))
                .sum();
        rows.forEach(row -> StudyTables.row(
                table,
                workload.name(),
                workload.design(),
                of,
                row.component(),
                StudyTables.cells(share.of(row)),
                all == 0 ? 0 : Math.max(0, drawn.applyAsDouble(row)) / all));
    }

    private static Table multiples(List<Workload> workloads) {
        Table table = Table.of(
                "workload-multiples", 3, "workload", "design", "component", "percentile", "by median", "low", "high");
        for (Workload workload : workloads) {
            for (Row row : workload.rows()) {
                for (int i = 0; i < MULTIPLES.size(); i++) {
                    StudyTables.row(
                            table,
                            workload.name(),
                            workload.design(),
                            row.component(),
                            MULTIPLES.get(i),
                            StudyTables.cells(row.multiples().get(i)));
                }
            }
        }
        return table;
    }

    private static Table series(List<Workload> workloads) {
        Table table =
                Table.of("workload-series", 3, "workload", "design", "component", "from:s", "median:µs", "max:µs");
        for (Workload workload : workloads) {
            workload.rows()
                    .forEach(row -> row.series()
                            .forEach(each -> table.row(
                                    workload.name(),
                                    workload.design(),
                                    row.component(),
                                    each.fromSeconds(),
                                    each.medianMicros(),
                                    each.maxMicros())));
        }
        return table;
    }

    private static Table ecdf(List<Workload> workloads) {
        Table table = Table.of("workload-ecdf", 3, "workload", "design", "component", "time:µs", "share at most:share");
        for (Workload workload : workloads) {
            workload.rows()
                    .forEach(row -> row.ecdf()
                            .forEach(point -> table.row(
                                    workload.name(),
                                    workload.design(),
                                    row.component(),
                                    point.micros(),
                                    point.share())));
        }
        return table;
    }

    /** {@code slowest} are bins from the latency's 95th percentile on; {@code drawn} are all but durations of 0. */
    private static Table mass(List<Workload> workloads) {
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
        for (Workload workload : workloads) {
            double slow = workload.rows().isEmpty()
                    ? Double.NaN
                    : workload.rows().get(0).latency().p95().value();
            for (Row row : workload.rows()) {
                boolean drawn = false;
                for (DensityBin bin : row.density()) {
                    drawn |= bin.toMicros() > NO_TIME_MICROS && bin.share() > 0;
                    table.row(
                            workload.name(),
                            workload.design(),
                            row.component(),
                            drawn ? "yes" : "no",
                            drawn && bin.fromMicros() >= slow ? "yes" : "no",
                            bin.fromMicros(),
                            bin.toMicros(),
                            bin.share());
                }
            }
        }
        return table;
    }

    private static Table peaks(List<Workload> workloads) {
        Table table = Table.of("workload-peaks", 3, "workload", "design", "component", "time:µs", "share:share");
        for (Workload workload : workloads) {
            workload.rows()
                    .forEach(row -> row.peaks()
                            .forEach(peak -> table.row(
                                    workload.name(), workload.design(), row.component(), peak.micros(), peak.share())));
        }
        return table;
    }
}
