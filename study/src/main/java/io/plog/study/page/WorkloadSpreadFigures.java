package io.plog.study.page;

import io.plog.report.chart.PartPalette;
import io.plog.report.figure.Axis;
import io.plog.report.figure.Axis.Tick;
import io.plog.report.figure.Figure;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import io.plog.study.StudyResults.Estimate;
import io.plog.study.StudyResults.Row;
import io.plog.study.StudyResults.Stretch;
import io.plog.study.StudyResults.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** The three workloads: which component makes the mean and which the spread, and every component in the order of time. */
final class WorkloadSpreadFigures {
    private static final double ROW = 26;
    private static final double HEIGHT = 130;

    /** Below the clock's resolution: no time at all. */
    private static final double LEAST_MICROS = 0.1;

    private final List<Workload> workloads;
    private final List<String> components;

    WorkloadSpreadFigures(StudyView study) {
        workloads = study.results().workloads().stream()
                .filter(workload -> workload.rows().size() > 1)
                .toList();
        components = workloads.stream()
                .flatMap(workload -> workload.rows().stream().skip(1))
                .map(Row::component)
                .distinct()
                .toList();
    }

    /** Bars for each workload: shares of the mean, and of the variance. */
    @Nullable
    Figure parts() {
        if (workloads.isEmpty()) {
            return null;
        }
        Axis names = Axes.rows(workloads.stream().map(Workload::name).toList());
        List<Panel> panels = List.of(
                panel("Share of the mean", names, Row::shareOfMean),
                panel(
                        "Share of the variance",
                        names.withoutLabels(),
                        row -> row.shareOfVariance().value()));
        return new Figure(
                "workload-parts",
                "The three workloads: what makes the latency, and what makes its spread",
                "Shares of the mean latency, and of its variance, that each component makes. "
                        + workloads.stream().map(this::words).collect(Collectors.joining("; ")) + ".",
                components.stream()
                        .map(name -> KeyEntry.area(name, PartPalette.of(name)))
                        .toList(),
                List.of(panels),
                List.of(
                        "Share of the variance: the component's covariance with the latency, by the latency's variance. A component"
                                + " that is short where the latency is long has a negative one, drawn as none.",
                        "Published (Wu): of the mean, network over 50 %, service about 30 %, waiting about 3 %."),
                table());
    }

