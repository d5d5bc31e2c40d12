package io.plog.stats;

import io.plog.stats.numbers.Longs;

/**
 * Exact quantiles of sorted samples, by <em>nearest rank</em>: the q-quantile of n samples is the one at rank
 * {@code ceil(q * n)}, counted from 1, so that every quantile is a value that was really measured.
 *
 * <p>Stateless; safe for any thread.
 */
public final class Quantiles {
    /** q * n is a product of rounded numbers; what is this close to a whole number is meant to be one. */
    private static final double ROUNDING = 1e-9;

    private Quantiles() {}

    /**
     * The rank, from 1 to {@code count}, of the q-quantile.
     *
     * @param count at least 1
     * @param q from 0 to 1, both included
     * @throws IllegalArgumentException if {@code count} or {@code q} is out of range
     */
    public static long rank(long count, double q) {
        if (count < 1) {
            throw new IllegalArgumentException("count " + count + " of samples, expected at least 1");
        }
        if (!(q >= 0 && q <= 1)) {
            throw new IllegalArgumentException("quantile " + q + ", expected 0 to 1");
        }
        long rank = (long) Math.ceil(q * count - ROUNDING);
        return Math.min(count, Math.max(1, rank));
    }

    /**
     * The q-quantile of ascending samples.
     *
     * @param ascending at least one sample
     * @throws IllegalArgumentException if there is none, or {@code q} is out of range
     */
    public static long of(Longs ascending, double q) {
        return ascending.get(rank(ascending.count(), q) - 1);
    }

    /** How many of the ascending samples are at most {@code limit}. */
    public static long countAtMost(Longs ascending, long limit) {
        long low = 0;
        long high = ascending.count();
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (ascending.get(middle) <= limit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
