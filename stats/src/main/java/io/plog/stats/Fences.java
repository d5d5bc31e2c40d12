package io.plog.stats;

import io.plog.stats.numbers.Longs;

/**
 * How many samples lie beyond Tukey's fences (<cite>Exploratory Data Analysis</cite>, 1977). They are counted, never dropped: the
 * slow tail is what is looked for.
 *
 * @param low more than 1.5 interquartile ranges below the lower quartile
 * @param mildHigh more than 1.5, but at most 3, above the upper quartile
 * @param severeHigh more than 3 above the upper quartile
 */
public record Fences(long low, long mildHigh, long severeHigh) {
    private static final double INNER = 1.5;
    private static final double OUTER = 3;

    /**
     * Of samples in ascending order, with the quartiles of {@link Quantiles}.
     *
     * @param ascending at least one sample
     */
    public static Fences of(Longs ascending) {
        double lower = Quantiles.of(ascending, 0.25);
        double upper = Quantiles.of(ascending, 0.75);
        double range = upper - lower;
        long inside = Quantiles.countAtMost(ascending, (long) Math.floor(upper + INNER * range));
        long nearby = Quantiles.countAtMost(ascending, (long) Math.floor(upper + OUTER * range));
        // The largest whole number that is still below the fence.
        long below = Quantiles.countAtMost(ascending, (long) Math.ceil(lower - INNER * range) - 1);
        return new Fences(below, nearby - inside, ascending.count() - nearby);
    }
}
