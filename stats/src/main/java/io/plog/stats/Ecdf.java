package io.plog.stats;

import java.util.Arrays;

/**
 * The empirical distribution function at chosen samples: {@code ranks[i]} of {@code count} samples are at most
 * {@code values[i]}. Both arrays ascend strictly, and the last rank is {@code count}.
 *
 * @param count how many samples it was made from
 * @param values sample values
 * @param ranks how many samples are at most the value beside it
 */
@SuppressWarnings("ArrayRecordComponent") // plain data for a figure; nobody compares two of them
public record Ecdf(long count, long[] values, long[] ranks) {

    /**
     * Exact at the lowest and highest samples; in between evenly spaced in rank. Every knot is exact, only knots are
     * left out.
     *
     * @param ascending at least one sample
     * @param knots how many at most; at least 8
     * @throws IllegalArgumentException if there is no sample or {@code knots} is too small
     */
    public static Ecdf of(long[] ascending, int knots) {
        if (ascending.length == 0 || knots < 8) {
            throw new IllegalArgumentException(
                    ascending.length + " samples and " + knots + " knots, expected at least 1 and 8");
        }
        int tail = knots / 4;
        int middle = knots - 2 * tail;
        int count = ascending.length;
        long[] values = new long[Math.min(count, knots)];
        long[] ranks = new long[values.length];
        int used = 0;
        for (int i = 0; i < values.length; i++) {
            int sample = count <= knots ? i : sampleOfKnot(i, count, tail, middle);
            // Of equal samples the last has the rank that counts.
            boolean repeats = used > 0 && values[used - 1] == ascending[sample];
            int knot = repeats ? used - 1 : used++;
            values[knot] = ascending[sample];
            ranks[knot] = Quantiles.countAtMost(ascending, ascending[sample]);
        }
        return new Ecdf(count, Arrays.copyOf(values, used), Arrays.copyOf(ranks, used));
    }

    /**
     * How far the true distribution function may lie above or below this one, anywhere, with the chosen confidence: the bound
     * of Dvoretzky, Kiefer and Wolfowitz with Massart's constant (1990). For independent samples; beyond 1 minus this it says
     * nothing, so tails need {@link QuantileInterval}.
     *
     * @param confidence above 0 and below 1, such as 0.95
     */
    public double band(double confidence) {
        return Math.sqrt(Math.log(2 / (1 - confidence)) / (2.0 * count));
    }

    private static int sampleOfKnot(int knot, int count, int tail, int middle) {
        if (knot < tail) {
            return knot;
        }
        if (knot >= tail + middle) {
            return count - tail + (knot - tail - middle);
        }
        long inner = count - 2L * tail;
        return tail + (int) (inner * (2L * (knot - tail) + 1) / (2L * middle));
    }
}
