package io.plog.stats;

import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * How far a server answers large requests before small ones (Ruan and Pai 2006): the distance between the order of the
 * latencies and that of the sizes, over the distance of the reversed order. 0 if the order of sizes is respected, 1 if it is
 * turned around. What is blind to sizes has neither 0 nor 1 but {@link #random}, about 0.5 to 0.67 with the sizes' shares.
 *
 * <p>For the N-th response of a size, the distance is between its position among all responses by latency and the N-th
 * position of that size among all by size. Equal latencies, as those of one group of the log, are taken in the order of sizes:
 * the benefit of the doubt.
 *
 * @param value the inversion, 0 to 1
 * @param low lower end of its 95 % interval (moving blocks of consecutive responses, resampled)
 * @param high upper end
 * @param random the mean inversion of the same responses with their latencies dealt anew
 * @param randomLow what 2.5 % of these orders are below
 * @param randomHigh what 2.5 % of them are above
 */
public record ServiceInversion(
        double value, double low, double high, double random, double randomLow, double randomHigh) {
    private static final int PERMUTATIONS = 200;
    private static final int RESAMPLES = 400;

    /** Blocks a series is thought of as: long enough that what is near in time stays together, enough to resample from. */
    private static final int BLOCKS = 50;

    /**
     * The inversion of one run.
     *
     * @param sizes of the responses, in the order of time; at least two different ones, or nothing can be inverted
     * @param latencies theirs, in any unit
     * @param seed decides the permutations and the resamples
     * @throws IllegalArgumentException if there are not as many of both, or all sizes are equal
     */
    public static ServiceInversion of(long[] sizes, long[] latencies, long seed) {
        Ranked ranked = Ranked.of(sizes, latencies);
        SplittableRandom random = new SplittableRandom(seed);
        double[] dealt = new double[PERMUTATIONS];
        int[] shuffled = ranked.classes.clone();
        for (int i = 0; i < PERMUTATIONS; i++) {
            shuffle(shuffled, random);
            dealt[i] = ranked.inversion(shuffled);
        }
        double[] again = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            again[i] = ranked.resampled(random);
        }
        Arrays.sort(dealt);
        Arrays.sort(again);
        double value = ranked.inversion(ranked.classes);
        return new ServiceInversion(
                value,
                Math.min(value, at(again, 0.025)),
                Math.max(value, at(again, 0.975)),
                Arrays.stream(dealt).average().orElseThrow(),
                at(dealt, 0.025),
                at(dealt, 0.975));
    }

    /**
     * The inversion alone, without interval and baseline.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static double valueOf(long[] sizes, long[] latencies) {
        Ranked ranked = Ranked.of(sizes, latencies);
        return ranked.inversion(ranked.classes);
    }

    private static double at(double[] ascending, double q) {
        return ascending[(int) Math.round(q * (ascending.length - 1))];
    }

    private static void shuffle(int[] values, SplittableRandom random) {
        for (int i = values.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
    }

    /** The responses in the order of their latencies, with their sizes as classes 0, 1, … in ascending order. */
    private static final class Ranked {
        private final int[] classes;
        private final int[] ranks; // in the order of time, the place of each in that of latencies
        private final int[] counts;

        private Ranked(int[] classes, int[] ranks, int[] counts) {
            this.classes = classes;
            this.ranks = ranks;
            this.counts = counts;
        }

        static Ranked of(long[] sizes, long[] latencies) {
            if (sizes.length != latencies.length) {
                throw new IllegalArgumentException(
                        sizes.length + " sizes and " + latencies.length + " latencies, expected as many of both");
            }
            long[] distinct = Arrays.stream(sizes).distinct().sorted().toArray();
            if (distinct.length < 2) {
                throw new IllegalArgumentException(
                        "service inversion needs responses of at least two sizes, found " + distinct.length);
            }
            Longs bySize = Longs.of(sizes).order(); // of equal latencies the smaller first
            Longs order = Longs.of(latencies).at(bySize).sortedWith(bySize).get(1);
            int[] classes = new int[sizes.length];
            int[] ranks = new int[sizes.length];
            int[] counts = new int[distinct.length];
            for (int i = 0; i < classes.length; i++) {
                int at = (int) order.get(i);
                ranks[at] = i;
                classes[i] = Arrays.binarySearch(distinct, sizes[at]);
                counts[classes[i]]++;
            }
            return new Ranked(classes, ranks, counts);
        }

        /** With the classes in this order. */
        double inversion(int[] inOrder) {
            long[] next = firstPositions(counts);
            long distance = 0;
            for (int i = 0; i < inOrder.length; i++) {
                distance += Math.abs(i - next[inOrder[i]]++);
            }
            return distance / greatest(counts);
        }

        /** That of a series as long, made of blocks of consecutive responses, which begin anywhere and may wrap around. */
        double resampled(SplittableRandom random) {
            int[] weights = new int[classes.length]; // how often the series has each response
            int[] weighted = new int[counts.length];
            int block = Math.max(1, classes.length / BLOCKS);
            for (int left = classes.length; left > 0; left -= block) {
                int from = random.nextInt(classes.length);
                for (int i = 0; i < Math.min(block, left); i++) {
                    int rank = ranks[from];
                    weights[rank]++;
                    weighted[classes[rank]]++;
                    from = from + 1 == classes.length ? 0 : from + 1;
                }
            }
            long[] next = firstPositions(weighted);
            long distance = 0;
            int position = 0;
            for (int i = 0; i < classes.length; i++) {
                // Both positions move alike from one of them to the next.
                distance += weights[i] * Math.abs(position - next[classes[i]]);
                position += weights[i];
                next[classes[i]] += weights[i];
            }
            double greatest = greatest(weighted);
            return greatest == 0 ? 0 : distance / greatest;
        }

        private static long[] firstPositions(int[] counts) {
            long[] first = new long[counts.length];
            for (int i = 1; i < counts.length; i++) {
                first[i] = first[i - 1] + counts[i - 1];
            }
            return first;
        }

        /** The distance of the reversed order: each class moves by the difference between what is larger and what is smaller. */
        private static double greatest(int[] counts) {
            long total = Arrays.stream(counts).asLongStream().sum();
            long smaller = 0;
            double sum = 0;
            for (int count : counts) {
                long larger = total - smaller - count;
                sum += (double) count * Math.abs(larger - smaller);
                smaller += count;
            }
            return sum;
        }
    }
}
