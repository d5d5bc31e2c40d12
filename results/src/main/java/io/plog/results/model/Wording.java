package io.plog.results.model;

import io.plog.stats.Estimate;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** Figures with their intervals inside a sentence, the same in every text. Stateless. */
public final class Wording {
    private Wording() {}

    /** A time: {@code 103 µs (98.0 to 108)}. */
    public static String micros(Estimate micros) {
        return Micros.text(micros.value()) + " µs" + behind(micros, Micros::text);
    }

    /** A ratio: {@code 1.06 times (1.04 to 1.08)}. */
    public static String times(Estimate ratio) {
        return Units.threeDigits(ratio.value()) + " times" + behind(ratio, Units::threeDigits);
    }

    /** Another figure: {@code 31 % (28 % to 34 %)}. */
    public static String of(Estimate figure, DoubleFunction<String> show) {
        return show.apply(figure.value()) + behind(figure, show);
    }

    /** A number of about three digits: {@code 12.2 (10.1 to 14.3)}. */
    public static String of(Estimate figure) {
        return of(figure, Units::threeDigits);
    }

    /** The ends of an interval; one that the data do not bound is a question mark. */
    public static String ends(Estimate figure, DoubleFunction<String> show) {
        Double low = figure.low();
        Double high = figure.high();
        return (low == null ? "?" : show.apply(low)) + " to " + (high == null ? "?" : show.apply(high));
    }

    private static String behind(Estimate figure, DoubleFunction<String> show) {
        return figure.low() == null && figure.high() == null ? "" : " (" + ends(figure, show) + ")";
    }

    /** A rate of requests. */
    public static String perSecond(double rate) {
        return String.format(Locale.ROOT, rate >= 99.5 ? "%,.0f" : "%.1f", rate);
    }
}
