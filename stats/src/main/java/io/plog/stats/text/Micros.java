package io.plog.stats.text;

/**
 * Durations in microseconds as people read them: every report, table and sentence has its digits from here. Stateless, safe
 * for any thread.
 */
public final class Micros {
    private Micros() {}

    /** Nanoseconds in microseconds, rounded to the nanosecond: the clock tells no more. */
    public static double ofNanos(double nanos) {
        return Math.round(nanos) / 1000.0;
    }

    /** Nanoseconds in microseconds. */
    public static double ofNanos(long nanos) {
        return nanos / 1000.0;
    }

    /** Three significant digits below 1000, whole microseconds above: {@code 8.25}, {@code 93.1}, {@code 1,204}. */
    public static String text(double micros) {
        return Units.threeDigits(micros);
    }

    /** Three significant digits and the unit that suits them: {@code 93.1 µs}, {@code 1.2 ms}, {@code 3 s}. */
    public static String withUnit(double micros) {
        double size = Math.abs(micros);
        if (size >= 1e6) {
            return Units.significantDigits(micros / 1e6, 3) + " s";
        }
        return size >= 1000
                ? Units.significantDigits(micros / 1000, 3) + " ms"
                : Units.significantDigits(micros, 3) + " µs";
    }
}
