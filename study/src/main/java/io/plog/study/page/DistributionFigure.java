package io.plog.study.page;

import io.plog.report.figure.Figure;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Table;
import io.plog.stats.text.Micros;
import io.plog.study.StudyResults.Load;
import io.plog.study.StudyResults.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The latency's cumulative distribution at the highest relative load, a line for each design. */
final class DistributionFigure {
    private static final double HEIGHT = 230;

    private DistributionFigure() {}

    static @Nullable Figure of(StudyView study) {
        List<Load> loads =
                study.top().stream().filter(load -> !load.ecdf().isEmpty()).toList();
        Double level = study.topLevel();
        if (loads.isEmpty() || level == null) {
            return null;
        }
        List<Mark> marks = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Load load : loads) {
            marks.add(new Mark.Line(
                    Axes.fromTheAxis(
                            load.ecdf(), Point::micros, load.ecdf().get(0).micros()),
                    Axes.fromTheAxis(load.ecdf(), Point::share, 0),
                    StudyPalette.line(study.index(load.design())),
                    true));
            load.ecdf().forEach(point -> rows.add(Table.row(load.design(), point.micros(), point.share())));
        }
        return new Figure(
                "ecdf",
                "Share of requests answered within a time, at load " + StudyNumbers.level(level),
                "Cumulative distribution of the latency at load " + StudyNumbers.level(level)
                        + " of each design's own capacity. "
                        + loads.stream()
                                .map(load -> load.design() + ": half within "
                                        + Micros.millis(load.latency().p50().value())
                                        + " ms, 95 % within "
                                        + Micros.millis(load.latency().p95().value()) + " ms")
                                .collect(Collectors.joining("; "))
                        + ".",
                StudyPalette.key(
                        study.designs(), loads.stream().map(Load::design).toList()),
                List.of(List.of(Panel.of(
                        "",
                        Axes.logTime(
                                "latency",
                                loads.stream()
                                        .flatMap(load -> load.ecdf().stream())
                                        .mapToDouble(Point::micros),
                                Axes.width(1)),
                        Axes.shares("share of requests"),
                        HEIGHT,
                        marks))),
                List.of("Each at the same share of its own capacity, so at different rates. Logarithmic latency."),
                new Table(List.of("design", "latency µs", "share at most"), rows));
    }
}
