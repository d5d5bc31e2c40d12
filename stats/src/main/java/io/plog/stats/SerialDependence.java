package io.plog.stats;

import io.plog.stats.numbers.Longs;
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
        Longs.Builder pairs = new Longs.Builder(); // where the first of each stands
        for (long[] ends : samples.trials()) {
            for (int block = 1; block < ends.length; block++) {
                for (long i = ends[block - 1]; i < ends[block] - 1; i++) {
                    pairs.add(i);
                }
            }
        }
        Longs firsts = pairs.build();
        return firsts.count() < LEAST_PAIRS
                ? 0
                : correlation(
                        firsts.map(samples.inTime()::get),
                        firsts.map(i -> samples.inTime().get(i + 1)));
    }

    /** Pearson's of their ranks; those of n values have the mean (n + 1) / 2. */
    private static double correlation(Longs first, Longs second) {
        Longs ofFirst = doubledRanks(first);
        Longs ofSecond = doubledRanks(second);
        double middle = (first.count() + 1) / 2.0;
        double product = 0;
        double squares = 0;
        double otherSquares = 0;
        for (long i = 0; i < first.count(); i++) {
            double a = ofFirst.get(i) / 2.0 - middle;
            double b = ofSecond.get(i) / 2.0 - middle;
            product += a * b;
            squares += a * a;
            otherSquares += b * b;
        }
        return squares == 0 || otherSquares == 0 ? 0 : product / Math.sqrt(squares * otherSquares);
    }

    /** Ranks from 1, of equal values their mean; doubled they are whole numbers. Sorted twice: the second time back into their order. */
    private static Longs doubledRanks(Longs values) {
        List<Longs> sorted = values.sortedWith(Longs.of(values.count(), i -> i));
        Longs ascending = sorted.get(0);
        Longs.Builder ranks = new Longs.Builder();
        for (long from = 0, to = 0; from < ascending.count(); from = to) {
            while (to < ascending.count() && ascending.get(to) == ascending.get(from)) {
                to++;
            }
            for (long i = from; i < to; i++) {
                ranks.add(from + 1 + to);
            }
        }
        return sorted.get(1).sortedWith(ranks.build()).get(1);
    }
}
