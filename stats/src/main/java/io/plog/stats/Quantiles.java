package io.plog.stats;

/**
 * Exact quantiles of sorted samples, by <em>nearest rank</em>: the q-quantile of n samples is the one at rank
 * {@code ceil(q * n)}, counted from 1, so that every quantile is a value that was really measured.
 *
 * <p>Stateless; safe for any thread.
 */
public final class Quantiles {
    /** Confidence of all intervals here: the share left out on either side. */
    private static final double ONE_SIDE = 0.025;

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
    public static long of(long[] ascending, double q) {
        return ascending[(int) rank(ascending.length, q) - 1];
    }

    /**
     * Whether a sample of this size has a 95 % upper bound for its q-quantile at all: whether the largest sample lies
     * above the true quantile with a probability of 97.5 %. If not, the figure is little more than the maximum.
     *
     * @param count at least 0
     * @param q above 0 and below 1
     */
    public static boolean hasUpperBound(long count, double q) {
        return Math.pow(q, (double) count) <= ONE_SIDE;
    }

    /** How many of the ascending samples are at most {@code limit}. */
    public static int countAtMost(long[] ascending, long limit) {
        int low = 0;
        int high = ascending.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ascending[middle] <= limit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
