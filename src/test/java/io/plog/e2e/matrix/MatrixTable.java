package io.plog.e2e.matrix;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was seen of each kind of fault. */
final class MatrixTable {
    private static final class Seen {
        final List<Duration> gaps = new ArrayList<>();
        int takeovers;
        int answered;
        int attempts;
    }

    private final Map<TakeoverMatrix.Fault, Seen> seen = new EnumMap<>(TakeoverMatrix.Fault.class);

    /**
     * One fault.
     *
     * @param gap the longest time without an answer
     * @param answered requests that were acknowledged meanwhile
     * @param attempts that failed
     */
    void add(TakeoverMatrix.Fault fault, Duration gap, int takeovers, int answered, int attempts) {
        Seen of = seen.computeIfAbsent(fault, kind -> new Seen());
        of.gaps.add(gap);
        of.takeovers += takeovers;
        of.answered += answered;
        of.attempts += attempts;
    }

    /** In Markdown. */
    String render() {
        StringBuilder text = new StringBuilder("| fault | times | takeovers | longest time without an answer: median,"
                + " ms | worst, ms | requests acknowledged | failed attempts |\n"
                + "|---|--:|--:|--:|--:|--:|--:|\n");
        seen.forEach((fault, of) -> {
            List<Duration> gaps = of.gaps.stream().sorted().toList();
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %d | %d | %d | %d |%n",
                    fault.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    gaps.size(),
                    of.takeovers,
                    gaps.get(gaps.size() / 2).toMillis(),
                    gaps.get(gaps.size() - 1).toMillis(),
                    of.answered,
                    of.attempts));
        });
        return text.toString();
    }
}
