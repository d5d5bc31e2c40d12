package io.plog.stats;

import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The empirical distribution function at chosen samples: {@code ranks[i]} of {@code count} samples are at most
 * {@code values[i]}. Both arrays ascend strictly, and the last rank is {@code count}.
 *
 * @param count how many samples it was made from
 * @param values sample values
 * @param ranks how many samples are at most the value in the same place
 */
@SuppressWarnings("ArrayRecordComponent") // plain data for a figure; two are never compared
public record Ecdf(long count, long[] values, long[] ranks) {

    /**
     * Exact at the lowest and highest samples, then at distances from either end that grow by a constant factor, and in between
     * evenly spaced in rank: on a logarithmic axis a tail has as many knots in each decade. Every knot is exact, only knots are
     * left out.
     *
     * @param ascending at least one sample
     * @param knots how many at most; at least 8
     * @throws IllegalArgumentException if there is no sample or {@code knots} is too small
     */
    public static Ecdf of(Longs ascending, int knots) {
        if (ascending.count() == 0 || knots < 8) {
            throw new IllegalArgumentException(
                    ascending.count() + " samples and " + knots + " knots, expected at least 1 and 8");
        }
        long count = ascending.count();
        long[] chosen = count <= knots ? LongStream.range(0, count).toArray() : chosen(count, knots);
        long[] values = new long[chosen.length];
        long[] ranks = new long[chosen.length];
        int used = 0;
        for (long sample : chosen) {
            // Of equal samples the last has the rank that counts.
            boolean repeats = used > 0 && values[used - 1] == ascending.get(sample);
            int knot = repeats ? used - 1 : used++;
            values[knot] = ascending.get(sample);
            ranks[knot] = Quantiles.countAtMost(ascending, values[knot]);
        }
        return new Ecdf(count, Arrays.copyOf(values, used), Arrays.copyOf(ranks, used));
    }

    /**
     * How far the true distribution function may lie above or below one of samples, anywhere, with the chosen confidence: the bound
     * of Dvoretzky, Kiefer and Wolfowitz with Massart's constant (1990). For independent samples; beyond 1 minus this it says
     * nothing, so tails need the ranks of {@link Estimates}.
     *
     * @param count of the samples, at least 1
     * @param confidence above 0 and below 1, such as 0.95
     */
    public static double band(long count, double confidence) {
        return Math.sqrt(Math.log(2 / (1 - confidence)) / (2.0 * count));
    }

    /** An eighth of the knots are the samples at each end, an eighth lead from there to the middle, half are evenly spaced there. */
    private static long[] chosen(long count, int knots) {
        int eighth = knots / 8;
        int middle = knots - 4 * eighth;
        double step =
                Math.max(1, (double) count / middle / eighth); // until the knots are as far apart as in the middle
        LongStream ends = LongStream.range(0, 2L * eighth)
                .map(i -> i < eighth ? i : (long) (eighth * Math.pow(step, (double) (i - eighth + 1) / (eighth + 1))));
        LongStream inner = LongStream.range(0, middle).map(i -> count * (2 * i + 1) / (2L * middle));
        return LongStream.concat(ends.flatMap(distance -> LongStream.of(distance, count - 1 - distance)), inner)
                .sorted()
                .distinct()
                .toArray();
    }
}
