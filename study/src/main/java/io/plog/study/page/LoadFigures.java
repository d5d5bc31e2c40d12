package io.plog.study.page;

import io.plog.report.figure.Axis;
import io.plog.report.figure.Figure;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import io.plog.study.StudyResults.Estimate;
import io.plog.study.StudyResults.Latency;
import io.plog.study.StudyResults.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Latency and processor time against load, a line for each design. */
final class LoadFigures {
    private static final double HEIGHT = 165;

    private final StudyView study;

    LoadFigures(StudyView study) {
        this.study = study;
    }

    /** A figure of a latency. */
    private record View(String heading, Function<Latency, Estimate> figure) {}

    private static final List<View> VIEWS = List.of(
            new View("Mean", Latency::mean),
            new View("Median", Latency::p50),
            new View("95th percentile", Latency::p95),
            new View("99th percentile", latency -> new Estimate(latency.p99(), null, null)));

    /**
     * Mean and percentiles.
     *
     * @param kind {@code relative} or {@code absolute}
     */
    @Nullable
    Figure latency(String kind) {
        List<Load> loads = study.loads(kind).stream()
                .filter(load -> load.latency().count() > 0)
                .toList();
        if (loads.isEmpty()) {
            return null;
        }
        boolean relative = kind.equals("relative");
        Axis x = relative
                ? Axes.levels(loads.stream().mapToDouble(StudyView::at).toArray())
                : Axes.fromZero(
                        "offered requests/s, the same for all",
                        loads.stream().mapToDouble(StudyView::at),
                        Axes.width(2),
                        Ticks::number);
        Axis y = Axes.logTime(
                "latency",
                loads.stream()
                        .flatMap(load -> VIEWS.stream()
                                .map(v -> v.figure().apply(load.latency()).value()))
                        .mapToDouble(value -> value),
                HEIGHT);
        List<Panel> panels = VIEWS.stream()
                .map(view -> Panel.of(view.heading(), x, y, HEIGHT, marks(loads, y, view.figure())))
                .toList();
        return new Figure(
                "latency-" + kind,
                relative ? "Latency against relative load" : "Latency at the same absolute rates",
                alternative(loads, relative),
                key(loads),
                Axes.grid(panels, 2),
                List.of(
                        "Logarithmic latency; bars are 95 % intervals. From sending a request to its reply, as in the study; the table"
                                + " has it from the intended time of sending too.",
                        "A ring: the rate was not kept, so this latency depends on how long the cell ran."),
                table(loads));
    }

    private List<KeyEntry> key(List<Load> loads) {
        List<KeyEntry> key = new ArrayList<>(StudyPalette.key(
                study.designs(), loads.stream().map(Load::design).distinct().toList()));
        if (!loads.stream().allMatch(Load::sustained)) {
            key.add(KeyEntry.point("not sustained", Mark.Shape.RING, StudyPalette.PUBLISHED));
        }
        return key;
    }

    private List<Mark> marks(List<Load> loads, Axis y, Function<Latency, Estimate> figure) {
        List<Mark> marks = new ArrayList<>();
        for (String design : study.designs()) {
            List<Load> own =
                    loads.stream().filter(load -> load.design().equals(design)).toList();
            Style style = StudyPalette.line(study.index(design));
            marks.add(line(own, load -> figure.apply(load.latency()).value(), style));
            for (Load load : own) {
                Estimate value = figure.apply(load.latency());
                Double low = value.low();
                Double high = value.high();
                if (low != null && high != null) {
                    marks.add(new Mark.Whisker(
                            StudyView.at(load),
                            Math.max(low, y.min() / 2),
                            high,
                            style.withoutDash().wide(1.2),
                            5));
                }
                marks.add(point(load, value.value(), style));
            }
        }
        return marks;
    }

    private static Mark line(List<Load> loads, Function<Load, Double> value, Style style) {
        return new Mark.Line(
                loads.stream().mapToDouble(StudyView::at).toArray(),
                loads.stream().mapToDouble(value::apply).toArray(),
                style,
                false);
    }

    private static Mark point(Load load, double value, Style style) {
        return new Mark.Point(
                StudyView.at(load), value, load.sustained() ? Mark.Shape.DOT : Mark.Shape.RING, style.colour());
    }

