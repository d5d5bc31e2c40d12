package io.plog.study.page;

import io.plog.report.figure.Axis;
import io.plog.report.figure.Figure;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import io.plog.study.StudyResults.DensityBin;
import io.plog.study.StudyResults.Peak;
import io.plog.study.StudyResults.Point;
import io.plog.study.StudyResults.Row;
import io.plog.study.StudyResults.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The three workloads: distributions of the latency and of its components. */
final class WorkloadFigures {
    /** Below the clock's resolution: the first bin, for durations of 0. */
    private static final double NO_TIME_MICROS = 0.01;

    private final List<Workload> workloads;
    private final List<String> components;

    WorkloadFigures(StudyView study) {
        workloads = study.results().workloads();
        components = workloads.stream()
                .flatMap(workload -> workload.rows().stream())
                .map(Row::component)
                .distinct()
                .toList();
    }

    private List<KeyEntry> key() {
        return StudyPalette.key(components, components);
    }

    static String name(Workload workload) {
        return workload.name() + " (" + Units.wholePercent(workload.loggedShare()) + " logged), " + workload.design();
    }

    @Nullable
    Figure ecdf() {
        List<Panel> panels = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        Axis x = Axes.logTime(
                "time",
                workloads.stream()
                        .flatMap(workload -> workload.rows().stream())
                        .flatMap(row -> row.ecdf().stream())
                        .mapToDouble(Point::micros),
                Axes.width(1));
        for (Workload workload : workloads) {
            List<Mark> marks = new ArrayList<>();
            for (Row row : workload.rows()) {
                List<Point> points =
                        row.ecdf().stream().filter(point -> point.micros() > 0).toList();
                if (!points.isEmpty()) {
                    marks.add(new Mark.Line(
                            Axes.fromTheAxis(
                                    points, Point::micros, points.get(0).micros()),
                            Axes.fromTheAxis(points, Point::share, 0),
                            StudyPalette.line(components.indexOf(row.component())),
                            true));
                }
                row.ecdf()
                        .forEach(point -> rows.add(Table.row(
                                workload.name(), workload.design(), row.component(), point.micros(), point.share())));
            }
            if (!marks.isEmpty()) {
                panels.add(Panel.of(name(workload), x, Axes.shares("share of requests"), 125, marks));
            }
        }
        if (panels.isEmpty()) {
            return null;
        }
        return new Figure(
                "workload-ecdf",
                "The three workloads: share of requests within a time",
                "Cumulative distributions of the whole latency and of its components, for each workload. "
                        + workloads.stream()
                                .map(workload -> workload.name() + ": "
                                        + workload.rows().stream()
                                                .map(row -> row.component() + " half within "
                                                        + Micros.withUnit(row.latency()
                                                                .p50()
                                                                .value()))
                                                .collect(Collectors.joining(", ")))
                                .collect(Collectors.joining("; "))
                        + ".",
                key(),
                panels.stream().map(List::of).toList(),
                List.of("Logarithmic time; a component that took no time at all in a request lies left of the axis."),
                new Table(List.of("workload", "design", "component", "µs", "share at most"), rows));
    }

    @Nullable
    Figure mass() {
        List<Panel> panels = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        Axis x = Axes.logTime(
                "time",
                workloads.stream()
                        .flatMap(workload -> workload.rows().stream())
                        .flatMap(row -> drawn(row).stream())
                        .flatMap(bin -> Stream.of(bin.fromMicros(), bin.toMicros()))
                        .mapToDouble(value -> value),
                Axes.width(1));
        for (Workload workload : workloads) {
            workload.rows()
                    .forEach(row -> row.density()
                            .forEach(bin -> rows.add(Table.row(
                                    workload.name(),
                                    workload.design(),
                                    row.component(),
                                    bin.fromMicros(),
                                    bin.toMicros(),
                                    bin.share()))));
            if (workload.rows().stream().anyMatch(row -> !row.density().isEmpty())) {
                panels.add(panel(workload, x));
            }
        }
        if (panels.isEmpty()) {
            return null;
        }
        return new Figure(
                "workload-mass",
                "The three workloads: where the times lie",
                "Share of the requests in each bin of time, for the whole latency and its components; the inset enlarges the slowest 5 %."
                        + " Peaks: "
                        + workloads.stream()
                                .map(workload -> workload.name() + ": "
                                        + workload.rows().stream()
                                                .map(row -> row.component() + " " + peaks(row))
                                                .collect(Collectors.joining(", ")))
                                .collect(Collectors.joining("; "))
                        + ".",
                key(),
                panels.stream().map(List::of).toList(),
                List.of(
                        "Bins are equally wide on the logarithmic axis. Named are the latency's peaks that survive resampling, with their"
                                + " share of the requests.",
                        "A component that took no time at all in a request lies left of the axis."),
                new Table(List.of("workload", "design", "component", "from µs", "to µs", "share"), rows));
    }

