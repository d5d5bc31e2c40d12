package io.plog.results.compare;

import io.plog.results.model.DiskCells;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Kind;
import io.plog.results.table.Table;
import io.plog.stats.LevelChange;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.TextLines;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How figures went on over many runs of one kind: a disk over months, a branch over commits.
 *
 * @param about what all of them measured, as people say it
 * @param runs in the order of their beginnings
 * @param series a percentile of a cell that most of them have
 * @param leftOut a sentence for each run near by that is not in it, with the reason
 */
public record Trend(String about, List<Run> runs, List<Series> series, List<String> leftOut) {
    /** Two runs are a comparison. */
    public static final int LEAST_RUNS = 3;

    /** Of fewer no change can be told from chance at the level of {@link LevelChange}. */
    public static final int LEAST_FOR_CHANGES = 16;

    private static final List<Percentile> SHOWN = List.of(Percentile.P50, Percentile.P99);

    /** One of them; {@code path} as it was named. */
    public record Run(String path, String startedAt, String plogVersion, boolean valid) {}

    /** What a value is of: target, size and what else distinguishes the cell, with the measure; and the percentile. */
    public record Figure(String cell, String percentile) {
        @Override
        public String toString() {
            return cell + " " + percentile;
        }
    }

    /**
     * A figure of each run.
     *
     * @param micros in the order of the runs; null where a run has none
     * @param changes of its level
     */
    public record Series(Figure figure, List<@Nullable Double> micros, List<Change> changes) {}

    /**
     * A change of level.
     *
     * @param run the first of the new level, from 0
     * @param before median since the change before
     * @param after median until the next
     */
    public record Change(int run, double before, double after) {}

    /**
     * What a trend needs of a run.
     *
     * @param about as {@link Trend#about}
     * @param work what must be the same of all, by what it is called
     * @param micros its figures
     */
    public record Member(Run run, String about, Map<String, String> work, Map<Figure, Double> micros) {
        /** Of a run that is called {@code path}. */
        public static Member of(String path, Results results) {
            Map<String, String> work = new LinkedHashMap<>();
            work.put("kind", results.kind().label());
            Comparability.work(results.plan()).forEach((what, value) -> work.put(what, value.toString()));
            List<Results.Target> targets = results.environment().targets();
            work.put("targets", targets.stream().map(Results.Target::name).collect(Collectors.joining(", ")));
            for (Results.Target target : targets) {
                work.put("way of forcing of target " + target.name(), target.force());
                work.put("service of target " + target.name(), target.facts().getOrDefault("service", "none"));
            }
            String about = results.kind().label() + " of "
                    + targets.stream().map(Results.Target::label).collect(Collectors.joining(", "))
                    + results.conditions().stream()
                            .filter(fact ->
                                    fact.name().equals("load") || fact.name().equals("sizes"))
                            .map(fact -> "; " + fact.text())
                            .collect(Collectors.joining());
            return new Member(
                    new Run(path, results.startedAt(), results.plogVersion(), results.isValid()),
                    about,
                    work,
                    figures(results));
        }

        /** Why it is in no trend with another; empty if it can be. */
        public String differsFrom(Member other) {
            return Stream.concat(other.work.keySet().stream(), work.keySet().stream())
                    .filter(what -> !Objects.equals(work.get(what), other.work.get(what)))
                    .findFirst()
                    .map(what -> run.path + ": " + what + " is " + work.getOrDefault(what, "not known") + ", in "
                            + other.run.path + " " + other.work.getOrDefault(what, "not known"))
                    .orElse("");
        }
    }

    /**
     * Refuses runs that did different work.
     *
     * @throws NotComparableException if one differs from the first
     */
    public static void check(List<Member> members) throws NotComparableException {
        for (Member each : members) {
            String differs = each.differsFrom(members.get(0));
            if (!differs.isEmpty()) {
                throw new NotComparableException("a trend is of runs that did the same work: " + differs);
            }
        }
    }

    /** Of at least one run, in any order. */
    public static Trend of(List<Member> members, List<String> leftOut) {
        List<Member> ordered = members.stream()
                .sorted(Comparator.comparing(each -> each.run.startedAt))
                .toList();
        Set<Figure> figures = new LinkedHashSet<>();
        ordered.forEach(each -> figures.addAll(each.micros.keySet()));
        return new Trend(
                ordered.get(0).about,
                ordered.stream().map(Member::run).toList(),
                figures.stream()
                        .map(figure -> series(figure, ordered))
                        .filter(each -> 2
                                        * each.micros.stream()
                                                .filter(Objects::nonNull)
                                                .count()
                                > ordered.size())
                        .toList(),
                leftOut);
    }

