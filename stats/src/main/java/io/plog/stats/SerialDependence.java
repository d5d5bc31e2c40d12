package io.plog.stats;

import io.plog.stats.numbers.Longs;

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
        return firsts.count() < LEAST_PAIRS ? 0 : correlation(samples.inTime(), firsts);
    }

    /** Pearson's of their ranks; those of n values have the mean (n + 1) / 2. */
    private static double correlation(Longs inTime, Longs firsts) {
        Ranks ofFirst = new Ranks(firsts.map(inTime::get).sorted());
        Ranks ofSecond = new Ranks(firsts.map(i -> inTime.get(i + 1)).sorted());
        double middle = (firsts.count() + 1) / 2.0;
        double product = 0;
        double squares = 0;
        double otherSquares = 0;
        for (long i = 0; i < firsts.count(); i++) {
            double a = ofFirst.of(inTime.get(firsts.get(i))) - middle;
            double b = ofSecond.of(inTime.get(firsts.get(i) + 1)) - middle;
            product += a * b;
            squares += a * a;
            otherSquares += b * b;
        }
        return squares == 0 || otherSquares == 0 ? 0 : product / Math.sqrt(squares * otherSquares);
    }

    /** From 1; equal samples have the mean of their ranks. A table shortens the search to some hundred of them. */
    private static final class Ranks {
        private static final int MOST_DIGITS = 17;
        private static final int NEAR_DIGITS = 7;

        private final Longs ascending;
        private final int digits;
        private final long first;
        private final Longs before; // how many are in the places before each

        Ranks(Longs ascending) {
            this.ascending = ascending;
            int bits = Long.SIZE - Long.numberOfLeadingZeros(ascending.count());
            digits = Math.max(2, Math.min(MOST_DIGITS, bits - NEAR_DIGITS));
            first = place(ascending.first());
            Longs.Builder counts = new Longs.Builder();
            for (long i = 0; i < ascending.count(); i++) {
                while (counts.count() <= place(ascending.get(i)) - first) {
                    counts.add(i);
                }
            }
            counts.add(ascending.count());
            before = counts.build();
        }

        /** Of a number that is not negative: its leading digits, and how many others it has. */
        private long place(long value) {
            int cut = Math.max(0, Long.SIZE - 1 - digits - Long.numberOfLeadingZeros(value));
            return ((long) cut << digits) + (value >>> cut);
        }

        double of(long value) {
            long from = before.get(place(value) - first);
            Longs near = ascending.part(from, before.get(place(value) - first + 1));
            return from + (Quantiles.countAtMost(near, value - 1) + 1.0 + Quantiles.countAtMost(near, value)) / 2;
        }
    }
}
