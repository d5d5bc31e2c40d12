package io.plog.study.page;

import io.plog.report.figure.Axis;
import io.plog.report.figure.Axis.Tick;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Fill;
import io.plog.report.figure.Fill.Hatch;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Units;
import io.plog.study.PublishedTables;
import io.plog.study.StudyResults.Control;
import io.plog.study.StudyResults.Deciles;
import io.plog.study.StudyResults.Estimate;
import io.plog.study.StudyResults.Inversion;
import io.plog.study.StudyResults.Load;
import io.plog.study.StudyResults.SizeShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether small requests are served before large ones: sizes in each tenth of the latencies, and service inversion. */
final class FairnessFigures {
    private static final double HEIGHT = 150;
    private static final String RANDOM = "#8b949e";

    private FairnessFigures() {}

    static @Nullable Figure deciles(StudyView study) {
        List<Load> loads =
                study.top().stream().filter(load -> load.deciles() != null).toList();
        Double level = study.topLevel();
        if (loads.isEmpty() || level == null) {
            return null;
        }
        List<Panel> panels = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Load load : loads) {
            Deciles deciles = Objects.requireNonNull(load.deciles());
            List<Mark> marks = new ArrayList<>();
            for (int tenth = 0; tenth < deciles.shares().size(); tenth++) {
                double at = 0;
                List<Double> shares = deciles.shares().get(tenth);
                for (int i = 0; i < shares.size(); i++) {
                    double share = shares.get(i);
                    marks.add(new Mark.Box(tenth + 0.58, tenth + 1.42, at, at + share, StudyPalette.series(i), ""));
                    at += share;
                    rows.add(Table.row(
                            load.design(),
                            tenth + 1,
                            deciles.series().get(i).fromBytes(),
                            deciles.series().get(i).toBytes(),
                            deciles.series().get(i).share(),
                            share));
                }
            }
            panels.add(Panel.of(load.design(), tenths(), Axes.shares("share of the tenth"), HEIGHT, marks));
        }
        List<SizeShare> series = Objects.requireNonNull(loads.get(0).deciles()).series();
        return new Figure(
                "deciles",
                "Sizes in each tenth of the latencies, at load " + StudyNumbers.level(level),
                "All requests of a cell sorted by latency and cut into tenths, the fastest first; each bar shows the sizes in its tenth. "
                        + loads.stream().map(FairnessFigures::words).collect(Collectors.joining(" ")),
                IntStream.range(0, series.size())
                        .mapToObj(i -> KeyEntry.area(
                                StudyNumbers.size(series.get(i)) + " ("
                                        + Units.wholePercent(series.get(i).share()) + " of all)",
                                StudyPalette.series(i)))
                        .toList(),
                Axes.grid(panels, 2),
                List.of(
                        "If latency followed size, the first bars would hold the smallest only, and the last ones the largest only. If it"
                                + " had nothing to do with size, all bars would look alike."),
                new Table(
                        List.of("design", "tenth", "from bytes", "to bytes", "share of all", "share of the tenth"),
                        rows));
    }

    private static Axis tenths() {
        return new Axis(
                "tenth of the requests, fastest first",
                Axis.Scale.LINEAR,
                0.4,
                10.6,
                IntStream.rangeClosed(1, 10)
                        .mapToObj(i -> new Tick(i, String.valueOf(i)))
                        .toList(),
                false);
    }

    private static String words(Load load) {
        Deciles deciles = Objects.requireNonNull(load.deciles());
        if (deciles.shares().isEmpty() || deciles.series().isEmpty()) {
            return load.design() + ": nothing.";
        }
        List<Double> first = deciles.shares().get(0);
        List<Double> last = deciles.shares().get(deciles.shares().size() - 1);
        return load.design() + ": the smallest make up " + Units.wholePercent(first.get(0))
                + " of the fastest tenth, the largest " + Units.wholePercent(last.get(last.size() - 1))
                + " of the slowest.";
    }

    static @Nullable Figure inversion(StudyView study) {
        List<Load> loads = study.loads("relative").stream()
                .filter(load -> load.inversion() != null)
                .toList();
        if (loads.isEmpty()) {
            return null;
        }
        List<Mark> marks = new ArrayList<>();
        marks.add(randomBand(loads));
        PublishedTables.INVERSIONS.forEach(
                published -> marks.add(new Mark.Reference(published.value(), false, wordsOf(published))));
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (String design : study.designs()) {
            List<Load> own =
                    loads.stream().filter(load -> load.design().equals(design)).toList();
            Style style = StudyPalette.line(study.index(design));
            marks.add(new Mark.Line(
                    own.stream().mapToDouble(StudyView::at).toArray(),
                    own.stream()
                            .mapToDouble(load -> inversionOf(load).value().value())
                            .toArray(),
                    style,
                    false));
            for (Load load : own) {
                Estimate value = inversionOf(load).value();
                Estimate random = inversionOf(load).random();
                Double low = value.low();
                Double high = value.high();
                if (low != null && high != null) {
                    marks.add(new Mark.Whisker(
                            StudyView.at(load), low, high, style.withoutDash().wide(1.2), 5));
                }
                marks.add(new Mark.Point(
                        StudyView.at(load),
                        value.value(),
                        load.sustained() ? Mark.Shape.DOT : Mark.Shape.RING,
                        style.colour()));
                rows.add(Table.row(
                        design,
                        load.level(),
                        value.value(),
                        low,
                        high,
                        random.value(),
                        random.low(),
                        random.high(),
                        random.value() > 0 ? value.value() / random.value() : null));
            }
        }
        List<Load> controls = controls(study);
        for (Load control : controls) {
            Inversion inversion = inversionOf(control);
            Style style = StudyPalette.line(study.index(control.design()));
            marks.add(new Mark.Point(
                    StudyView.at(control), inversion.value().value(), Mark.Shape.DIAMOND, style.colour()));
            rows.add(Table.row(
                    control.design() + ", in memory",
                    control.level(),
                    inversion.value().value(),
                    inversion.value().low(),
                    inversion.value().high(),
                    inversion.random().value(),
                    inversion.random().low(),
                    inversion.random().high(),
                    inversion.random().value() > 0
                            ? inversion.value().value() / inversion.random().value()
                            : null));
        }
        List<KeyEntry> key = new ArrayList<>(StudyPalette.key(
                study.designs(), loads.stream().map(Load::design).distinct().toList()));
        if (!controls.isEmpty()) {
            key.add(KeyEntry.point("the same in memory, nothing logged", Mark.Shape.DIAMOND, StudyPalette.PUBLISHED));
        }
        key.add(KeyEntry.area("order blind to size (95 % of random orders)", new Fill("#c9cdd2", Hatch.NONE)));
        double max = Math.max(
                0.75,
                loads.stream()
                                .flatMap(FairnessFigures::values)
                                .max(Comparator.naturalOrder())
                                .orElse(0.0)
                        * 1.06);
        return new Figure(
                "inversion",
                "Service inversion against load",
                "Service inversion, 0 if requests are answered in the order of their sizes and 1 if that order is reversed; an order that is"
                        + " blind to size has about "
                        + StudyNumbers.twoDigits(
                                inversionOf(loads.get(0)).random().value()) + " here. "
                        + study.top().stream()
                                .filter(load -> load.inversion() != null)
                                .map(load -> load.design() + ": "
                                        + StudyNumbers.interval(
                                                inversionOf(load).value(), StudyNumbers::twoDigits) + " at load "
                                        + StudyNumbers.level(StudyView.at(load)))
                                .collect(Collectors.joining("; "))
                        + "."
                        + (controls.isEmpty()
                                ? ""
                                : " In memory, nothing logged: "
                                        + controls.stream()
                                                .map(load -> load.design() + " "
                                                        + StudyNumbers.interval(
                                                                inversionOf(load)
                                                                        .value(),
                                                                StudyNumbers::twoDigits))
                                                .collect(Collectors.joining("; "))
                                        + "."),
                key,
                List.of(List.of(Panel.of(
                        "",
                        Axes.levels(loads.stream().mapToDouble(StudyView::at).toArray()),
                        new Axis(
                                "service inversion",
                                Axis.Scale.LINEAR,
                                0,
                                max,
                                Ticks.linear(0, max, 6, Ticks::number),
                                false),
                        240,
                        marks))),
                List.of(
                        "Bars: 95 % intervals. The published values are those at load 0.95; the studies give no random baseline."),
                new Table(
                        List.of(
                                "design",
                                "level",
                                "inversion",
                                "low",
                                "high",
                                "random",
                                "random low",
                                "random high",
                                "by random"),
                        rows));
    }

    private static List<Load> controls(StudyView study) {
        return study.results().controls().stream()
                .map(Control::load)
                .flatMap(Stream::ofNullable)
                .filter(load -> load.inversion() != null)
                .toList();
    }

    /** Lines close to each other share a text, on the upper one. */
    private static String wordsOf(PublishedTables.Inverted published) {
        String near = PublishedTables.INVERSIONS.stream()
                .filter(other -> other.value() <= published.value() && published.value() - other.value() < 0.05)
                .map(other -> StudyNumbers.twoDigits(other.value()) + " " + other.server())
                .collect(Collectors.joining(", "));
        boolean below = PublishedTables.INVERSIONS.stream()
                .anyMatch(other -> other.value() > published.value() && other.value() - published.value() < 0.05);
        return below ? "" : "published: " + near;
    }

    static Inversion inversionOf(Load load) {
        return Objects.requireNonNull(load.inversion());
    }

    private static Stream<Double> values(Load load) {
        Inversion inversion = inversionOf(load);
        return Stream.of(
                        inversion.value().value(),
                        inversion.value().high(),
                        inversion.random().value(),
                        inversion.random().high())
                .flatMap(Stream::ofNullable);
    }

    /** The mix is the same in all cells, so their baselines are one; the band holds all of them. */
    private static Mark randomBand(List<Load> loads) {
        double low = loads.stream()
                .map(load -> inversionOf(load).random())
                .mapToDouble(random -> Objects.requireNonNullElse(random.low(), random.value()))
                .min()
                .orElse(0);
        double high = loads.stream()
                .map(load -> inversionOf(load).random())
                .mapToDouble(random -> Objects.requireNonNullElse(random.high(), random.value()))
                .max()
                .orElse(0);
        double margin = Math.max(0, 0.006 - (high - low)) / 2; // a band that nobody sees explains nothing
        return new Mark.Band(
                new double[] {0, 1},
                new double[] {low - margin, low - margin},
                new double[] {high + margin, high + margin},
                RANDOM,
                0.45,
                false);
    }
}
