package io.plog.benchmarks.result;

import java.util.Arrays;
import java.util.List;

/** Quantiles of samples, and medians over rounds. */
public final class SampleQuantiles {
    /** At which shares of the samples a distribution is kept, 0 to 1: what fio can be asked for, 20 at most. */
    public static final List<Double> SHARES = List.of(
            0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.9975, 0.999,
            1.0);

    private SampleQuantiles() {}

    /**
     * The smallest sample that at least this share of the samples does not exceed.
     *
     * @param sorted at least one sample, in ascending order
     * @param share 0 to 1
     */
    public static long of(long[] sorted, double share) {
        return io.plog.stats.Quantiles.of(sorted, share);
    }

    /**
     * The middle value; of an even number of them, the mean of the two in the middle.
     *
     * @param values at least one, in any order
     */
    public static double median(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("the median of no values");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
