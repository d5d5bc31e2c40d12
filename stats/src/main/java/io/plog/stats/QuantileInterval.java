package io.plog.stats;

import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * A quantile with an interval that assumes nothing about the distribution: how many of n independent samples lie below the
 * true q-quantile is binomial, so two of the sorted samples enclose it with at least the chosen confidence (David and Nagaraja,
 * <cite>Order Statistics</cite>, 3rd edition, section 7.1).
 *
 * <p>Requests of one run are not independent, so within a run it is narrower than it should be; across trials it holds.
 *
 * @param value the quantile by nearest rank
 * @param lowRank rank from 1 of the sample that is its lower bound; 0 if the sample is too small to have one
 * @param highRank rank of the upper bound; 0 if there is none
 * @param low the lower bound, or the smallest sample if there is none
 * @param high the upper bound, or the largest sample if there is none
 */
public record QuantileInterval(long value, int lowRank, int highRank, long low, long high) {

    /**
     * The q-quantile of ascending samples with an interval.
     *
     * @param ascending at least one sample
     * @param q above 0 and below 1
     * @param confidence above 0 and below 1, such as 0.95; half of the rest is left out on either side
     * @throws IllegalArgumentException if one of them is out of range
     */
    public static QuantileInterval of(long[] ascending, double q, double confidence) {
        if (!(q > 0 && q < 1 && confidence > 0 && confidence < 1)) {
            throw new IllegalArgumentException(
                    "quantile " + q + " with confidence " + confidence + ", expected both above 0 and below 1");
        }
        long value = Quantiles.of(ascending, q);
        int count = ascending.length;
        double oneSide = (1 - confidence) / 2;
        BinomialDistribution below = BinomialDistribution.of(count, q);
        // The largest rank r with P(fewer than r lie below) <= oneSide, and the smallest with P(at least r do) <=
        // oneSide.
        int lowRank = below.inverseCumulativeProbability(oneSide);
        int highRank = below.inverseCumulativeProbability(1 - oneSide) + 1;
        boolean hasLow = lowRank >= 1;
        boolean hasHigh = highRank <= count;
        return new QuantileInterval(
                value,
                hasLow ? lowRank : 0,
                hasHigh ? highRank : 0,
                ascending[hasLow ? lowRank - 1 : 0],
                ascending[hasHigh ? highRank - 1 : count - 1]);
    }

    /** Whether the sample is large enough for a lower bound. */
    public boolean hasLow() {
        return lowRank > 0;
    }

    /** Whether it is large enough for an upper bound. Without one the figure is little more than the maximum. */
    public boolean hasHigh() {
        return highRank > 0;
    }
}
