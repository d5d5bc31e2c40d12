package io.plog.study.page;

import io.plog.report.figure.Axis;
import io.plog.report.figure.Figure;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Units;
import io.plog.study.StudyResults.Capacity;
import io.plog.study.StudyResults.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Throughput at infinite demand with its interval and its trials: a row for each design, a line of panels for each size. */
final class CapacityFigure {
    private static final double ROW = 19;

    private CapacityFigure() {}

    static @Nullable Figure of(StudyView study) {
        List<Capacity> capacities = study.capacities();
        if (capacities.isEmpty()) {
            return null;
        }
        List<String> sizes = capacities.stream().map(Capacity::sizes).distinct().toList();
        List<List<Panel>> rows = new ArrayList<>();
        for (String size : sizes) {
            List<Capacity> same =
                    capacities.stream().filter(c -> c.sizes().equals(size)).toList();
            Axis names = Axes.rows(same.stream().map(Capacity::design).toList());
            rows.add(List.of(
                    panel(study, same, size + ", requests/s", names, Capacity::requestsPerSecond, true),
                    panel(study, same, size + ", MB/s", names.withoutLabels(), Capacity::megabytesPerSecond, false)));
        }
        return new Figure(
                "capacity",
                "Capacity at infinite demand",
                "Throughput with every connection asking again as soon as it is answered, with 95 % intervals. "
                        + capacities.stream()
                                .map(c -> c.design() + ", " + c.sizes() + ": "
                                        + StudyNumbers.interval(c.requestsPerSecond(), StudyNumbers::perSecond)
                                        + " requests/s, "
                                        + StudyNumbers.interval(c.megabytesPerSecond(), Units::fourDigits) + " MB/s")
                                .collect(Collectors.joining("; "))
                        + ".",
                List.of(
                        KeyEntry.point("capacity, with its 95 % interval", Mark.Shape.DOT, StudyPalette.HUES.get(0)),
                        KeyEntry.point("a trial", Mark.Shape.RING, "#8b949e")),
                rows,
                List.of(
                        "Each trial has a fresh server. An interval is over the trials, or over stretches of the only one."
                                + " Where there are too few of them, the bar is missing."),
                table(capacities));
    }

    private static Panel panel(
            StudyView study,
            List<Capacity> capacities,
            String heading,
            Axis names,
            Function<Capacity, Estimate> figure,
            boolean trials) {
        Axis x = Axes.fromZero(
                "",
                capacities.stream()
                        .flatMap(c -> Stream.concat(
                                ends(figure.apply(c)), trials ? c.perTrial().stream() : Stream.<Double>empty()))
                        .mapToDouble(value -> value),
                Axes.width(2),
                Ticks::number);
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < capacities.size(); i++) {
            Capacity capacity = capacities.get(i);
            double row = capacities.size() - 1.0 - i;
            Style line = StudyPalette.line(study.index(capacity.design())).withoutDash();
            if (trials) {
                capacity.perTrial()
                        .forEach(trial -> marks.add(new Mark.Point(trial, row - 0.22, Mark.Shape.RING, "#8b949e")));
            }
            Estimate value = figure.apply(capacity);
            Double low = value.low();
            Double high = value.high();
            if (low != null || high != null) {
                marks.add(
                        new Mark.Range(row, low == null ? 0 : low, high == null ? x.max() * 2 : high, line.wide(2), 7));
            }
            marks.add(new Mark.Point(value.value(), row, Mark.Shape.DOT, line.colour()));
        }
        return Panel.of(heading, x, names, ROW * capacities.size() + 6, marks);
    }

    static Stream<Double> ends(Estimate estimate) {
        return Stream.of(estimate.value(), estimate.low(), estimate.high()).flatMap(Stream::ofNullable);
    }

    private static Table table(List<Capacity> capacities) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Capacity c : capacities) {
            rows.add(Table.row(
                    c.design(),
                    c.sizes(),
                    c.requestsPerSecond().value(),
                    c.requestsPerSecond().low(),
                    c.requestsPerSecond().high(),
                    c.megabytesPerSecond().value(),
                    c.megabytesPerSecond().low(),
                    c.megabytesPerSecond().high(),
                    c.meanBatchRecords(),
                    c.serverMicrosPerRequest(),
                    c.perTrial().stream()
                            .map(Units::fourDigits)
                            .map(t -> t.replace(",", ""))
                            .collect(Collectors.joining(" "))));
        }
        return new Table(
                List.of(
                        "design",
                        "sizes",
                        "requests/s",
                        "low",
                        "high",
                        "MB/s",
                        "low",
                        "high",
                        "records per force",
                        "server µs per request",
                        "requests/s of each trial"),
                rows);
    }
}
