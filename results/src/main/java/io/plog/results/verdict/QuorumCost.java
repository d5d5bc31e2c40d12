package io.plog.results.verdict;

import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What a quorum costs compared with a force of this machine's, in words: for runs that measured both. It compares medians of the same
 * run; the tables have their intervals. Stateless.
 */
public final class QuorumCost {
    private QuorumCost() {}

    /** A sentence for each size; none if the run has no quorum, or no local force to compare it with. */
    public static List<String> sentences(List<Cell> cells) {
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
                    .ifPresent(local -> sentences.add(sentence(bytes, local, quorums)));
        });
        return List.copyOf(sentences);
    }

    private static String sentence(int bytes, Cell local, List<Cell> quorums) {
        return "Logging " + Units.size(bytes) + " takes " + Micros.text(median(local)) + " µs with " + local.target()
                + " on this machine; "
                + quorums.stream()
                        .map(cell -> Micros.text(median(cell)) + " µs with " + cell.target() + ", "
                                + String.format(Locale.ROOT, "%.1f", median(cell) / median(local)) + " times as long")
                        .collect(Collectors.joining("; "))
                + " (medians).";
    }

    private static double median(Cell cell) {
        Distribution logging = Objects.requireNonNull(cell.logMicros());
        return logging.p50();
    }
}
