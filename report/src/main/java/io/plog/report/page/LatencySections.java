package io.plog.report.page;

import io.plog.report.cells.FigureData;
import io.plog.report.chart.EcdfFigures;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Ticks;
import io.plog.report.html.Html;
import io.plog.report.html.Section;
import io.plog.report.results.Results;
import io.plog.report.results.Results.Cell;
import io.plog.report.results.Results.Distribution;
import io.plog.report.results.Results.Interval;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sections of a run's page that show latencies: figures, and the tables of the same. */
final class LatencySections {
    private final RunView run;
    private final Results results;
    private final FigureData data;
    private final Map<String, Figure> figures;

    LatencySections(RunView run, FigureData data, List<Figure> figures) {
        this.run = run;
        this.results = run.results();
        this.data = data;
        this.figures = figures.stream().collect(Collectors.toMap(Figure::name, Function.identity()));
    }

    /** In the order of the page, those that the run has data for. */
    List<Section> all() {
        return Stream.of(
                        logging(),
                        means(),
                        endToEnd(),
                        ecdfs(),
                        multiples(),
                        series(),
                        components(),
                        SlowestSection.of(run))
                .filter(Objects::nonNull)
                .map(Section.class::cast)
                .toList();
    }

    /** Adds the figures that exist, and their text. */
    private Section drawn(Section section, String... names) {
        List<Figure> drawn =
                Stream.of(names).filter(figures::containsKey).map(figures::get).toList();
        drawn.forEach(section::drawing);
        return section.words(drawn.toArray(Figure[]::new));
    }

    private @Nullable Section logging() {
        if (!figures.containsKey("logging-density")) {
            return null;
        }
        Section section = new Section("logging", "How long logging takes")
                .reading(
                        "One curve per message size, one panel per target, all with the same axes (after Fig. 2.14). The server measures"
                                + " from handing a record to its log until it is durable as the target's way of forcing says: waiting, write"
                                + " and force. High and narrow is good, left is fast. Drag over a figure to zoom, double-click to go back.");
        return drawn(section, "logging-density", "logging-density-linear")
                .add(percentiles("Logging latency in microseconds", Cell::logMicros))
                .add(peaks(Cell::logPeaks));
    }

    private @Nullable Section endToEnd() {
        if (!figures.containsKey("end-to-end-density")) {
            return null;
        }
        Section section = new Section("e2e", "End to end, with and without logging")
                .reading(
                        "One panel per message size, one curve per target (after Fig. 2.16). The client measures from sending a request until"
                                + " its reply has arrived. The distance between a coloured curve and the grey one is what logging costs.");
        if (!figures.containsKey("shift")) {
            section.note(
                    results.overhead().isEmpty()
                            ? "Without a target that is not logged there is nothing to compare with, so there is no shift function."
                            : "No shift function was computed.");
        }
        // The panels of the shift function stand under those of the densities.
        return drawn(section, "end-to-end-density", "end-to-end-density-linear")
                .add(percentiles("End-to-end latency in microseconds", Cell::endToEndMicros))
                .add(peaks(Cell::endToEndPeaks));
    }

    private String percentiles(String caption, Function<Cell, @Nullable Distribution> measure) {
        List<Html.Row> rows = new ArrayList<>();
        for (Cell cell : run.cells()) {
            Distribution d = measure.apply(cell);
            if (d != null) {
                rows.add(RunView.row(
                        cell.target(),
                        cell.payloadBytes(),
                        Stream.concat(
                                Stream.of(
                                                cell.force(),
                                                Units.count(cell.count()),
                                                Micros.text(d.mean()),
                                                Micros.text(d.sd()),
                                                Micros.text(d.min()),
                                                Micros.text(d.p5()))
                                        .map(Html.Cell::of),
                                Stream.of(
                                        percentile(d, 0.5, d.p50()),
                                        percentile(d, 0.95, d.p95()),
                                        percentile(d, 0.99, d.p99()),
                                        percentile(d, 0.999, d.p999()),
                                        Html.Cell.of(Micros.text(d.max()))))));
            }
        }
        return Html.details(
                "Table of percentiles",
                run.whatIntervalsLeaveOut()
                        + Html.tableOf(
                                caption + "; brackets are 95 % intervals, grey has no upper bound: too few requests",
                                List.of(
                                        "size",
                                        "target",
                                        "force",
                                        "requests",
                                        "mean",
                                        "sd",
                                        "min",
                                        "5 %",
                                        "median",
                                        "95 %",
                                        "99 %",
                                        "99.9 %",
                                        "max"),
                                rows));
    }

