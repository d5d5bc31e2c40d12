package io.plog.report.chart;

import io.plog.report.figure.Axis;
import io.plog.report.figure.Axis.Tick;
import io.plog.report.figure.Figure;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Table;
import io.plog.report.results.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Where the end-to-end latency goes: stacked shares of each cell at the mean, around the median and around p99. */
final class ComponentsFigure {
    private static final double BAR = 15;

    private ComponentsFigure() {}

    /** One of the three views: its heading and which parts it shows. */
    private record View(String name, String heading, Function<Results.Components, List<Results.Part>> parts) {}

    private static final List<View> VIEWS = List.of(
            new View("mean", "At the mean", Results.Components::parts),
            new View("median", "Around the median", Results.Components::atMedian),
            new View("p99", "Around the 99th percentile", Results.Components::atP99));

    static @Nullable Figure of(Results results, Palette palette) {
        List<Results.Components> cells = results.components().stream()
                .sorted(Comparator.comparingInt(
                                (Results.Components c) -> palette.targets().indexOf(c.target()))
                        .thenComparingInt(Results.Components::payloadBytes))
                .toList();
        if (cells.isEmpty()) {
            return null;
        }
        List<View> views = VIEWS.stream()
                .filter(view ->
                        cells.stream().anyMatch(c -> !view.parts().apply(c).isEmpty()))
                .toList();
        List<String> names = cells.stream()
                .flatMap(c -> c.parts().stream())
                .map(Results.Part::name)
                .distinct()
                .toList();
        return new Figure(
                "components",
                "Where the end-to-end latency goes",
                alternative(cells, palette),
                names.stream()
                        .map(name -> KeyEntry.area(name, Palette.part(name)))
                        .toList(),
                DrawnFigures.inRows(
                        views.stream().map(view -> panel(view, cells, palette)).toList(), DrawnFigures.COLUMNS),
                List.of(
                        "Shares of the end-to-end latency; the number beside a bar is the latency that they add up to."
                                + (views.size() < VIEWS.size()
                                        ? " The parts around the median and the 99th percentile were not computed."
                                        : ""),
                        "The execution of a logged request runs while its record is written and forced and takes no share of its"
                                + " own there."),
                table(cells));
    }

    private static Panel panel(View view, List<Results.Components> cells, Palette palette) {
        int n = cells.size();
        List<Mark> marks = new ArrayList<>();
        List<Mark> readings = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            double at = 0;
            double total = 0;
            double row = n - 1 - i;
            for (Results.Part part : view.parts().apply(cells.get(i))) {
                double share = Math.max(0, part.share());
                marks.add(new Mark.Box(
                        at,
                        Math.min(1, at + share),
                        row - 0.38,
                        row + 0.38,
                        Palette.part(part.name()),
                        share >= 0.1 ? Units.wholePercent(share) : ""));
                if (share > 0) {
                    readings.add(new Mark.Reading(
                            at,
                            Math.min(1, at + share),
                            row - 0.38,
                            row + 0.38,
                            part.name() + ": " + Micros.withUnit(part.micros()) + ", " + Units.percent(share)));
                }
                at += share;
                total += part.micros();
            }
            if (total > 0) {
                marks.add(new Mark.Words(1, row - 0.52, Micros.withUnit(total)));
            }
        }
        marks.addAll(readings);
        Axis shares = new Axis(
                "share",
                Axis.Scale.LINEAR,
                0,
                1.45,
                List.of(new Tick(0, "0"), new Tick(0.5, "50 %"), new Tick(1, "100 %")),
                false);
        Axis rows = new Axis(
                "",
                Axis.Scale.LINEAR,
                -0.6,
                n - 0.4,
                IntStream.range(0, n)
                        .mapToObj(i -> new Tick(n - 1 - i, name(cells.get(i), palette)))
                        .toList(),
                false);
        return Panel.of(view.heading(), shares, rows, n * BAR + 6, marks);
    }

    private static String name(Results.Components cell, Palette palette) {
        return palette.label(cell.target()) + ", " + Units.size(cell.payloadBytes());
    }

    private static String alternative(List<Results.Components> cells, Palette palette) {
        return "Stacked bars of what the end-to-end latency consists of, for each target and message size. Largest part of the"
                + " mean: "
                + cells.stream()
                        .map(cell -> name(cell, palette) + ": "
                                + cell.parts().stream()
                                        .max(Comparator.comparingDouble(Results.Part::share))
                                        .map(part -> part.name() + " " + Units.percent(Math.max(0, part.share())))
                                        .orElse("none"))
                        .collect(Collectors.joining("; "))
                + ".";
    }

    private static Table table(List<Results.Components> cells) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Results.Components cell : cells) {
            for (View view : VIEWS) {
                for (Results.Part part : view.parts().apply(cell)) {
                    rows.add(Table.row(
                            cell.target(), cell.payloadBytes(), view.name(), part.name(), part.micros(), part.share()));
                }
            }
        }
        return new Table(List.of("target", "payload bytes", "at", "part", "µs", "share"), rows);
    }
}
