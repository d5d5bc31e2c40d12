package io.plog.report.study;

import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.SizeShare;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A study's numbers as people read them. Stateless. */
public final class StudyNumbers {
    private StudyNumbers() {}

    public static String perSecond(double rate) {
        return String.format(Locale.ROOT, rate >= 99.5 ? "%,.0f" : "%.1f", rate);
    }

    public static String twoDigits(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** A figure with its interval; an end that the data do not bound is left open. */
    public static String interval(Estimate estimate, DoubleFunction<String> show) {
        if (estimate.low() == null && estimate.high() == null) {
            return show.apply(estimate.value());
        }
        return show.apply(estimate.value()) + " " + ends(estimate, show);
    }

    public static String ends(Estimate estimate, DoubleFunction<String> show) {
        return (estimate.low() == null ? "(…" : "[" + show.apply(estimate.low())) + ", "
                + (estimate.high() == null ? "…)" : show.apply(estimate.high()) + "]");
    }

    public static String orNone(@Nullable Double value, DoubleFunction<String> show) {
        return value == null ? "–" : show.apply(value);
    }

    /** A factor, as {@code 12.2 times}. */
    public static String times(double factor) {
        return factor(factor) + " times";
    }

    /** The same without the word. */
    public static String factor(double factor) {
        return Units.threeDigits(factor);
    }

    public static String size(SizeShare size) {
        return size.fromBytes() == size.toBytes()
                ? Units.size(size.fromBytes())
                : Units.size(size.fromBytes()) + " to " + Units.size(size.toBytes());
    }

    public static String mix(List<SizeShare> mix) {
        return mix.stream()
                .map(size -> size(size) + " " + Units.wholePercent(size.share()))
                .collect(Collectors.joining(", "));
    }

    /** A load level as the study writes it: 0.95. */
    public static String level(double level) {
        return Units.significantDigits(level, 3);
    }
}