    /** A percentile with its interval below it; grey if the samples do not bound it from above. */
    private static Html.Cell percentile(Distribution d, double q, double micros) {
        Results.Interval interval = d.quantiles().stream()
                .filter(quantile -> Math.abs(quantile.q() - q) < 1e-9)
                .map(Results.Quantile::interval)
                .findFirst()
                .orElse(null);
        boolean open = interval != null ? interval.high() == null : q == 0.999 && !d.p999HasUpperBound();
        boolean bounded = RunView.isBounded(interval);
        String text = Micros.text(micros) + (open && !bounded ? "*" : "");
        return new Html.Cell(
                text,
                (open
                                ? "<span class=\"unbounded\" title=\"too few requests for a 95 % upper bound: little more than the"
                                        + " slowest request\">"
                                : "<span>")
                        + text + (bounded ? "<small>" + RunView.interval(interval) + "</small>" : "") + "</span>");
    }

    /** Peaks are named only where there is more than one and the bootstrap found each of them again. */
    private String peaks(Function<Cell, List<Results.Peak>> measure) {
        List<Html.Row> rows = run.cells().stream()
                .filter(cell -> measure.apply(cell).size() > 1)
                .flatMap(cell -> measure.apply(cell).stream()
                        .map(peak -> RunView.row(
                                cell.target(),
                                cell.payloadBytes(),
                                Stream.of(Micros.text(peak.micros()), Units.percent(peak.share()))
                                        .map(Html.Cell::of))))
                .toList();
        return rows.isEmpty()
                ? ""
                : Html.details(
                        "Peaks",
                        Html.tableOf(
                                "Distributions with more than one peak, each found again by the bootstrap",
                                List.of("size", "target", "peak at µs", "share of requests"),
                                rows));
    }

    private @Nullable Section means() {
        if (!figures.containsKey("means")) {
            return null;
        }
        boolean intervals =
                run.cells().stream().map(Cell::endToEndMicros).anyMatch(d -> d != null && d.meanInterval() != null);
        Section section = new Section("means", "Means, their intervals and standard deviations")
                .reading(
                        "Dots are means and hollow diamonds medians (after Fig. 2.15). Thin bars reach one standard deviation to"
                                + " either side: how much single requests differ. "
                                + (intervals
                                        ? "Thick bars are the 95 % interval of the mean: how well the mean itself is known. "
                                        : "The interval of the mean was not computed in this run. ")
                                + "A few slow requests are enough to make the thin bar long; where mean minus deviation is below zero, it"
                                + " ends at 0. The axis is linear, as in the book.");
        List<Html.Row> rows = run.cells().stream()
                .map(cell -> RunView.row(
                        cell.target(),
                        cell.payloadBytes(),
                        Stream.of(
                                        Stream.of(Units.count(cell.count())),
                                        meanAndDeviation(cell.logMicros()),
                                        Stream.of(megabytesPerSecond(cell)),
                                        meanAndDeviation(cell.endToEndMicros()))
                                .flatMap(Function.identity())
                                .map(Html.Cell::of)))
                .toList();
        return drawn(section, "means", "means-log")
                .add(Html.details(
                        "Table",
                        Html.tableOf(
                                "Mean and standard deviation, microseconds; MB/s is the payload by the mean logging latency, of which the"
                                        + " book says over 100 at 100 kB",
                                List.of(
                                        "size",
                                        "target",
                                        "requests",
                                        "logging mean",
                                        "95 % interval",
                                        "logging sd",
                                        "logging, MB/s",
                                        "end to end mean",
                                        "95 % interval",
                                        "end to end sd"),
                                rows)));
    }

