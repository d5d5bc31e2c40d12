package io.plog.study.page;

import io.plog.measure.study.Bin;
import io.plog.report.figure.Axis;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Units;
import io.plog.study.StudyResults.Load;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How many at once: records that shared a force, and connections that had something to read in a turn of an event loop. */
final class TurnFigure {
    private static final double HEIGHT = 150;

    private TurnFigure() {}

    private record What(String name, String heading, String axis, Function<Load, List<Bin>> bins) {}

    private static final List<What> BOTH = List.of(
            new What("batch", "Records per force", "records sharing a force, at most", Load::batchRecords),
            new What(
                    "ready",
                    "Ready connections per turn",
                    "ready connections in a turn, at most",
                    Load::readyChannels));

    static @Nullable Figure of(StudyView study) {
        List<What> known = BOTH.stream()
                .filter(what -> study.loads("relative").stream()
                        .anyMatch(load -> total(what.bins().apply(load)) > 0))
                .toList();
        Double level = study.topLevel();
        if (known.isEmpty() || level == null) {
            return null;
        }
        List<Load> loads = study.loads("relative");
        List<Panel> distributions = new ArrayList<>();
        List<Panel> means = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (What what : known) {
            distributions.add(distribution(study, what));
            means.add(means(study, what));
            for (Load load : loads) {
                for (Bin bin : what.bins().apply(load)) {
                    rows.add(Table.row(load.design(), load.level(), what.name(), bin.from(), bin.to(), bin.count()));
                }
            }
        }
        return new Figure(
                "turns",
                "How many share a force, and how many are ready at once",
                "Above, at load " + StudyNumbers.level(level)
                        + ": share of the forces with at most so many records, and of the event loops' turns with at most so many ready"
                        + " connections. Below, their means against load. At load " + StudyNumbers.level(level) + ": "
                        + known.stream()
                                .map(what -> what.heading().toLowerCase(Locale.ROOT) + ", mean: "
                                        + study.top().stream()
                                                .filter(load ->
                                                        total(what.bins().apply(load)) > 0)
                                                .map(load -> load.design() + " "
                                                        + Units.fourDigits(
                                                                mean(what.bins().apply(load))))
                                                .collect(Collectors.joining(", ")))
                                .collect(Collectors.joining("; "))
                        + ".",
                StudyPalette.key(
                        study.designs(),
                        loads.stream().map(Load::design).distinct().toList()),
                Stream.of(distributions, means).toList(),
                List.of(
                        "The study counted ready events per select(): for New-Flash a mean of 61 fell to 1.6 and a median of 12 to 2 once"
                                + " nothing blocked (not checked at their source)."),
                new Table(List.of("design", "level", "of", "from", "to", "count"), rows));
    }

    private static Panel distribution(StudyView study, What what) {
        List<Load> top = study.top();
        Axis x = Axis.log(
                what.axis(),
                Stream.concat(
                                Stream.of(1L),
                                top.stream()
                                        .flatMap(load -> what.bins().apply(load).stream())
                                        .map(Bin::to))
                        .mapToDouble(Long::doubleValue),
                Axes.width(2),
                Ticks::number);
        List<Mark> marks = new ArrayList<>();
        for (Load load : top) {
            List<Bin> bins = sorted(what.bins().apply(load));
            long total = total(bins);
            if (total == 0) {
                continue;
            }
            double[] at = new double[bins.size() + 2];
            double[] share = new double[bins.size() + 2];
            at[0] = x.min();
            long sum = 0;
            for (int i = 0; i < bins.size(); i++) {
                sum += bins.get(i).count();
                at[i + 1] = Math.max(x.min(), (double) bins.get(i).to());
                share[i + 1] = (double) sum / total;
            }
            at[bins.size() + 1] = x.max();
            share[bins.size() + 1] = 1;
            marks.add(new Mark.Line(at, share, StudyPalette.line(study.index(load.design())), true));
        }
        return Panel.of(what.heading(), x, Axes.shares("share of them"), HEIGHT, marks);
    }

    private static Panel means(StudyView study, What what) {
        List<Load> loads = study.loads("relative").stream()
                .filter(load -> total(what.bins().apply(load)) > 0)
                .toList();
        Axis y = Axis.log(
                "mean", loads.stream().mapToDouble(load -> mean(what.bins().apply(load))), HEIGHT, Ticks::number);
        List<Mark> marks = new ArrayList<>();
        for (String design : study.designs()) {
            List<Load> own =
                    loads.stream().filter(load -> load.design().equals(design)).toList();
            Style style = StudyPalette.line(study.index(design));
            marks.add(new Mark.Line(
                    own.stream().mapToDouble(StudyView::at).toArray(),
                    own.stream()
                            .mapToDouble(load -> mean(what.bins().apply(load)))
                            .toArray(),
                    style,
                    false));
            own.forEach(load -> marks.add(
                    new Mark.Point(StudyView.at(load), mean(what.bins().apply(load)), Mark.Shape.DOT, style.colour())));
        }
        return Panel.of(
                what.heading() + ", mean against load",
                Axes.levels(loads.stream().mapToDouble(StudyView::at).toArray()),
                y,
                HEIGHT,
                marks);
    }

    private static List<Bin> sorted(List<Bin> bins) {
        return bins.stream().sorted(Comparator.comparingLong(Bin::from)).toList();
    }

    private static long total(List<Bin> bins) {
        return bins.stream().mapToLong(Bin::count).sum();
    }

    /** As if all of a bin lay in its middle; most bins hold one number. */
    static double mean(List<Bin> bins) {
        long total = total(bins);
        return total == 0
                ? 0
                : bins.stream()
                                .mapToDouble(bin -> (bin.from() + bin.to()) / 2.0 * bin.count())
                                .sum()
                        / total;
    }
}
