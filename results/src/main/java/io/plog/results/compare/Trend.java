package io.plog.results.compare;

import io.plog.results.model.DiskCells;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Kind;
import io.plog.stats.LevelChange;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.TextLines;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How figures went on over many runs of one kind: a disk over months, a branch over commits.
 *
 * @param runs in the order of their beginnings
 * @param series a percentile of a cell that most of them have
 */
public record Trend(List<Run> runs, List<Series> series) {
    /** Of fewer no change can be told from chance at the level of {@link LevelChange}. */
    public static final int LEAST_FOR_CHANGES = 16;

    private static final List<Percentile> SHOWN = List.of(Percentile.P50, Percentile.P99);

    /** One of them; {@code path} as it was named. */
    public record Run(String path, String startedAt, String plogVersion, boolean valid) {}

    /**
     * A figure of each run.
     *
     * @param name target, size and what else distinguishes the cell, the measure and the percentile
     * @param micros in the order of the runs; null where a run has none
     * @param changes of its level
     */
    public record Series(String name, List<@Nullable Double> micros, List<Change> changes) {}

    /**
     * A change of level.
     *
     * @param run the first of the new level, from 0
     * @param before median since the change before
     * @param after median until the next
     */
    public record Change(int run, double before, double after) {}

    /**
     * Of at least three.
     *
     * @param results by their paths
     * @throws NotComparableException if they are of several kinds
     */
    public static Trend of(Map<String, Results> results) throws NotComparableException {
        List<Map.Entry<String, Results>> ordered = results.entrySet().stream()
                .sorted(Comparator.comparing(each -> each.getValue().startedAt()))
                .toList();
        Results first = ordered.get(0).getValue();
        Map<String, List<@Nullable Double>> series = new LinkedHashMap<>();
        for (int i = 0; i < ordered.size(); i++) {
            Results each = ordered.get(i).getValue();
            if (each.kind() != first.kind()) {
                throw new NotComparableException("a trend is of runs of one kind: "
                        + ordered.get(i).getKey() + " is a " + each.kind().label() + ", and "
                        + ordered.get(0).getKey() + " a " + first.kind().label());
            }
            for (Map.Entry<String, Double> figure : figures(each).entrySet()) {
                List<@Nullable Double> values = series.computeIfAbsent(figure.getKey(), name -> new ArrayList<>());
                while (values.size() < i) {
                    values.add(null);
                }
                values.add(figure.getValue());
            }
        }
        return new Trend(
                ordered.stream().map(Trend::run).toList(),
                series.entrySet().stream()
                        .filter(each -> 2
                                        * each.getValue().stream()
                                                .filter(Objects::nonNull)
                                                .count()
                                > ordered.size())
                        .map(each -> series(each.getKey(), each.getValue(), ordered.size()))
                        .toList());
    }

    private static Run run(Map.Entry<String, Results> one) {
        Results results = one.getValue();
        return new Run(one.getKey(), results.startedAt(), results.plogVersion(), results.isValid());
    }

    private static Series series(String name, List<@Nullable Double> values, int runs) {
        while (values.size() < runs) {
            values.add(null);
        }
        int[] known =
                IntStream.range(0, runs).filter(i -> values.get(i) != null).toArray();
        double[] series = IntStream.of(known)
                .mapToDouble(i -> Objects.requireNonNull(values.get(i)))
                .toArray();
        List<Change> changes = known.length < LEAST_FOR_CHANGES
                ? List.of()
                : LevelChange.of(series).stream()
                        .map(each -> new Change(known[each.at()], each.before(), each.after()))
                        .toList();
        return new Series(name, values, changes);
    }

    private static Map<String, Double> figures(Results results) {
        boolean disk = results.kind() == Kind.DISK;
        List<Cell> cells = disk
                ? DiskCells.byDirectory(results.environment().targets(), results.cells()).values().stream()
                        .flatMap(each -> each.usual().stream())
                        .toList()
                : results.cells();
        Map<String, Double> figures = new LinkedHashMap<>();
        for (Cell cell : cells) {
            Distribution found = disk ? cell.logMicros() : cell.endToEndMicros();
            for (Percentile percentile : found == null ? List.<Percentile>of() : SHOWN) {
                String name = cell.target() + (disk ? ", " + cell.force() : "") + ", "
                        + Units.size(cell.payloadBytes())
                        + (disk
                                ? ""
                                : cell.dimensions().values().stream()
                                        .map(each -> ", " + each)
                                        .collect(Collectors.joining()))
                        + (disk ? ", append " : ", end to end ") + percentile.label();
                figures.put(
                        name,
                        Objects.requireNonNull(found).at(percentile).estimate().value());
            }
        }
        return figures;
    }

    /** For people: the runs, then a paragraph for each series, with its changes. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            TextLines.wrap(
                    text,
                    "",
                    4,
                    (i + 1) + ". " + run.startedAt() + " " + run.path() + ", plog " + run.plogVersion()
                            + (run.valid() ? "" : ", not valid"));
        }
        text.append('\n');
        for (Series each : series) {
            Function<Integer, String> shown = i -> each.micros().get(i) == null
                    ? "-"
                    : Micros.text(Objects.requireNonNull(each.micros().get(i)));
            TextLines.wrap(
                    text,
                    "",
                    4,
                    each.name() + ", µs: "
                            + IntStream.range(0, runs.size())
                                    .mapToObj(i ->
                                            (each.changes().stream().anyMatch(change -> change.run() == i) ? "| " : "")
                                                    + shown.apply(i))
                                    .collect(Collectors.joining(" ")));
            for (Change change : each.changes()) {
                TextLines.wrap(
                        text,
                        "    ",
                        4,
                        "changed with run " + (change.run() + 1) + ", "
                                + runs.get(change.run()).startedAt() + ": from " + Micros.text(change.before()) + " to "
                                + Micros.text(change.after()) + " µs");
            }
        }
        text.append('\n');
        if (runs.size() < LEAST_FOR_CHANGES) {
            TextLines.wrap(text, "", 0, "Changes of level are named from " + LEAST_FOR_CHANGES + " runs on.");
        }
        return text.toString();
    }
}