    private static Stream<String> meanAndDeviation(@Nullable Distribution d) {
        return d == null
                ? Stream.of("–", "–", "–")
                : Stream.of(Micros.text(d.mean()), RunView.interval(d.meanInterval()), Micros.text(d.sd()));
    }

    /** Bytes a microsecond are 10^6 bytes a second. */
    private static String megabytesPerSecond(Cell cell) {
        Distribution d = cell.logMicros();
        if (d == null || d.mean() <= 0) {
            return "–";
        }
        Interval mean = d.meanInterval();
        Double low = mean == null ? null : mean.low();
        Double high = mean == null ? null : mean.high();
        return Micros.text(cell.payloadBytes() / d.mean())
                + (low == null || high == null || low <= 0
                        ? ""
                        : " [" + Micros.text(cell.payloadBytes() / high) + ", " + Micros.text(cell.payloadBytes() / low)
                                + "]");
    }

    private Section ecdfs() {
        List<Html.Row> rows = data.curves().stream()
                .map(curve -> RunView.row(
                        curve.target(),
                        curve.payloadBytes(),
                        Stream.of(
                                        curve.isLogging() ? "logging" : "end to end",
                                        Units.count(curve.count()),
                                        Units.percent(EcdfFigures.band(curve)),
                                        Micros.text(EcdfFigures.at(curve, 0)),
                                        Micros.text(EcdfFigures.at(curve, 0.1)),
                                        Micros.text(EcdfFigures.at(curve, 0.9)),
                                        Micros.text(EcdfFigures.at(curve, 1)))
                                .map(Html.Cell::of)))
                .toList();
        Section section = new Section("ecdf", "Distribution functions and tails")
                .reading(
                        "How many requests took at most this long; nothing is cut off or smoothed. The shading is the 95 % band. The figures of"
                                + " the tail turn the curve over and stretch its end, so that one request in ten thousand can be seen.");
        return drawn(section, "ecdf-logging", "tail-logging", "ecdf-end-to-end", "tail-end-to-end")
                .add(Html.details(
                        "Table",
                        Html.tableOf(
                                "Ends of the distribution functions, and half the width of their 95 % band (Dvoretzky, Kiefer, Wolfowitz"
                                        + " and Massart; it supposes independent requests)",
                                List.of(
                                        "size",
                                        "target",
                                        "measure",
                                        "requests",
                                        "band ±",
                                        "min µs",
                                        "10 % (about) µs",
                                        "90 % (about) µs",
                                        "max µs"),
                                rows)));
    }

    /** Percentiles as multiples of the median: the shape of a distribution without its scale. */
    private Section multiples() {
        List<Html.Row> rows = new ArrayList<>();
        boolean few = false;
        for (Cell cell : run.cells()) {
            for (boolean logging : new boolean[] {true, false}) {
                Distribution d = logging ? cell.logMicros() : cell.endToEndMicros();
                io.plog.stats.Tail tail = logging ? cell.logTail() : cell.endToEndTail();
                if (d != null && tail != null) {
                    few |= !d.p999HasUpperBound();
                    rows.add(RunView.row(
                            cell.target(),
                            cell.payloadBytes(),
                            Stream.of(
                                            logging ? "logging" : "end to end",
                                            Micros.text(d.p50()),
                                            times(d.mean(), d),
                                            times(d.p95(), d),
                                            times(d.p99(), d),
                                            times(d.p999(), d) + (d.p999HasUpperBound() ? "" : "*"),
                                            times(d.max(), d),
                                            Units.count(tail.over2()),
                                            Units.count(tail.over10()),
                                            Units.count(tail.over100()))
                                    .map(Html.Cell::of)));
                }
            }
        }
        Section section = new Section("multiples", "The tail, in medians")
                .reading(
                        "Each percentile divided by the median of its row: 2 means twice as slow as a usual request. This is what a user of the"
                                + " service waits for now and then.")
                .add(Html.tableOf(
                        "Percentiles as multiples of the median, and how many requests took longer than 2, 10 and 100 medians",
                        List.of(
                                "size",
                                "target",
                                "latency",
                                "median µs",
                                "mean",
                                "95 %",
                                "99 %",
                                "99.9 %",
                                "max",
                                "> 2×",
                                "> 10×",
                                "> 100×"),
                        rows));
        return few
                ? section.note(
                        "* Fewer than 3,688 requests: the 99.9th percentile has no upper bound yet and is little more than the slowest"
                                + " request.")
                : section;
    }

