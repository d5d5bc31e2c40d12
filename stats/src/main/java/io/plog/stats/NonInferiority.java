package io.plog.stats;

/**
 * Whether one cell's mean is less than a margin times that of another, as a test of non-inferiority: holds if the whole 95 %
 * interval of the ratio of means lies below the margin, so with an error of at most 2.5 % where the true ratio is the margin; fails
 * if it lies above. The margin must be chosen before measuring.
 *
 * @param ratio of the means, with its interval
 * @param holdsError the probability of a ratio as low as this if the true one is the margin (one-sided p)
 * @param failsError likewise of one as high as this
 */
public record NonInferiority(Estimate ratio, double holdsError, double failsError) {
    /** The error on either side. */
    public static final double ONE_SIDE = 0.025;

    /**
     * Tests a cell against another, as {@link Comparison#of} compares them.
     *
     * @param margin above 0, such as 1.10
     */
    public static NonInferiority of(Replicates treated, Replicates control, boolean paired, double margin) {
        TwoSamples both = TwoSamples.of(treated, control, paired);
        Estimate ratio = both.ratioOfMeans();
        double lower = both.lowerTail(margin);
        return new NonInferiority(ratio, lower, ratio.low() == null ? 1 : 1 - lower);
    }
}
