package io.plog.report.page;

import io.plog.report.chart.Palette;
import io.plog.report.html.Html;
import io.plog.report.html.Section;
import io.plog.report.results.Results.Cell;
import io.plog.report.results.Results.Part;
import io.plog.report.results.Results.Slow;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The slowest requests of a run, their parts, and the events that they met. */
final class SlowestSection {
    private static final int OF_THE_RUN = 20;
    private static final int OF_A_CELL = 5;

    private final RunView run;
    private final List<Placed> all;
    private final boolean trials;

    private SlowestSection(RunView run) {
        this.run = run;
        all = run.cells().stream()
                .flatMap(cell -> cell.slowest().stream().map(slow -> new Placed(cell, slow)))
                .sorted(Comparator.comparingDouble(
                        (Placed placed) -> -placed.slow().endToEndMicros()))
                .toList();
        trials = all.stream().map(placed -> placed.slow().trial()).distinct().count() > 1;
    }

    /** A slow request and its cell. */
    private record Placed(Cell cell, Slow slow) {}

    /** Null if there is none. */
    static @Nullable Section of(RunView run) {
        SlowestSection slowest = new SlowestSection(run);
        return slowest.all.isEmpty() ? null : slowest.section();
    }

    private Section section() {
        boolean overlaps =
                all.stream().anyMatch(placed -> !placed.slow().overlaps().isEmpty());
        double limit = all.get(Math.min(all.size(), OF_THE_RUN) - 1).slow().endToEndMicros();
        List<Placed> kept = all.stream()
                .filter(placed -> placed.slow().endToEndMicros() >= limit
                        || placed.cell().slowest().indexOf(placed.slow()) < OF_A_CELL)
                .toList();
        List<Placed> top = all.stream().limit(OF_THE_RUN).toList();
        return new Section("slowest", "The slowest requests")
                .reading("A slow request is a finding, not an outlier to be removed: here is where its time went"
                        + (overlaps
                                ? " and what happened on the machines meanwhile."
                                : ". This run recorded no events of the machines, or none overlapped these requests."))
                .add(table("The slowest requests of the run", top, overlaps, true))
                .add(Html.details(
                        "The slowest of each cell, too",
                        table(
                                "The slowest requests of the run and of each cell; results.json has more",
                                kept,
                                overlaps,
                                false)));
    }

    private String table(String caption, List<Placed> rows, boolean overlaps, boolean bars) {
        List<String> columns = new ArrayList<>(List.of("size", "target", "end to end µs"));
        if (trials) {
            columns.add("trial");
        }
        columns.addAll(List.of("request", "at s", "logging µs", "write µs", "force µs"));
        boolean parts = all.stream().anyMatch(placed -> !placed.slow().parts().isEmpty());
        columns.add(parts ? "parts" : "mostly in");
        if (overlaps) {
            columns.add("meanwhile");
        }
        return Html.tableOf(
                caption,
                columns,
                rows.stream().map(placed -> row(placed, parts, overlaps, bars)).toList());
    }

    private Html.Row row(Placed placed, boolean parts, boolean overlaps, boolean bars) {
        Slow slow = placed.slow();
        List<Html.Cell> cells = new ArrayList<>();
        cells.add(Html.Cell.of(Micros.text(slow.endToEndMicros())));
        if (trials) {
            cells.add(Html.Cell.of(String.valueOf(slow.trial() + 1)));
        }
        Stream.of(
                        Units.count(slow.request()),
                        String.format(Locale.ROOT, "%.3f", slow.atSeconds()),
                        Micros.text(slow.logMicros()),
                        Micros.text(slow.writeMicros()),
                        Micros.text(slow.forceMicros()))
                .map(Html.Cell::of)
                .forEach(cells::add);
        String words = slow.parts().stream()
                .map(part -> part.name() + " " + Micros.text(part.micros()))
                .collect(Collectors.joining("; "));
        cells.add(
                parts
                        ? new Html.Cell("parts", bars ? bar(slow.parts()) : Html.text(words))
                        : Html.Cell.of(
                                run.palette().isOff(placed.cell().target())
                                        ? "–"
                                        : slow.logMicros() > slow.endToEndMicros() / 2 ? "logging" : "elsewhere"));
        if (overlaps) {
            cells.add(Html.Cell.wrapped(slow.overlaps().stream()
                    .map(overlap -> overlap.side() + " " + overlap.kind() + " " + Micros.withUnit(overlap.micros())
                            + (overlap.detail().isEmpty() ? "" : " (" + overlap.detail() + ")"))
                    .collect(Collectors.collectingAndThen(
                            Collectors.joining("; "),
                            found -> found.isEmpty() ? "nothing that was recorded" : found))));
        }
        return RunView.row(placed.cell().target(), placed.cell().payloadBytes(), cells.stream());
    }

    /** Parts side by side, as wide as their shares. */
    private static String bar(List<Part> parts) {
        if (parts.isEmpty()) {
            return "–";
        }
        return "<div class=\"bar\">"
                + parts.stream()
                        .filter(part -> part.share() > 0)
                        .map(part -> "<span style=\"width:" + String.format(Locale.ROOT, "%.1f", part.share() * 100)
                                + "%;"
                                + Html.background(Palette.part(part.name()).colour()) + "\" title=\""
                                + Html.text(part.name() + ": " + Micros.text(part.micros()) + " µs, "
                                        + Units.percent(part.share()))
                                + "\">"
                                + (part.share() >= 0.16 ? "<em>" + Html.text(part.name()) + "</em>" : "")
                                + "</span>")
                        .collect(Collectors.joining())
                + "</div>";
    }
}