    private static Series series(Figure figure, List<Member> ordered) {
        List<@Nullable Double> values = new ArrayList<>();
        ordered.forEach(each -> values.add(each.micros.get(figure)));
        int[] known = IntStream.range(0, values.size())
                .filter(i -> values.get(i) != null)
                .toArray();
        double[] series = IntStream.of(known)
                .mapToDouble(i -> Objects.requireNonNull(values.get(i)))
                .toArray();
        List<Change> changes = known.length < LEAST_FOR_CHANGES
                ? List.of()
                : LevelChange.of(series).stream()
                        .map(each -> new Change(known[each.at()], each.before(), each.after()))
                        .toList();
        return new Series(figure, values, changes);
    }

    private static Map<Figure, Double> figures(Results results) {
        boolean disk = results.kind() == Kind.DISK;
        List<Cell> cells = disk
                ? DiskCells.byDirectory(results.environment().targets(), results.cells()).values().stream()
                        .flatMap(each -> each.usual().stream())
                        .toList()
                : results.cells();
        Map<Figure, Double> figures = new LinkedHashMap<>();
        for (Cell cell : cells) {
            Distribution found = disk ? cell.logMicros() : cell.endToEndMicros();
            Stream<String> name = Stream.of(
                            Stream.of(cell.target()),
                            disk ? Stream.of(cell.force()) : Stream.<String>of(),
                            Stream.of(Units.size(cell.payloadBytes())),
                            disk ? Stream.<String>of() : cell.dimensions().values().stream(),
                            Stream.of(disk ? "append" : "end to end"))
                    .flatMap(parts -> parts);
            String words = name.collect(Collectors.joining(", "));
            for (Percentile percentile : found == null ? List.<Percentile>of() : SHOWN) {
                figures.put(
                        new Figure(words, percentile.label()),
                        Objects.requireNonNull(found).at(percentile).micros());
            }
        }
        return figures;
    }

    /** The changes, each a sentence, or that there are none. */
    public List<String> findings() {
        if (runs.size() < LEAST_FOR_CHANGES) {
            return List.of("Changes of level are named from " + LEAST_FOR_CHANGES + " runs on.");
        }
        List<String> found = series.stream()
                .flatMap(each -> each.changes.stream()
                        .map(change -> each.figure + " changed with run " + (change.run + 1) + ", "
                                + runs.get(change.run).startedAt + ": from " + Micros.text(change.before) + " to "
                                + Micros.text(change.after) + " µs"))
                .toList();
        return found.isEmpty() ? List.of("No figure changed its level.") : found;
    }

    /** What is drawn: each value, and both ends of each level of a figure that changed. */
    public List<Table> tables() {
        Table values = Table.of("trend", 2, "cell", "percentile", "run:count", "started", "name", "valid", "value:µs");
        Table levels = Table.of("trend-levels", 3, "cell", "percentile", "level:count", "run:count", "value:µs");
        for (Series each : series) {
            for (int i = 0; i < runs.size(); i++) {
                Run run = runs.get(i);
                String valid = run.valid ? "yes" : "no";
                values.row(
                        each.figure.cell,
                        each.figure.percentile,
                        i + 1,
                        run.startedAt,
                        run.path,
                        valid,
                        each.micros.get(i));
            }
            for (int level = 0; level <= each.changes.size() && !each.changes.isEmpty(); level++) {
                Change before = each.changes.get(Math.max(0, level - 1));
                double micros = level == 0 ? before.before : before.after;
                int from = level == 0 ? 0 : before.run;
                int to = level == each.changes.size() ? runs.size() : each.changes.get(level).run;
                levels.row(each.figure.cell, each.figure.percentile, level + 1, from + 1, micros);
                levels.row(each.figure.cell, each.figure.percentile, level + 1, to, micros);
            }
        }
        return List.of(values, levels);
    }

    /** For people: the runs, a paragraph for each series, and what changed. */
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
            Set<Integer> changed = each.changes.stream().map(Change::run).collect(Collectors.toSet());
            TextLines.wrap(
                    text,
                    "",
                    4,
                    each.figure + ", µs: "
                            + IntStream.range(0, runs.size())
                                    .mapToObj(i -> (changed.contains(i) ? "| " : "") + shown(each.micros.get(i)))
                                    .collect(Collectors.joining(" ")));
        }
        text.append('\n');
        findings().forEach(each -> TextLines.wrap(text, "", 4, each));
        return text.toString();
    }

    private static String shown(@Nullable Double micros) {
        return micros == null ? "-" : Micros.text(micros);
    }
}
