package io.plog.study.page;

import io.plog.report.figure.Figure;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.stats.text.Micros;
import io.plog.study.StudyResults.Control;
import io.plog.study.StudyResults.Load;
import io.plog.study.StudyResults.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The latency's cumulative distribution, a line for each design: near its capacity, and at a rate that is the same for all. */
final class DistributionFigure {
    private static final double HEIGHT = 230;

    private DistributionFigure() {}

    /** At the highest relative load, each design's in-memory control as a thin line. */
    static @Nullable Figure nearCapacity(StudyView study) {
        Double level = study.topLevel();
        return level == null
                ? null
                : of(
                        study,
                        "ecdf",
                        "at load " + StudyNumbers.level(level),
                        " of each design's own capacity. ",
                        study.top(),
                        study.results().controls().stream()
                                .map(Control::load)
                                .flatMap(Stream::ofNullable)
                                .toList(),
                        "Each at the same share of its own capacity, so at different rates. Logarithmic latency.");
    }

    /** At the highest rate that all designs kept: what the study of 2004 shows in its Fig. 11. */
    static @Nullable Figure atOneRate(StudyView study) {
        Double rate = study.commonRate();
        return rate == null
                ? null
                : of(
                        study,
                        "ecdf-rate",
                        "at " + StudyNumbers.perSecond(study.planned(rate)) + " requests/s",
                        ", the same for all designs. ",
                        study.atRate(rate),
                        List.of(),
                        "All designs at one rate, as in Fig. 11 of the study of 2004. Logarithmic latency.");
    }

    private static @Nullable Figure of(
            StudyView study,
            String name,
            String where,
            String whereMore,
            List<Load> measured,
            List<Load> controls,
            String note) {
        List<Load> loads =
                measured.stream().filter(load -> !load.ecdf().isEmpty()).toList();
        List<Load> inMemory =
                controls.stream().filter(load -> !load.ecdf().isEmpty()).toList();
        if (loads.isEmpty()) {
            return null;
        }
        List<Mark> marks = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Load load : inMemory) {
            marks.add(line(load, StudyPalette.inMemory(study.index(load.design()))));
        }
        for (Load load : loads) {
            marks.add(line(load, StudyPalette.line(study.index(load.design()))));
            load.ecdf().forEach(point -> rows.add(Table.row(load.design(), "yes", point.micros(), point.share())));
        }
        inMemory.forEach(load ->
                load.ecdf().forEach(point -> rows.add(Table.row(load.design(), "no", point.micros(), point.share()))));
        List<KeyEntry> key = new ArrayList<>(StudyPalette.key(
                study.designs(), loads.stream().map(Load::design).toList()));
        if (!inMemory.isEmpty()) {
            key.add(KeyEntry.line("thin: the same in memory, nothing logged", StudyPalette.inMemory(0)));
        }
        return new Figure(
                name,
                "Share of requests answered within a time, " + where,
                "Cumulative distribution of the latency " + where + whereMore
                        + loads.stream()
                                .map(load -> load.design() + ": half within "
                                        + Micros.millis(load.latency().p50().value())
                                        + " ms, 95 % within "
                                        + Micros.millis(load.latency().p95().value()) + " ms")
                                .collect(Collectors.joining("; "))
                        + ".",
                key,
                List.of(List.of(Panel.of(
                        "",
                        Axes.logTime(
                                "latency",
                                Stream.concat(loads.stream(), inMemory.stream())
                                        .flatMap(load -> load.ecdf().stream())
                                        .mapToDouble(Point::micros),
                                Axes.width(1)),
                        Axes.shares("share of requests"),
                        HEIGHT,
                        marks))),
                List.of(note),
                new Table(List.of("design", "logged", "latency µs", "share at most"), rows));
    }

    private static Mark line(Load load, Style style) {
        return new Mark.Line(
                Axes.fromTheAxis(load.ecdf(), Point::micros, load.ecdf().get(0).micros()),
                Axes.fromTheAxis(load.ecdf(), Point::share, 0),
                style,
                true);
    }
}