    private static String times(double micros, Distribution d) {
        return "×" + Units.ratio(micros / d.p50()).substring(1);
    }

    private Section series() {
        boolean lanes = !data.lanes().isEmpty();
        Section section = new Section("series", "Every request in the order of time")
                .reading(
                        "The band reaches from the fastest to the slowest request of each short run, the line is the run's median: end to end in"
                                + " the target's colour, logging in amber. All panels share one logarithmic axis. "
                                + (lanes
                                        ? "The lanes below show what interrupted client, server and machine during these requests."
                                        : "What interrupted client, server and machine was not recorded in this run."));
        drawn(section, "series");
        return results.pauses().isEmpty()
                ? section
                : section.add(Html.details(
                        "Table of interruptions",
                        Html.table(
                                "What interrupted client, server and machine during the run",
                                List.of("side", "kind", "how often", "total ms", "longest ms"),
                                results.pauses().stream()
                                        .map(pauses -> List.of(
                                                pauses.side(),
                                                pauses.kind(),
                                                Units.count(pauses.count()),
                                                Ticks.number(pauses.totalMicros() / 1000),
                                                Ticks.number(pauses.maxMicros() / 1000)))
                                        .toList())));
    }

    private Section components() {
        boolean several = results.components().stream()
                .anyMatch(cell -> !cell.atMedian().isEmpty() || !cell.atP99().isEmpty());
        List<String> names = results.components().stream()
                .flatMap(cell -> cell.parts().stream())
                .map(Results.Part::name)
                .distinct()
                .toList();
        List<Html.Row> rows = results.components().stream()
                .map(cell -> RunView.row(
                        cell.target(),
                        cell.payloadBytes(),
                        Stream.of(
                                        Stream.of(Micros.text(cell.endToEndMicros())),
                                        names.stream().map(name -> part(cell, name)),
                                        Stream.of(Micros.text(cell.executionMicros())))
                                .flatMap(Function.identity())
                                .map(Html.Cell::of)))
                .toList();
        Section section = new Section("components", "Where the time goes")
                .reading(
                        "Each bar is the end-to-end latency of a cell, divided into what it was spent on. The execution of a logged request runs"
                                + " while its record is forced, so it takes no share of its own; network and client is what the server did not"
                                + " see. With the design inline it is unread or network: a loop that forces leaves requests unread."
                                + (several ? "" : " Only the means were computed in this run."));
        return drawn(section, "components")
                .add(Html.details(
                        "Table",
                        Html.tableOf(
                                "Mean of each part in microseconds; the parts add up to end to end. Execution in brackets overlaps the"
                                        + " force.",
                                Stream.of(List.of("size", "target", "end to end"), names, List.of("(execution)"))
                                        .flatMap(List::stream)
                                        .toList(),
                                rows)));
    }

    private static String part(Results.Components cell, String name) {
        return cell.parts().stream()
                .filter(part -> part.name().equals(name))
                .map(part -> Micros.text(part.micros()))
                .findFirst()
                .orElse("–");
    }
}
