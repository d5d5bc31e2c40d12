package io.plog.report.page;

import io.plog.report.chart.Palette;
import io.plog.report.html.Html;
import io.plog.report.results.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parts of a run's results that the sections of its page need. Immutable. */
final class RunView {
    private static final String ONE_TRIAL =
            "One trial: each interval tells how blocks of one server and one client process differ. It cannot know how the next"
                    + " start of the same processes would differ.";

    private final Results results;
    private final Palette palette;
    private final List<Results.Cell> cells;

    RunView(Results results) {
        this.results = results;
        palette = new Palette(results);
        cells = results.cells().stream().filter(cell -> cell.count() > 0).toList();
    }

    Results results() {
        return results;
    }

    Palette palette() {
        return palette;
    }

    /** The cells in which anything was counted. */
    List<Results.Cell> cells() {
        return cells;
    }

    /** As a paragraph, what every interval of a run with one trial leaves out; empty if there are several trials. */
    String whatIntervalsLeaveOut() {
        return results.plan().trials() > 1 ? "" : Html.p("note", ONE_TRIAL);
    }

    /** A table's row that the page hides with its size and target. */
    static Html.Row row(String target, int payloadBytes, Stream<Html.Cell> values) {
        return new Html.Row(
                " data-size=\"" + payloadBytes + "\" data-target=\"" + Html.text(target) + "\"",
                Stream.concat(Stream.of(Html.Cell.of(Units.size(payloadBytes)), Html.Cell.of(target)), values)
                        .toList());
    }

    /** Microseconds; a dash if there are none. */
    static String micros(@Nullable Double micros) {
        return micros == null ? "–" : Micros.text(micros);
    }

    /** An interval in brackets; an end that the samples do not bound is left open. A dash if there is none. */
    static String interval(Results.@Nullable Interval interval) {
        return interval != null && isBounded(interval) ? interval(interval.low(), interval.high(), Micros::text) : "–";
    }

    /** Whether the samples bound at least one end of an interval. */
    static boolean isBounded(Results.@Nullable Interval interval) {
        return interval != null && (interval.low() != null || interval.high() != null);
    }

    static String interval(@Nullable Double low, @Nullable Double high, DoubleFunction<String> show) {
        return (low == null ? "(…" : "[" + show.apply(low)) + ", " + (high == null ? "…)" : show.apply(high) + "]");
    }
}