    private String alternative(List<Load> loads, boolean relative) {
        return "Mean, median, 95th and 99th percentile of the latency against "
                + (relative ? "load relative to each design's own capacity. " : "the offered rate. ")
                + study.designs().stream()
                        .map(design -> loads.stream()
                                .filter(load -> load.design().equals(design))
                                .toList())
                        .filter(own -> !own.isEmpty())
                        .map(own -> own.get(0).design() + ": mean "
                                + Micros.withUnit(own.get(0).latency().mean().value()) + " at " + where(own.get(0))
                                + ", "
                                + Micros.withUnit(
                                        own.get(own.size() - 1).latency().mean().value()) + " at "
                                + where(own.get(own.size() - 1)))
                        .collect(Collectors.joining("; "))
                + ".";
    }

    private static String where(Load load) {
        Double level = load.level();
        return (level == null
                        ? StudyNumbers.perSecond(load.offeredPerSecond()) + "/s"
                        : "load " + StudyNumbers.level(level))
                + (load.sustained() ? "" : " (not sustained)");
    }

    private static Table table(List<Load> loads) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Load load : loads) {
            Latency own = load.latency();
            Latency intended = load.fromIntended();
            rows.add(Table.row(
                    load.design(),
                    load.level(),
                    load.offeredPerSecond(),
                    load.answeredPerSecond(),
                    load.sustained() ? "yes" : "no",
                    own.count(),
                    own.mean().value(),
                    own.mean().low(),
                    own.mean().high(),
                    own.p5(),
                    own.p50().value(),
                    own.p50().low(),
                    own.p50().high(),
                    own.p90(),
                    own.p95().value(),
                    own.p95().low(),
                    own.p95().high(),
                    own.p99(),
                    own.p999(),
                    own.min(),
                    own.max(),
                    intended.mean().value(),
                    intended.p50().value(),
                    intended.p95().value(),
                    intended.p99(),
                    load.lagP99()));
        }
        return new Table(
                List.of(
                        "design",
                        "level",
                        "offered/s",
                        "answered/s",
                        "sustained",
                        "requests",
                        "mean µs",
                        "low",
                        "high",
                        "5 % µs",
                        "median µs",
                        "low",
                        "high",
                        "90 % µs",
                        "95 % µs",
                        "low",
                        "high",
                        "99 % µs",
                        "99.9 % µs",
                        "min µs",
                        "max µs",
                        "mean from intended µs",
                        "median from intended µs",
                        "95 % from intended µs",
                        "99 % from intended µs",
                        "lag 99 % µs"),
                rows);
    }

    /** Processor time of the server for a request. */
    @Nullable
    Figure processor() {
        List<Load> loads = study.loads("relative").stream()
                .filter(load -> load.serverMicrosPerRequest() != null)
                .toList();
        if (loads.isEmpty()) {
            return null;
        }
        Axis y = Axes.fromZero(
                "µs per request", loads.stream().mapToDouble(LoadFigures::processorMicros), HEIGHT, Ticks::number);
        List<Mark> marks = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (String design : study.designs()) {
            List<Load> own =
                    loads.stream().filter(load -> load.design().equals(design)).toList();
            Style style = StudyPalette.line(study.index(design));
            marks.add(line(own, LoadFigures::processorMicros, style));
            own.forEach(load -> marks.add(point(load, processorMicros(load), style)));
            own.forEach(load ->
                    rows.add(Table.row(design, load.level(), load.answeredPerSecond(), load.serverMicrosPerRequest())));
        }
        return new Figure(
                "processor",
                "Processor time per request",
                "Processor time that the server's process used for each request it answered, against relative load. "
                        + study.top().stream()
                                .filter(load -> load.serverMicrosPerRequest() != null)
                                .map(load -> load.design() + ": " + Units.fourDigits(processorMicros(load))
                                        + " µs at load " + StudyNumbers.level(StudyView.at(load)))
                                .collect(Collectors.joining("; "))
                        + ".",
                key(loads),
                List.of(List.of(Panel.of(
                        "",
                        Axes.levels(loads.stream().mapToDouble(StudyView::at).toArray()),
                        y,
                        HEIGHT,
                        marks))),
                List.of(
                        "User and system time of all its threads, over the counted part of the cell, by the requests answered in it."),
                new Table(List.of("design", "level", "answered/s", "server µs per request"), rows));
    }

    private static double processorMicros(Load load) {
        Double micros = load.serverMicrosPerRequest();
        return micros == null ? Double.NaN : micros;
    }
}