    static String peaks(Row row) {
        return row.peaks().isEmpty()
                ? "no peak"
                : row.peaks().stream()
                        .map(peak -> (peak.micros() < NO_TIME_MICROS ? "none" : Micros.withUnit(peak.micros())) + " ("
                                + Units.wholePercent(peak.share()) + ")")
                        .collect(Collectors.joining(" and "));
    }

    private Panel panel(Workload workload, Axis x) {
        double highest = workload.rows().stream()
                .flatMap(row -> drawn(row).stream())
                .mapToDouble(DensityBin::share)
                .max()
                .orElse(1);
        Axis y = share("share in bin", Math.max(highest, 1e-6) * 1.15, 4);
        List<Mark> marks = new ArrayList<>();
        workload.rows().stream().filter(row -> !drawn(row).isEmpty()).forEach(row -> marks.add(mass(row)));
        workload.rows().stream()
                .limit(1)
                .flatMap(row -> row.peaks().stream().map(peak -> peak(row, peak)))
                .forEach(marks::add);
        Panel inset = inset(workload);
        return Panel.of(name(workload), x, inset == null ? y : withRoom(y), inset == null ? 150 : 230, marks)
                .with(inset);
    }

    /** So that the inset, in the upper part, stands above all curves. */
    private static Axis withRoom(Axis y) {
        return new Axis(y.label(), y.scale(), y.min(), y.max() / 0.38, y.ticks(), false);
    }

    /** Without durations of 0, and without the empty bins between them and the rest. */
    private static List<DensityBin> drawn(Row row) {
        return row.density().stream()
                .dropWhile(bin -> bin.toMicros() <= NO_TIME_MICROS || bin.share() == 0)
                .toList();
    }

    private Mark mass(Row row) {
        List<double[]> steps = new ArrayList<>();
        double reached = 0;
        for (DensityBin bin : drawn(row)) {
            if (bin.fromMicros() > reached * (1 + 1e-9)) {
                steps.add(new double[] {reached > 0 ? reached : bin.fromMicros(), 0}); // nothing lies between the bins
            }
            steps.add(new double[] {bin.fromMicros(), bin.share()});
            reached = bin.toMicros();
        }
        steps.add(new double[] {reached, 0});
        return new Mark.Line(
                steps.stream().mapToDouble(step -> step[0]).toArray(),
                steps.stream().mapToDouble(step -> step[1]).toArray(),
                StudyPalette.line(components.indexOf(row.component())),
                true);
    }

    private static Mark peak(Row row, Peak peak) {
        double high = row.density().stream()
                .filter(bin -> bin.fromMicros() <= peak.micros() && peak.micros() < bin.toMicros())
                .mapToDouble(DensityBin::share)
                .max()
                .orElse(0);
        return new Mark.Words(
                peak.micros(), high, Micros.withUnit(peak.micros()) + ", " + Units.wholePercent(peak.share()));
    }

    /** From the latency's 95th percentile on, with a scale of its own. */
    private @Nullable Panel inset(Workload workload) {
        if (workload.rows().isEmpty()) {
            return null;
        }
        Row whole = workload.rows().get(0);
        double from = whole.latency().p95().value();
        double to = whole.density().stream()
                .filter(bin -> bin.share() > 0)
                .mapToDouble(DensityBin::toMicros)
                .max()
                .orElse(0);
        double highest = workload.rows().stream()
                .flatMap(row -> row.density().stream())
                .filter(bin -> bin.fromMicros() >= from)
                .mapToDouble(DensityBin::share)
                .max()
                .orElse(0);
        if (!(from > 0) || !(to > from * 1.3) || highest == 0) {
            return null;
        }
        Axis x = new Axis("", Axis.Scale.LOG, from, to, Ticks.log(from, to, 280, Micros::withUnit), false);
        return Panel.of(
                "The slowest 5 %",
                x,
                share("", highest * 1.15, 2),
                100,
                workload.rows().stream()
                        .filter(row -> !drawn(row).isEmpty())
                        .map(this::mass)
                        .toList());
    }

    private static Axis share(String label, double max, int ticks) {
        return new Axis(label, Axis.Scale.LINEAR, 0, max, Ticks.linear(0, max, ticks, Ticks::percent), false);
    }
}
