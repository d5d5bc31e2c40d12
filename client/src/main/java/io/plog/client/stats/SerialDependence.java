package io.plog.client.stats;

import java.util.ArrayList;
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
        long[] ascending = samples.ascending();
        List<double[]> ranks = new ArrayList<>();
        for (long[] block : samples.inTime()) {
            double[] ofBlock = new double[block.length];
            for (int i = 0; i < block.length; i++) {
                int atMost = Quantiles.countAtMost(ascending, block[i]);
                int below = Quantiles.countAtMost(ascending, block[i] - 1);
                ofBlock[i] = (below + 1.0 + atMost) / 2;
            }
            ranks.add(ofBlock);
        }
        return correlationOfSuccessors(ranks);
    }

    /** Pearson's, of each value of a block with the one after it. */
    private static double correlationOfSuccessors(List<double[]> blocks) {
        double count = 0;
        double first = 0;
        double second = 0;
        for (double[] block : blocks) {
            for (int i = 1; i < block.length; i++) {
                count++;
                first += block[i - 1];
                second += block[i];
            }
        }
        double product = 0;
        double squares = 0;
        double nextSquares = 0;
        for (double[] block : blocks) {
            for (int i = 1; i < block.length; i++) {
                double a = block[i - 1] - first / count;
                double b = block[i] - second / count;
                product += a * b;
                squares += a * a;
                nextSquares += b * b;
            }
        }
        boolean none = count < LEAST_PAIRS || squares == 0 || nextSquares == 0;
        return none ? 0 : product / Math.sqrt(squares * nextSquares);
    }
}