    private Panel panel(String heading, Axis names, ToDoubleFunction<Row> share) {
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < workloads.size(); i++) {
            double row = workloads.size() - 1.0 - i;
            List<Row> rows = workloads.get(i).rows();
            double all = rows.stream()
                    .skip(1)
                    .mapToDouble(share)
                    .map(value -> Math.max(0, value))
                    .sum();
            double at = 0;
            for (Row each : rows.subList(1, rows.size())) {
                double width = all == 0 ? 0 : Math.max(0, share.applyAsDouble(each)) / all;
                marks.add(new Mark.Box(
                        at,
                        at + width,
                        row - 0.36,
                        row + 0.36,
                        PartPalette.of(each.component()),
                        width >= 0.12 ? Units.wholePercent(share.applyAsDouble(each)) : ""));
                at += width;
            }
        }
        Axis shares = new Axis(
                "",
                Axis.Scale.LINEAR,
                0,
                1.08,
                List.of(new Tick(0, "0"), new Tick(0.5, "50 %"), new Tick(1, "100 %")),
                false);
        return Panel.of(heading, shares, names, ROW * workloads.size(), marks);
    }

    private String words(Workload workload) {
        return workload.name() + ": "
                + workload.rows().stream()
                        .skip(1)
                        .map(row -> row.component() + " " + Units.wholePercent(row.shareOfMean()) + " of the mean and "
                                + StudyNumbers.interval(row.shareOfVariance(), WorkloadSpreadFigures::percent)
                                + " of the variance")
                        .collect(Collectors.joining(", "));
    }

    /** Also of a negative share. */
    private static String percent(double share) {
        return Math.round(100 * share) + " %";
    }

    private Table table() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Workload workload : workloads) {
            for (Row row : workload.rows()) {
                Estimate spread = row.shareOfVariance();
                List<@Nullable Object> cells = new ArrayList<>(Table.row(
                        workload.name(),
                        workload.design(),
                        row.component(),
                        row.share().value(),
                        row.share().low(),
                        row.share().high(),
                        spread.value(),
                        spread.low(),
                        spread.high()));
                row.multiples().forEach(each -> cells.add(StudyNumbers.interval(each, StudyNumbers::factor)));
                rows.add(cells);
            }
        }
        return new Table(
                List.of(
                        "workload",
                        "design",
                        "component",
                        "share of the mean",
                        "low",
                        "high",
                        "share of the variance",
                        "low",
                        "high",
                        "95 % by median",
                        "99 % by median",
                        "99.9 % by median"),
                rows);
    }

    /** Median and maximum of each component in the order of time. */
    @Nullable
    Figure series() {
        List<Workload> told = workloads.stream()
                .filter(workload ->
                        workload.rows().stream().anyMatch(row -> !row.series().isEmpty()))
                .toList();
        if (told.isEmpty()) {
            return null;
        }
        Axis x = Axes.fromZero(
                "seconds from the beginning of the counted time",
                told.stream()
                        .flatMap(workload -> workload.rows().stream())
                        .flatMap(row -> row.series().stream())
                        .mapToDouble(Stretch::fromSeconds),
                Axes.width(1),
                Ticks::number);
        List<List<Panel>> panels = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Workload workload : told) {
            panels.add(List.of(seriesPanel(workload, x)));
            workload.rows()
                    .forEach(row -> row.series()
                            .forEach(each -> rows.add(Table.row(
                                    workload.name(),
                                    workload.design(),
                                    row.component(),
                                    each.fromSeconds(),
                                    each.medianMicros(),
                                    each.maxMicros()))));
        }
        return new Figure(
                "workload-series",
                "The three workloads in the order of time",
                "Median of each component in a hundred equal stretches of time, and the slowest request of each stretch. "
                        + told.stream()
                                .map(workload -> workload.name() + ": the slowest request took "
                                        + Micros.withUnit(
                                                workload.rows().get(0).latency().max()))
                                .collect(Collectors.joining("; "))
                        + ".",
                key(told),
                panels,
                List.of(
                        "Lines are medians of a stretch, dots its slowest request. Logarithmic time; a stretch in which a component took"
                                + " no time has no line. The first trial."),
                new Table(List.of("workload", "design", "component", "from s", "median µs", "max µs"), rows));
    }

    private List<KeyEntry> key(List<Workload> told) {
        List<KeyEntry> key = new ArrayList<>();
        List<String> names = told.get(0).rows().stream().map(Row::component).toList();
        for (int i = 0; i < names.size(); i++) {
            key.add(KeyEntry.line(names.get(i) + ", median", StudyPalette.line(i)));
        }
        key.add(KeyEntry.point("latency, slowest", Mark.Shape.DOT, StudyPalette.HUES.get(0)));
        return key;
    }

    private static Panel seriesPanel(Workload workload, Axis x) {
        Axis y = Axes.logTime(
                "time",
                workload.rows().stream()
                        .flatMap(row -> row.series().stream())
                        .flatMapToDouble(each -> DoubleStream.of(each.medianMicros(), each.maxMicros()))
                        .filter(micros -> micros >= LEAST_MICROS),
                HEIGHT);
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < workload.rows().size(); i++) {
            for (List<Stretch> drawn : unbroken(workload.rows().get(i).series())) {
                marks.add(new Mark.Line(
                        drawn.stream().mapToDouble(Stretch::fromSeconds).toArray(),
                        drawn.stream().mapToDouble(Stretch::medianMicros).toArray(),
                        StudyPalette.line(i).wide(1.2),
                        false));
            }
        }
        workload.rows()
                .get(0)
                .series()
                .forEach(each -> marks.add(new Mark.Point(
                        each.fromSeconds(), each.maxMicros(), Mark.Shape.DOT, StudyPalette.HUES.get(0))));
        return Panel.of(WorkloadFigures.name(workload), x, y, HEIGHT, marks);
    }

    /** In pieces without a stretch in which it took no time: a line across it would say that it took some. */
    private static List<List<Stretch>> unbroken(List<Stretch> all) {
        List<List<Stretch>> pieces = new ArrayList<>();
        boolean broken = true;
        for (Stretch each : all) {
            if (each.medianMicros() < LEAST_MICROS) {
                broken = true;
            } else {
                if (broken) {
                    pieces.add(new ArrayList<>());
                }
                pieces.get(pieces.size() - 1).add(each);
                broken = false;
            }
        }
        return pieces;
    }
}
