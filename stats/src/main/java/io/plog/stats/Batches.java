package io.plog.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    private final long[][] ascending;
    private final double[] sums;

    private Batches(Replicates samples, List<long[]> parts) {
        this.samples = samples;
        ascending = parts.toArray(long[][]::new);
        sums = new double[ascending.length];
        for (int i = 0; i < ascending.length; i++) {
            Arrays.sort(ascending[i]);
            sums[i] = Moments.mean(ascending[i]) * ascending[i].length;
        }
    }

    /** Of one cell. */
    static Batches of(Replicates samples) {
        return new Batches(samples, cut(samples, shortest(samples)));
    }

    /** Of two cells of the same shape, so that equal parts are partners. */
    static List<Batches> ofPair(Replicates a, Replicates b) {
        int shortest = Math.min(shortest(a), shortest(b));
        return List.of(new Batches(a, cut(a, shortest)), new Batches(b, cut(b, shortest)));
    }

    private static int shortest(Replicates samples) {
        return samples.inTime().stream().mapToInt(block -> block.length).min().orElseThrow();
    }

    private static List<long[]> cut(Replicates samples, int shortestBlock) {
        if (samples.trials().size() > 1) {
            return samples.trials().stream().map(Batches::join).toList();
        }
        List<long[]> blocks = samples.trials().get(0);
        if (blocks.size() >= LEAST) {
            int parts = blocks.size() <= MOST ? blocks.size() : MOST;
            return joined(blocks, parts);
        }
        int pieces = Math.min(shortestBlock, (LEAST + blocks.size() - 1) / blocks.size());
        return blocks.stream().flatMap(block -> split(block, pieces).stream()).toList();
    }

    private static List<long[]> joined(List<long[]> blocks, int parts) {
        List<long[]> result = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            result.add(join(blocks.subList(blocks.size() * i / parts, blocks.size() * (i + 1) / parts)));
        }
        return result;
    }

    private static long[] join(List<long[]> blocks) {
        return blocks.stream().flatMapToLong(Arrays::stream).toArray();
    }

    private static List<long[]> split(long[] block, int pieces) {
        List<long[]> result = new ArrayList<>();
        for (int i = 0; i < pieces; i++) {
            result.add(Arrays.copyOfRange(
                    block, (int) ((long) block.length * i / pieces), (int) ((long) block.length * (i + 1) / pieces)));
        }
        return result;
    }

    /** How many; at least 1. */
    int count() {
        return ascending.length;
    }

    /** One of them, in ascending order. */
    long[] part(int index) {
        return ascending[index];
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
        Arrays.setAll(deviations, i -> (sums[i] - mean * ascending[i].length) / samples.count());
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
                i -> (double) (Quantiles.countAtMost(ascending[i], limit) * count - below * ascending[i].length)
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
            for (long sample : ascending[i]) {
                deviations[i] += ((sample - mean) * (sample - mean) - variance) / samples.count();
            }
        }
        return deviations;
    }

    /** The third cumulant of the error of the mean, as far as single samples make it. */
    double thirdCumulantOfMean() {
        double mean = mean();
        double cubes = 0;
        for (long sample : samples.ascending()) {
            double difference = sample - mean;
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
