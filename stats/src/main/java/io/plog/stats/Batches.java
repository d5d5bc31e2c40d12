package io.plog.stats;

import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A cell's samples cut into parts that are taken as independent of each other; all intervals come from how much these parts
 * differ, never from single requests, which depend on those before them.
 *
 * <p>With several trials the trials are the parts: requests of one share processes, caches and the state of the disk. With one
 * trial they are {@value #LEAST} to {@value #MOST} runs of consecutive requests, made of whole blocks where there are enough
 * (batch means: Schmeiser 1982, who shows that more batches than 30 gain little and cost validity).
 */
final class Batches {
    private static final int LEAST = 10;
    private static final int MOST = 20;
    private static final double ONE_SIDE = 0.975;

    private final Replicates samples;
    private final long[] ends;
    private final Longs ascending; // part by part
    private final double[] sums;

    private Batches(Replicates samples, long[] ends) {
        this.samples = samples;
        this.ends = ends;
        ascending = samples.inTime().sortedBetween(ends);
        sums = new double[ends.length - 1];
        Arrays.setAll(sums, i -> Moments.mean(part(i)) * part(i).count());
    }

    /** Of one cell. */
    static Batches of(Replicates samples) {
        return samples.batches();
    }

    /** The same, made anew. */
    static Batches alone(Replicates samples) {
        return new Batches(samples, cut(samples, shortest(samples)));
    }

    /** Of two cells of the same shape, so that equal parts are partners. */
    static List<Batches> ofPair(Replicates a, Replicates b) {
        long shortest = Math.min(shortest(a), shortest(b));
        return List.of(of(a, cut(a, shortest)), of(b, cut(b, shortest)));
    }

    private static Batches of(Replicates samples, long[] ends) {
        return Arrays.equals(samples.batches().ends, ends) ? samples.batches() : new Batches(samples, ends);
    }

    private static long shortest(Replicates samples) {
        return samples.trials().stream()
                .flatMapToLong(ends -> IntStream.range(1, ends.length).mapToLong(i -> ends[i] - ends[i - 1]))
                .min()
                .orElseThrow();
    }

    /** Where the parts end, and the first begins. */
    private static long[] cut(Replicates samples, long shortestBlock) {
        if (samples.trials().size() > 1) {
            return LongStream.concat(
                            LongStream.of(0), samples.trials().stream().mapToLong(ends -> ends[ends.length - 1]))
                    .toArray();
        }
        long[] blocks = samples.trials().get(0);
        int count = blocks.length - 1;
        if (count >= LEAST) {
            int parts = Math.min(count, MOST);
            return IntStream.rangeClosed(0, parts)
                    .mapToLong(i -> blocks[count * i / parts])
                    .toArray();
        }
        int pieces = (int) Math.min(shortestBlock, (LEAST + count - 1) / count);
        return LongStream.concat(
                        LongStream.of(0), IntStream.range(0, count * pieces).mapToLong(i -> {
                            long from = blocks[i / pieces];
                            return from + (blocks[i / pieces + 1] - from) * (i % pieces + 1) / pieces;
                        }))
                .toArray();
    }

    /** How many; at least 1. */
    int count() {
        return sums.length;
    }

    /** One of them, in ascending order. */
    Longs part(int index) {
        return ascending.part(ends[index], ends[index + 1]);
    }

    Replicates samples() {
        return samples;
    }

    double mean() {
        return Arrays.stream(sums).sum() / samples.count();
    }

    /** The contribution of each part to the error of the mean; they sum to 0. */
    double[] deviationsOfMean() {
        double mean = mean();
        double[] deviations = new double[count()];
        Arrays.setAll(deviations, i -> (sums[i] - mean * part(i).count()) / samples.count());
        return deviations;
    }

    /** What each part adds to the error of the share of samples that are at most {@code limit}; they sum to 0. */
    double[] deviationsOfShare(long limit) {
        long count = samples.count();
        long below = Quantiles.countAtMost(samples.ascending(), limit);
        double[] deviations = new double[count()];
        // In whole numbers first: what is 0 must not be a rounding error, which has a correlation with another one.
        Arrays.setAll(
                deviations,
                i -> (double) (Quantiles.countAtMost(part(i), limit) * count - below * part(i).count())
                        / count
                        / count);
        return deviations;
    }

    /** The share of samples that are at most {@code limit}. */
    double share(long limit) {
        return (double) Quantiles.countAtMost(samples.ascending(), limit) / samples.count();
    }

    /** The variance of the samples, divided by their number. */
    double varianceOfSamples() {
        double sd = Moments.sd(samples.ascending(), mean());
        return sd * sd * (samples.count() - 1) / samples.count();
    }

    /** What each part adds to the error of {@link #varianceOfSamples}; they sum to 0. */
    double[] deviationsOfVariance() {
        double mean = mean();
        double variance = varianceOfSamples();
        double[] deviations = new double[count()];
        for (int i = 0; i < deviations.length; i++) {
            Longs part = part(i);
            for (long at = 0; at < part.count(); at++) {
                double sample = part.get(at);
                deviations[i] += ((sample - mean) * (sample - mean) - variance) / samples.count();
            }
        }
        return deviations;
    }

    /** The third cumulant of the error of the mean, as far as single samples make it. */
    double thirdCumulantOfMean() {
        double mean = mean();
        double cubes = 0;
        Longs all = samples.ascending();
        for (long i = 0; i < all.count(); i++) {
            double difference = all.get(i) - mean;
            cubes += difference * difference * difference;
        }
        double count = samples.count();
        return cubes / (count * count * count);
    }

    /** The variance of a sum of equally distributed independent deviations. */
    static double variance(double[] deviations) {
        return covariance(deviations, deviations);
    }

    /** The covariance of two such sums whose terms are partners. */
    static double covariance(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum * a.length / (a.length - 1);
    }

    /** How many standard errors a 95 % interval reaches to either side (Student); with less than one degree of freedom, as with one. */
    static double reach(double degreesOfFreedom) {
        return TDistribution.of(Math.max(1, degreesOfFreedom)).inverseCumulativeProbability(ONE_SIDE);
    }
}
