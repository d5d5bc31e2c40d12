package io.plog.results.compare;

import io.plog.results.compare.Assessment.Row;
import io.plog.results.compare.Assessment.Verdict;
import io.plog.results.model.Wording;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a comparison found, for a reader who knows no statistics. Stateless. */
final class ComparisonSentences {
    /** A difference that only shows from so many times on is not bounded in any way that helps. */
    private static final double MOST_SEEN_FROM = 10;

    private ComparisonSentences() {}

    /**
     * A sentence about a cell.
     *
     * @param margin what the whole interval must be beyond to count as a difference; 1 for any
     */
    static String of(List<Row> rows, double margin) {
        List<String> parts = new ArrayList<>();
        for (Row row : rows) {
            if (row.verdict() == Verdict.LONGER || row.verdict() == Verdict.SHORTER) {
                parts.add((parts.isEmpty() ? "B takes " : "")
                        + times(row.jointRatio().value())
                        + (parts.isEmpty() ? " as long as A in the " : " in the ")
                        + row.figure().words() + " (" + Wording.ends(row.jointRatio(), ComparisonSentences::number)
                        + ")");
            }
        }
        List<String> unseen = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (Row row : rows) {
            boolean bounded = seenFrom(row.jointRatio(), margin) < MOST_SEEN_FROM; // not so if it is NaN
            if (row.verdict() == Verdict.NO_DIFFERENCE && bounded) {
                unseen.add(percent(seenFrom(row.jointRatio(), margin)) + " in the "
                        + row.figure().words());
            } else if (row.verdict() == Verdict.NO_DIFFERENCE || row.verdict() == Verdict.TOO_FEW_SAMPLES) {
                unknown.add(row.figure().words());
            }
        }
        List<String> sentences = new ArrayList<>();
        if (!parts.isEmpty()) {
            sentences.add(listed(parts, "and") + ".");
        }
        if (!unseen.isEmpty()) {
            sentences.add((parts.isEmpty() ? "No difference can be seen" : "No other difference can be seen")
                    + "; one above " + listed(unseen, "or") + " would have been.");
        }
        if (!unknown.isEmpty()) {
            sentences.add("There are too few samples to bound the " + listed(unknown, "and the") + ".");
        }
        return String.join(" ", sentences);
    }

    /** A sentence about all cells together. */
    static String of(List<Assessment.Cell> cells) {
        long figures = cells.stream().mapToLong(cell -> cell.figures().size()).sum();
        long differ = cells.stream()
                .flatMap(cell -> cell.figures().stream())
                .filter(row -> row.verdict() == Verdict.LONGER || row.verdict() == Verdict.SHORTER)
                .count();
        long unknown = cells.stream()
                .flatMap(cell -> cell.figures().stream())
                .filter(row -> row.verdict() == Verdict.TOO_FEW_SAMPLES)
                .count();
        String rest = unknown == 0 ? "" : " " + unknown + " have too few samples to decide.";
        if (unknown == figures) {
            return "None of " + figures + " figures has enough samples to decide.";
        }
        return differ == 0
                ? "No difference can be seen in any of " + (figures - unknown) + " figures." + rest
                : differ + " of " + figures + " figures differ." + rest;
    }

    /**
     * A difference of more than this many times lies outside the interval, so it would have been seen; not finite if the interval
     * has no end, or begins at 0.
     */
    private static double seenFrom(Estimate joint, double margin) {
        Double low = joint.low();
        Double high = joint.high();
        return low == null || high == null ? Double.NaN : Math.max(margin, Math.max(high, 1 / low));
    }

    private static String times(double ratio) {
        return number(ratio) + " times";
    }

    /** Two digits behind the point, more where two would hide a difference. */
    static String number(double ratio) {
        if (ratio < 0.0995) {
            return Units.significantDigits(ratio, 2);
        }
        boolean close = Math.abs(ratio - 1) < 0.0995;
        return String.format(
                Locale.ROOT, close ? "%.3f" : ratio >= 99.5 ? "%.0f" : ratio >= 9.95 ? "%.1f" : "%.2f", ratio);
    }

    private static String percent(double ratio) {
        return ratio >= 2 ? times(ratio) : Units.percent(ratio - 1);
    }

    private static String listed(List<String> words, String last) {
        return words.size() == 1
                ? words.get(0)
                : String.join(", ", words.subList(0, words.size() - 1)) + " " + last + " "
                        + words.get(words.size() - 1);
    }
}
