package io.plog.stats;

import io.plog.stats.numbers.Longs;
import java.util.Arrays;

/**
 * Where a series of latencies becomes steady, and whether it stays so.
 *
 * <p>Where: by MSER-5 (White 1997; Spratt 1998): means of five requests each; the beginning is cut off where the standard error
 * of the mean of the rest is smallest. On ln x, because a single slow request would otherwise move the cut. Whether: the
 * medians of {@value #WINDOWS} equal windows behind the cut must not trend (Theil-Sen slope of ln x, Mann-Kendall test).
 *
 * @param warmUp how many samples of the beginning are not steady
 * @param drift the factor by which the trend changes the windows' medians behind the cut from the first to the last, above 0: 1.1 is 10 %
 *     upwards, 0.5 down to half
 * @param middleNanos the median of the windows' medians; 0 if there are too few samples
 * @param verdict what that means
 */
public record SteadyState(long warmUp, double drift, double middleNanos, Verdict verdict) {
    /** What became of a series. */
    public enum Verdict {
        /** It becomes steady and stays so. */
        STEADY,
        /** After the beginning it keeps getting slower, or faster. */
        DRIFTS,
        /** The beginning would be more than half of it. */
        NEVER,
        /** Fewer than {@value SteadyState#LEAST_SAMPLES} samples say nothing. */
        TOO_FEW
    }

    static final int LEAST_SAMPLES = 200;

    private static final int BATCH = 5;
    private static final int WINDOWS = 20;

    /** A trend by less than this factor, up or down, is not worth a word, however significant. */
    private static final double LEAST_DRIFT = 1.05;

    /** Two-sided, 1 %. */
    private static final double SIGNIFICANT = 2.576;

    /**
     * Of samples in the order of time.
     *
     * @param inTime any number; values below 1 count as 1
     */
    public static SteadyState of(Longs inTime) {
        if (inTime.count() < LEAST_SAMPLES) {
            return new SteadyState(0, 1, 0, Verdict.TOO_FEW);
        }
        Longs means = batchMeans(inTime);
        long cut = mser(means);
        long warmUp = cut * BATCH;
        double[] medians = windowMedians(inTime, warmUp);
        double middle = median(medians.clone());
        // On ln x a trend is a factor: no fall is below nothing, and up and down are measured alike.
        double[] logarithms = Arrays.stream(medians)
                .map(median -> Math.log(Math.max(1, median)))
                .toArray();
        double trend = slope(logarithms) * (WINDOWS - 1);
        if (cut >= means.count() / 2) {
            return new SteadyState(warmUp, Math.exp(trend), middle, Verdict.NEVER);
        }
        boolean drifts = Math.abs(trend) > Math.log(LEAST_DRIFT) && Math.abs(mannKendall(medians)) > SIGNIFICANT;
        return new SteadyState(warmUp, Math.exp(trend), middle, drifts ? Verdict.DRIFTS : Verdict.STEADY);
    }

    /** Whether the trend changes the medians by more than a factor, up or down. */
    public boolean driftsBeyond(double factor) {
        return Math.abs(Math.log(drift)) > Math.log(factor);
    }

    /** How far apart the two ends of the trend are, in nanoseconds, at least 0. */
    public double driftNanos() {
        return middleNanos * Math.abs(Math.sqrt(drift) - 1 / Math.sqrt(drift));
    }

    /** As the bits of doubles. */
    private static Longs batchMeans(Longs samples) {
        return Longs.of(samples.count() / BATCH, i -> {
            double mean = 0;
            for (int k = 0; k < BATCH; k++) {
                mean += Math.log((double) Math.max(1, samples.get(i * BATCH + k))) / BATCH;
            }
            return Double.doubleToRawLongBits(mean);
        });
    }

    /** How many of the first values, the bits of doubles, to cut off; at most half of them. */
    static long mser(Longs values) {
        long best = 0;
        double least = Double.POSITIVE_INFINITY;
        double mean = 0;
        double squares = 0; // of the differences from the mean, of the values from i on (Welford 1962)
        for (long i = values.count() - 1; i >= 0; i--) {
            long count = values.count() - i;
            double value = Double.longBitsToDouble(values.get(i));
            double difference = value - mean;
            mean += difference / count;
            squares += difference * (value - mean);
            double error = squares / ((double) count * count);
            if (i <= values.count() / 2 && error <= least) {
                least = error;
                best = i;
            }
        }
        return best;
    }

    private static double[] windowMedians(Longs samples, long from) {
        double[] medians = new double[WINDOWS];
        long length = samples.count() - from;
        for (int i = 0; i < WINDOWS; i++) {
            Longs window = samples.part(from + length * i / WINDOWS, from + length * (i + 1) / WINDOWS);
            medians[i] = Quantiles.of(window.sorted(), 0.5);
        }
        return medians;
    }

    /** The median of the slopes between all pairs (Sen 1968), per step. */
    private static double slope(double[] values) {
        double[] slopes = new double[values.length * (values.length - 1) / 2];
        int count = 0;
        for (int i = 0; i < values.length; i++) {
            for (int k = i + 1; k < values.length; k++) {
                slopes[count++] = (values[k] - values[i]) / (k - i);
            }
        }
        return median(slopes);
    }

    /** The normal score of Mann and Kendall's test for a trend. */
    private static double mannKendall(double[] values) {
        int score = 0;
        for (int i = 0; i < values.length; i++) {
            for (int k = i + 1; k < values.length; k++) {
                score += (int) Math.signum(values[k] - values[i]);
            }
        }
        double n = values.length;
        return (score - Math.signum(score)) / Math.sqrt(n * (n - 1) * (2 * n + 5) / 18);
    }

    /** Sorts the values. */
    private static double median(double[] values) {
        Arrays.sort(values);
        int half = values.length / 2;
        return values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    }
}
