package io.plog.study.page;

import io.plog.report.chart.PartPalette;
import io.plog.report.figure.Axis;
import io.plog.report.figure.Axis.Tick;
import io.plog.report.figure.Figure;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Table;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import io.plog.study.StudyResults.Load;
import io.plog.study.StudyResults.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the mean latency consists of, against load: stacked shares, a panel for each design. */
final class ShareFigure {
    private static final double ROW = 16;

    private ShareFigure() {}

    static @Nullable Figure of(StudyView study) {
        List<Load> loads = study.loads("relative").stream()
                .filter(load -> !load.components().isEmpty())
                .toList();
        if (loads.isEmpty()) {
            return null;
        }
        List<String> names = loads.stream()
                .flatMap(load -> load.components().stream())
                .map(Part::name)
                .distinct()
                .toList();
        List<Panel> panels = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (String design : study.designs()) {
            List<Load> own =
                    loads.stream().filter(load -> load.design().equals(design)).toList();
            if (!own.isEmpty()) {
                panels.add(panel(design, own));
            }
            own.forEach(load -> load.components()
                    .forEach(part -> rows.add(Table.row(
                            design, load.level(), part.name(), part.meanMicros(), part.meanMicros() / total(load)))));
        }
        return new Figure(
                "components",
                "What the mean latency consists of, against load",
                "Stacked shares of the mean end-to-end latency for each design and load. Largest part: "
                        + loads.stream()
                                .map(load -> load.design() + " at load " + StudyNumbers.level(StudyView.at(load)) + ": "
                                        + load.components().stream()
                                                .max(Comparator.comparingDouble(Part::meanMicros))
                                                .map(part -> part.name() + " "
                                                        + Units.wholePercent(part.meanMicros() / total(load)))
                                                .orElse("none"))
                                .collect(Collectors.joining("; "))
                        + ".",
                names.stream()
                        .map(name -> KeyEntry.area(name, PartPalette.of(name)))
                        .toList(),
                Axes.grid(panels, 2).stream().map(ShareFigure::named).toList(),
                List.of("Rows are loads; the number at the end of a bar is the latency that its parts add up to."),
                new Table(List.of("design", "level", "part", "mean µs", "share"), rows));
    }

    /** Designs may have been measured at different loads, so every panel keeps the names of its rows. */
    private static List<Panel> named(List<Panel> row) {
        return row.stream()
                .map(panel -> Panel.of(
                        panel.heading(),
                        panel.x(),
                        new Axis(
                                "",
                                panel.y().scale(),
                                panel.y().min(),
                                panel.y().max(),
                                panel.y().ticks(),
                                false),
                        panel.height(),
                        panel.marks()))
                .toList();
    }

    private static Panel panel(String design, List<Load> loads) {
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < loads.size(); i++) {
            double at = 0;
            double row = loads.size() - 1.0 - i;
            double total = total(loads.get(i));
            for (Part part : loads.get(i).components()) {
                double share = Math.max(0, part.meanMicros()) / total;
                marks.add(new Mark.Box(
                        at,
                        at + share,
                        row - 0.4,
                        row + 0.4,
                        PartPalette.of(part.name()),
                        share >= 0.12 ? Units.wholePercent(share) : ""));
                at += share;
            }
            marks.add(new Mark.Words(1, row - 0.52, Micros.withUnit(total)));
        }
        Axis shares = new Axis(
                "share of the mean",
                Axis.Scale.LINEAR,
                0,
                1.32,
                List.of(new Tick(0, "0"), new Tick(0.5, "50 %"), new Tick(1, "100 %")),
                false);
        return Panel.of(
                design,
                shares,
                Axes.rows(loads.stream()
                        .map(load -> StudyNumbers.level(StudyView.at(load)))
                        .toList()),
                ROW * loads.size() + 6,
                marks);
    }

    private static double total(Load load) {
        return Math.max(
                1e-9,
                load.components().stream()
                        .mapToDouble(part -> Math.max(0, part.meanMicros()))
                        .sum());
    }
}
