package io.plog.results.compare;

import io.plog.results.model.DiskCells;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Kind;
import io.plog.results.table.Table;
import io.plog.results.table.TableMapping;
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
     * @param values in the order of the runs
     * @param levels in the order of time; none if it stayed on one
     */
    public record Series(Figure figure, List<Value> values, List<Level> levels) {}

    /** Of one run; null if it has none. */
    public record Value(@Nullable Double micros) {}

    /** From one run to another, from 1 on, and the median of those. */
    public record Level(int first, int last, double micros) {}

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
                        .filter(figure -> 2 * known(figure, ordered).length > ordered.size())
                        .map(figure -> new Series(
                                figure,
                                ordered.stream()
                                        .map(each -> new Value(each.micros.get(figure)))
                                        .toList(),
                                levels(figure, ordered)))
                        .toList(),
                leftOut);
    }

    /** The places of runs that have it. */
    private static int[] known(Figure figure, List<Member> ordered) {
        return IntStream.range(0, ordered.size())
                .filter(i -> ordered.get(i).micros.containsKey(figure))
                .toArray();
    }

    private static List<Level> levels(Figure figure, List<Member> ordered) {
        int[] known = known(figure, ordered);
        List<LevelChange> changes = known.length < LEAST_FOR_CHANGES
                ? List.of()
                : LevelChange.of(IntStream.of(known)
                        .mapToDouble(i -> ordered.get(i).micros.get(figure))
                        .toArray());
        List<Level> levels = new ArrayList<>();
        int first = 0;
        for (LevelChange change : changes) {
            levels.add(new Level(known[first] + 1, known[change.at() - 1] + 1, change.before()));
            first = change.at();
        }
        if (!changes.isEmpty()) {
            double last = changes.get(changes.size() - 1).after();
            levels.add(new Level(known[first] + 1, known[known.length - 1] + 1, last));
        }
        return levels;
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
            List<String> words = new ArrayList<>(List.of(cell.target(), Units.size(cell.payloadBytes())));
            words.addAll(disk ? List.of(cell.force()) : cell.dimensions().values());
            words.add(disk ? "append" : "end to end");
            for (Percentile percentile : found == null ? List.<Percentile>of() : SHOWN) {
                figures.put(
                        new Figure(String.join(", ", words), percentile.label()),
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
                .flatMap(each -> IntStream.range(1, each.levels.size())
                        .mapToObj(i -> each.figure + " changed with run " + each.levels.get(i).first + ", "
                                + runs.get(each.levels.get(i).first - 1).startedAt + ": from "
                                + Micros.text(each.levels.get(i - 1).micros) + " to "
                                + Micros.text(each.levels.get(i).micros) + " µs"))
                .toList();
        return found.isEmpty() ? List.of("No figure changed its level.") : found;
    }

    /** What is drawn: each value, and both ends of each level of a figure that changed. */
    public List<Table> tables() {
        return TableMapping.tables("trend", source -> Stream.of(this));
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
            Set<Integer> begins = each.levels.stream().skip(1).map(Level::first).collect(Collectors.toSet());
            TextLines.wrap(
                    text,
                    "",
                    4,
                    each.figure + ", µs: "
                            + IntStream.range(0, runs.size())
                                    .mapToObj(i ->
                                            (begins.contains(i + 1) ? "| " : "") + shown(each.values.get(i).micros))
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
