package io.plog.stats;

import io.plog.stats.numbers.Longs;

/**
 * Counts on a fixed fine grid, 1000 bins to a decade, from which the bins of any figure are put together. Because all
 * figures' bins are whole multiples of the same fine bin, cells can be read one after the other and still be drawn
 * with bins that were chosen from all of them.
 *
 * <p>Not thread-safe.
 */
public final class LogHistogram {
    /** Fine bins to a decade; a bin is 0.23 % wide. */
    public static final int PER_DECADE = 1000;

    /** Width of a fine bin in ln x. */
    public static final double WIDTH = Math.log(10) / PER_DECADE;

    /** From 1 ns up to 10^12 ns, a quarter of an hour. */
    private static final int BINS = 12 * PER_DECADE;

    private final long[] counts = new long[BINS];

    /**
     * Counts these samples.
     *
     * @param samples in any order; what is below 1 counts as 1, what is beyond the grid goes into its last bin
     */
    public LogHistogram(Longs samples) {
        for (long i = 0; i < samples.count(); i++) {
            counts[binOf(samples.get(i))]++;
        }
    }

    /** The fine bin that a value falls into. */
    public static int binOf(long value) {
        int bin = (int) Math.floor(Math.log((double) Math.max(1, value)) / WIDTH);
        return Math.min(BINS - 1, bin);
    }

    /** How many samples lie in the fine bins from {@code first} up to but without {@code end}. */
    public long count(int first, int end) {
        long sum = 0;
        for (int bin = Math.max(0, first); bin < Math.min(BINS, end); bin++) {
            sum += counts[bin];
        }
        return sum;
    }
}
