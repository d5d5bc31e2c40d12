package io.plog.results.verdict;

import io.plog.results.model.Claim.Verdict;
import io.plog.stats.Estimate;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** Figures with their intervals inside a sentence, for a reader who knows no statistics. Stateless. */
final class VerdictSentences {
    private VerdictSentences() {}

    /** 103 µs (between 98 and 108). */
    static String micros(Estimate micros) {
        return Micros.text(micros.value()) + " µs" + between(micros, Micros::text);
    }

    /** 1.06 times (between 1.04 and 1.08). */
    static String ratio(Estimate ratio) {
        return times(ratio.value()) + " times" + between(ratio, VerdictSentences::times);
    }

    /** 99.6 % (between 99.1 % and 99.8 %). */
    static String share(Estimate share) {
        return Units.percent(share.value()) + between(share, Units::percent);
    }

    /** What comes of it; what is undecided says why. */
    static String verdict(Verdict verdict, String holds, String fails) {
        return switch (verdict) {
            case HOLDS -> " " + holds;
            case FAILS -> " " + fails;
            default -> " This run is not enough to be sure either way.";
        };
    }

    static String times(double ratio) {
        return String.format(Locale.ROOT, ratio < 9.995 ? "%.2f" : "%,.1f", ratio);
    }

    private static String between(Estimate estimate, DoubleFunction<String> text) {
        Double low = estimate.low();
        Double high = estimate.high();
        if (low == null || high == null) {
            return high != null
                    ? " (at most " + text.apply(high) + ")"
                    : low != null ? " (at least " + text.apply(low) + ", unbounded above)" : " (unbounded)";
        }
        return " (between " + text.apply(low) + " and " + text.apply(high) + ")";
    }
}
