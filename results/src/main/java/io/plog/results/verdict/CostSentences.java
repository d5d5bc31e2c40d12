package io.plog.results.verdict;

import io.plog.results.model.Claim;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.Seen;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What logging adds to a request, in words that say no more than the run can see. Stateless. */
public final class CostSentences {
    private CostSentences() {}

    /** All of a run: the first target that is forced to stable storage, then the others, then what a quorum costs. */
    public static List<Results.Cost> all(
            List<Results.Target> targets, List<Overhead> overhead, List<Results.Cell> cells) {
        if (overhead.isEmpty()) {
            return List.of(new Results.Cost(null, ofNone(targets, cells)));
        }
        return Stream.concat(
                        targets.stream()
                                .filter(target -> overhead.stream()
                                        .anyMatch(row -> row.target().equals(target.name())))
                                .sorted(Comparator.comparing(target -> !target.stableStorage()))
                                .map(target -> new Results.Cost(target.name(), ofTarget(target, overhead))),
                        ofQuorums(cells).stream().map(sentence -> new Results.Cost(null, sentence)))
                .toList();
    }

    /** Where no size has both a cell with logging and one without. */
    private static String ofNone(List<Results.Target> targets, List<Results.Cell> cells) {
        if (targets.stream().noneMatch(target -> target.forceLabel().isKnown())) {
            return "What the service does with a request is not known: these are the latencies that its clients see.";
        }
        return cells.stream().allMatch(cell -> cell.logMicros() == null)
                ? "No request that counts was logged, so this run shows nothing of what logging costs."
                : "No size was measured both with and without logging, so this run shows what logging takes, but not what it"
                        + " adds end to end.";
    }

    private static String ofTarget(Results.Target target, List<Overhead> overhead) {
        List<Overhead> rows = overhead.stream()
                .filter(row -> row.target().equals(target.name()))
                .toList();
        return "With " + target.label() + " " + of(rows) + ". " + limits(rows) + ".";
    }

    private static String limits(List<Overhead> rows) {
        Map<Claim.Verdict, List<Overhead>> verdicts = rows.stream()
                .collect(Collectors.groupingBy(Overhead::verdict, LinkedHashMap::new, Collectors.toList()));
        if (verdicts.containsKey(Claim.Verdict.NOT_JUDGED)) {
            return "Whether that is less than 10 % is not judged, as the run is not valid";
        }
        if (verdicts.keySet().equals(Set.of(Claim.Verdict.UNDECIDED))) {
            return "Whether that is less than 10 %, this run cannot tell";
        }
        return "That is "
                + verdicts.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(same -> limit(same.getKey())
                                + (verdicts.size() == 1 ? " at every size" : at(same.getValue(), rows)))
                        .collect(Collectors.joining("; "));
    }

    private static String limit(Claim.Verdict verdict) {
        return switch (verdict) {
            case HOLDS -> "less than 10 %";
            case FAILS -> "more than 10 %";
            case UNDECIDED -> "not surely more or less";
            case NOT_TESTABLE, NOT_JUDGED -> "not judged";
        };
    }

    /**
     * All sizes of a target, a sentence without its end: {@code a request takes 52.1 to 140 µs longer than without logging}.
     */
    public static String of(List<Overhead> rows) {
        List<String> parts = new ArrayList<>();
        List<Overhead> longer = only(rows, Seen.LONGER);
        List<Overhead> none = only(rows, Seen.NO_DIFFERENCE);
        List<Overhead> unclear = only(rows, Seen.UNCLEAR);
        List<Overhead> shorter = only(rows, Seen.SHORTER);
        if (!longer.isEmpty()) {
            parts.add("a request takes " + micros(longer) + " µs longer" + " than without logging, " + ratios(longer)
                    + " times as long" + at(longer, rows));
        }
        if (!none.isEmpty()) {
            parts.add("no difference seen" + atMost(none) + at(none, rows));
        }
        if (!unclear.isEmpty()) {
            String most = atMost(unclear);
            parts.add("what logging adds is unclear" + most
                    + (most.isEmpty() ? "" : ", more than a request takes without logging") + at(unclear, rows));
        }
        if (!shorter.isEmpty()) {
            parts.add("a request took " + micros(shorter) + " µs less" + " than without logging" + at(shorter, rows)
                    + ", which logging cannot do: something else differed");
        }
        return String.join("; ", parts);
    }

    /** {@code , at most 12.0 µs}, the greatest end of the intervals; empty if one has none. */
    private static String atMost(List<Overhead> rows) {
        double most = 0;
        for (Overhead row : rows) {
            Double high = row.atMostMicros();
            if (high == null) {
                return "";
            }
            most = Math.max(most, high);
        }
        return ", at most " + Micros.text(most) + " µs";
    }

    private static List<Overhead> only(List<Overhead> rows, Seen seen) {
        return rows.stream().filter(row -> row.seen() == seen).toList();
    }

    private static String at(List<Overhead> some, List<Overhead> all) {
        return some.size() == all.size()
                ? ""
                : " at "
                        + some.stream()
                                .map(row -> Units.size(row.payloadBytes()))
                                .collect(Collectors.joining(", "));
    }

    private static String micros(List<Overhead> rows) {
        return range(
                rows.stream().map(row -> Math.abs(row.difference().value())).toList(), Micros::text);
    }

    private static String ratios(List<Overhead> rows) {
        return range(rows.stream().map(row -> row.ratioOfMeans().ratio()).toList(), Units::threeDigits);
    }

    private static String range(List<Double> values, Function<Double, String> show) {
        String least = show.apply(values.stream().mapToDouble(x -> x).min().orElseThrow());
        String most = show.apply(values.stream().mapToDouble(x -> x).max().orElseThrow());
        return least.equals(most) ? least : least + " to " + most;
    }

    /** A sentence for each size; none if the run has no quorum, or no local force to compare it with. */
    public static List<String> ofQuorums(List<Cell> cells) {
        List<Cell> measured = cells.stream()
                .filter(cell -> cell.count() > 0 && cell.logMicros() != null)
                .toList();
        List<String> sentences = new ArrayList<>();
        measured.stream().map(Cell::payloadBytes).distinct().sorted().forEach(bytes -> {
            List<Cell> ofSize = measured.stream()
                    .filter(cell -> cell.payloadBytes() == bytes)
                    .toList();
            List<Cell> quorums = ofSize.stream()
                    .filter(cell -> cell.forceLabel().isForcedElsewhere())
                    .toList();
            ofSize.stream()
                    .filter(cell ->
                            cell.forceLabel().forces() && !cell.forceLabel().isForcedElsewhere())
                    .findFirst()
                    .filter(local -> !quorums.isEmpty())
                    .ifPresent(local -> sentences.add(ofQuorum(bytes, local, quorums)));
        });
        return List.copyOf(sentences);
    }

    private static String ofQuorum(int bytes, Cell local, List<Cell> quorums) {
        return "Logging " + Units.size(bytes) + " takes " + Micros.text(loggingMedian(local)) + " µs with "
                + local.target()
                + " on this machine; "
                + quorums.stream()
                        .map(cell -> Micros.text(loggingMedian(cell)) + " µs with " + cell.target() + ", "
                                + String.format(Locale.ROOT, "%.1f", loggingMedian(cell) / loggingMedian(local))
                                + " times as long")
                        .collect(Collectors.joining("; "))
                + " (medians).";
    }

    private static double loggingMedian(Cell cell) {
        Distribution logging = Objects.requireNonNull(cell.logMicros());
        return logging.p50();
    }
}
