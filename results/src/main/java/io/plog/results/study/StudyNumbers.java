package io.plog.results.study;

import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** A study's numbers as people read them. Stateless. */
final class StudyNumbers {
    private StudyNumbers() {}

    static String perSecond(double rate) {
        return String.format(Locale.ROOT, rate >= 99.5 ? "%,.0f" : "%.1f", rate);
    }

    /** A figure with its interval; an end that the data do not bound is left open. */
    static String interval(Estimate estimate, DoubleFunction<String> show) {
        if (estimate.low() == null && estimate.high() == null) {
            return show.apply(estimate.value());
        }
        return show.apply(estimate.value()) + " " + ends(estimate, show);
    }

    static String ends(Estimate estimate, DoubleFunction<String> show) {
        return (estimate.low() == null ? "(…" : "[" + show.apply(estimate.low())) + ", "
                + (estimate.high() == null ? "…)" : show.apply(estimate.high()) + "]");
    }

    /** A factor, as {@code 12.2 times}. */
    static String times(double factor) {
        return factor(factor) + " times";
    }

    /** The same without the word. */
    static String factor(double factor) {
        return Units.threeDigits(factor);
    }

    /** A load level as the study writes it: 0.95. */
    static String level(double level) {
        return Units.significantDigits(level, 3);
    }

    /** A figure of about three digits. */
    static String number(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }

    /** A figure with its 95 % interval in words; an end that the data do not bound is a question mark. */
    static String factorOf(Estimate estimate) {
        Double low = estimate.low();
        Double high = estimate.high();
        return low == null && high == null
                ? number(estimate.value())
                : number(estimate.value()) + " (" + (low == null ? "?" : number(low)) + " to "
                        + (high == null ? "?" : number(high)) + ")";
    }
}
