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
import io.plog.study.StudyResults.Capacity;
import io.plog.study.StudyResults.Control;
import io.plog.study.StudyResults.Estimate;
import io.plog.study.StudyResults.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The picture at the top of the page, a row for each design: what it carries with its log and in memory, and how long a request
 * takes at a rate that is the same for all.
 */
final class SummaryFigure {
    private static final double ROW = 26;
    private static final String IN_MEMORY = "#8b949e";

    private final StudyView study;
    private final List<String> designs;

    private SummaryFigure(StudyView study) {
        this.study = study;
        designs = study.designs().stream()
                .filter(design -> study.capacity(design).isPresent())
                .toList();
    }

    /** Null if no capacity was measured. */
    static @Nullable Figure of(StudyView study) {
        SummaryFigure figure = new SummaryFigure(study);
        return figure.designs.isEmpty() ? null : figure.figure();
    }

    private Figure figure() {
        Axis names = Axes.rows(designs);
        List<Panel> panels = new ArrayList<>();
        panels.add(capacities(names));
        Double rate = study.commonRate();
        if (rate != null) {
            panels.add(latencies(rate, names.withoutLabels()));
        }
        List<KeyEntry> key = new ArrayList<>();
        key.add(KeyEntry.point("capacity with the log; median", Mark.Shape.DOT, StudyPalette.HUES.get(0)));
        if (!study.results().controls().isEmpty()) {
            key.add(KeyEntry.point("capacity in memory, nothing logged", Mark.Shape.RING, IN_MEMORY));
        }
        if (rate != null) {
            key.add(KeyEntry.point("mean", Mark.Shape.DIAMOND, StudyPalette.HUES.get(0)));
        }
        return new Figure(
                "summary",
                "What each design carries, and how long a request takes",
                words(rate),
                key,
                List.of(panels),
                List.of("Bars are 95 % intervals."),
                table(rate));
    }

    private Panel capacities(Axis names) {
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < designs.size(); i++) {
            double row = designs.size() - 1.0 - i;
            Style style = style(designs.get(i));
            control(designs.get(i)).ifPresent(control -> {
                range(control.requestsPerSecond(), row, Style.solid(IN_MEMORY, 2), marks);
                marks.add(new Mark.Point(control.requestsPerSecond().value(), row, Mark.Shape.RING, IN_MEMORY));
            });
            study.capacity(designs.get(i)).ifPresent(capacity -> {
                range(capacity.requestsPerSecond(), row, style, marks);
                marks.add(new Mark.Point(capacity.requestsPerSecond().value(), row, Mark.Shape.DOT, style.colour()));
            });
        }
        Axis x = Axes.fromZero(
                "requests/s",
                designs.stream()
                        .flatMap(design -> Stream.concat(
                                study.capacity(design).map(Capacity::requestsPerSecond).stream(),
                                control(design).map(Control::requestsPerSecond).stream()))
                        .flatMap(CapacityFigure::ends)
                        .mapToDouble(value -> value),
                Axes.width(2),
                Ticks::number);
        return Panel.of("Capacity at infinite demand", x, names, ROW * designs.size(), marks);
    }

    private Panel latencies(double rate, Axis names) {
        List<Mark> marks = new ArrayList<>();
        List<Load> loads = study.atRate(rate);
        for (Load load : loads) {
            int at = designs.indexOf(load.design());
            if (at >= 0) {
                double row = designs.size() - 1.0 - at;
                Style style = style(load.design());
                range(load.latency().p50(), row + 0.12, style, marks);
                range(load.latency().mean(), row - 0.12, style.wide(1.2), marks);
                marks.add(new Mark.Point(load.latency().p50().value(), row + 0.12, Mark.Shape.DOT, style.colour()));
                marks.add(
                        new Mark.Point(load.latency().mean().value(), row - 0.12, Mark.Shape.DIAMOND, style.colour()));
            }
        }
        Axis x = Axes.logTime(
                "latency",
                loads.stream()
                        .flatMap(load ->
                                Stream.of(load.latency().p50(), load.latency().mean()))
                        .flatMap(CapacityFigure::ends)
                        .mapToDouble(value -> value),
                Axes.width(2));
        return Panel.of(
                "Latency at " + StudyNumbers.perSecond(study.planned(rate)) + " requests/s",
                x,
                names,
                ROW * designs.size(),
                marks);
    }

    private Style style(String design) {
        return StudyPalette.line(study.index(design)).withoutDash().wide(2);
    }

    private Optional<Control> control(String design) {
        return study.control(design);
    }

    private static void range(Estimate estimate, double row, Style style, List<Mark> marks) {
        Double low = estimate.low();
        Double high = estimate.high();
        if (low != null && high != null) {
            marks.add(new Mark.Range(row, low, high, style, 7));
        }
    }

    private String words(@Nullable Double rate) {
        return designs.stream()
                        .map(design -> design + ": " + words(design, rate))
                        .collect(Collectors.joining("; ")) + ".";
    }

    private String words(String design, @Nullable Double rate) {
        return study.capacity(design)
                        .map(capacity -> StudyNumbers.interval(capacity.requestsPerSecond(), StudyNumbers::perSecond)
                                + " requests/s with the log")
                        .orElse("")
                + control(design)
                        .map(control -> ", "
                                + StudyNumbers.interval(control.requestsPerSecond(), StudyNumbers::perSecond)
                                + " in memory")
                        .orElse("")
                + at(rate, design)
                        .map(load -> ", at " + StudyNumbers.perSecond(load.offeredPerSecond()) + "/s median "
                                + Micros.withUnit(load.latency().p50().value()) + ", mean "
                                + Micros.withUnit(load.latency().mean().value()))
                        .orElse("");
    }

    private Optional<Load> at(@Nullable Double rate, String design) {
        return rate == null
                ? Optional.empty()
                : study.atRate(rate).stream()
                        .filter(load -> load.design().equals(design))
                        .findFirst();
    }

    private Table table(@Nullable Double rate) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (String design : designs) {
            Optional<Estimate> logged = study.capacity(design).map(Capacity::requestsPerSecond);
            Optional<Control> control = control(design);
            Optional<Load> load = at(rate, design);
            rows.add(Table.row(
                    design,
                    logged.map(Estimate::value).orElse(null),
                    control.map(each -> each.requestsPerSecond().value()).orElse(null),
                    control.map(each -> each.requestsPerSecond().low()).orElse(null),
                    control.map(each -> each.requestsPerSecond().high()).orElse(null),
                    control.map(each -> StudyNumbers.interval(each.loggedShare(), Units::wholePercent))
                            .orElse(null),
                    load.map(each -> each.latency().p50().value()).orElse(null),
                    load.map(each -> each.latency().mean().value()).orElse(null)));
        }
        return new Table(
                List.of(
                        "design",
                        "requests/s with the log",
                        "requests/s in memory",
                        "low",
                        "high",
                        "with the log, share of in memory",
                        "median µs",
                        "mean µs"),
                rows);
    }
}
