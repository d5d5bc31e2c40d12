package io.plog.report.verdict;

import io.plog.report.results.Results;
import io.plog.report.results.Results.Overhead;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What logging adds to a request, in words that say no more than the run can see. Stateless. */
public final class CostSentences {
    private CostSentences() {}

    /** What a run can say of one size. */
    public enum Seen {
        LONGER,
        /** The interval of the difference holds 0. */
        NO_DIFFERENCE,
        /** Logging cannot do that: something else differed. */
        SHORTER
    }

    /** What the run can say. A ratio that is surely above 1 counts as seen, too: it is the steadier of the two for skewed means. */
    public static Seen seen(Overhead row) {
        Results.Estimate difference = difference(row);
        Double high = difference.high();
        Double ratio = row.ratioOfMeans().low();
        if (isAbove(difference.low(), 0) || isAbove(ratio, 1)) {
            return Seen.LONGER;
        }
        return high != null && high < 0 ? Seen.SHORTER : Seen.NO_DIFFERENCE;
    }

    /** Without an interval if the results have none. */
    private static Results.Estimate difference(Overhead row) {
        Results.Estimate found = row.differenceOfMeansMicros();
        return found != null ? found : new Results.Estimate(row.meanMicros() - row.offMeanMicros(), null, null);
    }

    private static boolean isAbove(@Nullable Double low, double limit) {
        return low != null && low > limit;
    }

    /**
     * All sizes of a target, a sentence without its end: {@code a request takes 52.1 to 140 µs longer than without logging}.
     *
     * @param strong how the figures that matter most are set
     */
    public static String of(List<Overhead> rows, Function<String, String> strong) {
        List<String> parts = new ArrayList<>();
        List<Overhead> longer = only(rows, Seen.LONGER);
        List<Overhead> none = only(rows, Seen.NO_DIFFERENCE);
        List<Overhead> shorter = only(rows, Seen.SHORTER);
        if (!longer.isEmpty()) {
            parts.add("a request takes " + strong.apply(micros(longer) + " µs longer") + " than without logging, "
                    + ratios(longer) + " times as long" + at(longer, rows));
        }
        if (!none.isEmpty()) {
            parts.add(strong.apply("no difference seen" + atMost(none)) + at(none, rows));
        }
        if (!shorter.isEmpty()) {
            parts.add("a request took " + strong.apply(micros(shorter) + " µs less") + " than without logging"
                    + at(shorter, rows) + ", which logging cannot do: something else differed");
        }
        return String.join("; ", parts);
    }

    /** {@code , at most 12.0 µs}, the greatest end of the intervals; empty if one has none. */
    public static String atMost(List<Overhead> rows) {
        double most = 0;
        for (Overhead row : rows) {
            Double high = difference(row).high();
            if (high == null) {
                return "";
            }
            most = Math.max(most, high);
        }
        return ", at most " + Micros.text(most) + " µs";
    }

    private static List<Overhead> only(List<Overhead> rows, Seen seen) {
        return rows.stream().filter(row -> seen(row) == seen).toList();
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
        return range(rows.stream().map(row -> Math.abs(difference(row).value())).toList(), Micros::text);
    }

    private static String ratios(List<Overhead> rows) {
        return range(rows.stream().map(row -> row.ratioOfMeans().ratio()).toList(), CostSentences::times);
    }

    private static String range(List<Double> values, Function<Double, String> show) {
        String least = show.apply(values.stream().mapToDouble(x -> x).min().orElseThrow());
        String most = show.apply(values.stream().mapToDouble(x -> x).max().orElseThrow());
        return least.equals(most) ? least : least + " to " + most;
    }

    private static String times(double ratio) {
        return String.format(Locale.ROOT, ratio >= 9.95 ? "%.0f" : ratio < 1.5 ? "%.2f" : "%.1f", ratio);
    }
}
