package io.plog.stats;

import java.util.Arrays;
import java.util.List;

/**
 * The bins of one figure, the same for each of its curves: {@code bins} of equal width in ln x, each made of
 * {@code fineBins} bins of {@link LogHistogram}, beginning at fine bin {@code firstFineBin}.
 *
 * @param firstFineBin fine bin at which the first bin begins
 * @param fineBins fine bins to a bin; at least 1
 * @param bins how many; at least 1
 */
public record LogBins(int firstFineBin, int fineBins, int bins) {
    /** A figure is at most about a thousand pixels wide, so more bins than this can't be seen. */
    private static final int MOST_BINS = 400;

    /** Narrowest and widest bin in ln x, whatever the rule says: 1 % and 22 %. */
    private static final double NARROWEST = 0.01;

    private static final double WIDEST = 0.20;

    /**
     * Chosen for these distributions: from the smallest minimum to the largest 99.9th percentile, with the median of
     * the widths that Freedman and Diaconis' rule gives for each distribution of ln x.
     *
     * @param curves at least one
     * @throws IllegalArgumentException if there is none
     */
    public static LogBins forCurves(List<Summary> curves) {
        if (curves.isEmpty()) {
            throw new IllegalArgumentException("no curves to choose bins for, expected at least 1");
        }
        long low = curves.stream().mapToLong(Summary::min).min().orElseThrow();
        long high = curves.stream().mapToLong(Summary::p999).max().orElseThrow();
        double[] widths =
                curves.stream().mapToDouble(LogBins::freedmanDiaconis).sorted().toArray();
        double width = Math.min(WIDEST, Math.max(NARROWEST, widths[widths.length / 2]));
        int first = LogHistogram.binOf(low);
        int span = LogHistogram.binOf(high) - first + 1;
        int fine = Math.max(1, (int) Math.round(width / LogHistogram.WIDTH));
        fine = Math.max(fine, (span + MOST_BINS - 1) / MOST_BINS);
        return new LogBins(first, fine, (span + fine - 1) / fine);
    }

    /** Freedman and Diaconis' bin width, 2 IQR(ln x) n^(-1/3). On x itself a few slow requests would explode it. */
    static double freedmanDiaconis(Summary curve) {
        double range = Math.log((double) Math.max(1, curve.p75())) - Math.log((double) Math.max(1, curve.p25()));
        return 2 * range / Math.cbrt((double) curve.count());
    }

    /** The lower edge of a bin, counted from 0; one past the last bin gives the upper edge of the last. */
    public double edge(int index) {
        return Math.exp((firstFineBin + (double) index * fineBins) * LogHistogram.WIDTH);
    }

    public long[] counts(LogHistogram samples) {
        long[] counts = new long[bins];
        Arrays.setAll(counts, bin -> samples.count(firstFineBin + bin * fineBins, firstFineBin + (bin + 1) * fineBins));
        return counts;
    }
}
