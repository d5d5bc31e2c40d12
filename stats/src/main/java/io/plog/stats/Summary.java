package io.plog.stats;

import io.plog.stats.numbers.Longs;

/**
 * The figures of one distribution, in the unit of its samples (nanoseconds everywhere in plog).
 *
 * @param count how many samples
 * @param mean arithmetic mean, summed with compensation
 * @param sd standard deviation of the sample (divided by n - 1); 0 for a single sample
 * @param min smallest sample
 * @param p25 25th percentile; all percentiles by nearest rank, see {@link Quantiles}
 * @param p75 75th percentile
 * @param p999 99.9th percentile
 * @param max largest sample
 */
public record Summary(long count, double mean, double sd, long min, long p25, long p75, long p999, long max) {

    /**
     * Of samples in ascending order.
     *
     * @param ascending at least one sample
     * @throws IllegalArgumentException if there is none
     */
    public static Summary of(Longs ascending) {
        if (ascending.count() == 0) {
            throw new IllegalArgumentException("no samples to summarise, expected at least 1");
        }
        double mean = Moments.mean(ascending);
        return new Summary(
                ascending.count(),
                mean,
                Moments.sd(ascending, mean),
                ascending.first(),
                Quantiles.of(ascending, 0.25),
                Quantiles.of(ascending, 0.75),
                Quantiles.of(ascending, 0.999),
                ascending.last());
    }
}
