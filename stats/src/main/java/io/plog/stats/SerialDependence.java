package io.plog.stats;

import java.util.Arrays;
import java.util.List;

/**
 * How much each request depends on the one before it, and what that costs.
 *
 * @param lag1 Spearman's rank correlation of successive requests of the same block, ties with their mean rank; 0 if they do not
 *     vary or there are fewer than three pairs
 * @param effectiveCount how many independent requests would tell as much about the mean: the variance of a request by that of the
 *     mean, at most the number of requests
 */
public record SerialDependence(double lag1, double effectiveCount) {
    private static final int LEAST_PAIRS = 3;

    /** Of one cell. */
    public static SerialDependence of(Replicates samples) {
        return new SerialDependence(lag1(samples), Estimates.of(samples).effectiveCount());
    }

    private static double lag1(Replicates samples) {
        List<long[]> blocks = samples.inTime();
        long[] first = blocks.stream()
                .flatMapToLong(block -> Arrays.stream(block, 0, block.length - 1))
                .toArray();
        long[] second = blocks.stream()
                .flatMapToLong(block -> Arrays.stream(block, 1, block.length))
                .toArray();
        return first.length < LEAST_PAIRS ? 0 : correlation(ranks(first), ranks(second));
    }

    /** From 1; equal samples have the mean of their ranks. */
    private static double[] ranks(long[] samples) {
        long[] ascending = samples.clone();
        Arrays.sort(ascending);
        return Arrays.stream(samples)
                .mapToDouble(sample ->
                        (Quantiles.countAtMost(ascending, sample - 1) + 1.0 + Quantiles.countAtMost(ascending, sample))
                                / 2)
                .toArray();
    }

    /** Pearson's; the ranks of n values have the mean (n + 1) / 2. */
    private static double correlation(double[] a, double[] b) {
        double middle = (a.length + 1) / 2.0;
        double product = 0;
        double squares = 0;
        double otherSquares = 0;
        for (int i = 0; i < a.length; i++) {
            product += (a[i] - middle) * (b[i] - middle);
            squares += (a[i] - middle) * (a[i] - middle);
            otherSquares += (b[i] - middle) * (b[i] - middle);
        }
        return squares == 0 || otherSquares == 0 ? 0 : product / Math.sqrt(squares * otherSquares);
    }
}
