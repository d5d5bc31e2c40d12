package io.plog.stats;

import io.plog.stats.numbers.Longs;

/**
 * How many samples are far above the median.
 *
 * @param over2 more than twice the median
 * @param over5 more than five times
 * @param over10 more than ten times
 * @param over100 more than a hundred times
 */
public record Tail(long over2, long over5, long over10, long over100) {

    /**
     * Of samples in ascending order.
     *
     * @param ascending at least one sample
     */
    public static Tail of(Longs ascending) {
        long median = Quantiles.of(ascending, 0.5);
        return new Tail(
                over(ascending, median, 2),
                over(ascending, median, 5),
                over(ascending, median, 10),
                over(ascending, median, 100));
    }

    private static long over(Longs ascending, long median, int times) {
        return ascending.count() - Quantiles.countAtMost(ascending, median * times);
    }
}
