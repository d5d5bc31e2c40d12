package io.plog.stats;

import java.util.ArrayList;
import java.util.List;

/**
 * How much one cell (the <em>treated</em>: logged, or the newer run) differs from another (the <em>control</em>: not logged,
 * or the baseline). All intervals are 95 %; an end is absent where the samples do not bound it.
 *
 * @param paired whether partners were compared
 * @param ratioOfMeans treated by control
 * @param differenceOfMeans treated minus control, in the samples' unit
 * @param ratioOfMedians treated by control
 * @param differenceOfMedians treated minus control, in the samples' unit
 * @param shift the shift function: treated minus control at {@link #SHIFT_QUANTILES}, where both have that quantile's interval
 *     or not
 * @param superiority the probability that a sample of the treated is greater than one of the control, ties counting half; 0.5
 *     says that neither tends to be greater (Vargha and Delaney 2000)
 */
public record Comparison(
        boolean paired,
        Estimate ratioOfMeans,
        Estimate differenceOfMeans,
        Estimate ratioOfMedians,
        Estimate differenceOfMedians,
        List<Shift> shift,
        double superiority) {

    /** Where the shift function is evaluated: the deciles and the tail. */
    public static final List<Double> SHIFT_QUANTILES =
            List.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999);

    /**
     * How much later a quantile of the treated is than that of the control.
     *
     * @param q above 0 and below 1
     * @param difference in the samples' unit
     */
    public record Shift(double q, Estimate difference) {}

    /**
     * Compares two cells.
     *
     * @param paired whether block i of trial t of the one ran next to block i of trial t of the other; then whatever hit both
     *     cancels. False for separate runs
     * @throws IllegalArgumentException if they are to be paired and have not equally many trials and blocks
     */
    public static Comparison of(Replicates treated, Replicates control, boolean paired) {
        if (paired && !treated.hasShapeOf(control)) {
            throw new IllegalArgumentException(
                    "paired, but not with equally many trials and blocks: expected each block to have its partner");
        }
        TwoSamples both = TwoSamples.of(treated, control, paired);
        List<Shift> shift = new ArrayList<>();
        for (double q : SHIFT_QUANTILES) {
            shift.add(new Shift(q, both.differenceOfQuantiles(q)));
        }
        return new Comparison(
                paired,
                both.ratioOfMeans(),
                both.differenceOfMeans(),
                both.ratioOfQuantiles(0.5),
                both.differenceOfQuantiles(0.5),
                List.copyOf(shift),
                superiority(treated.ascending(), control.ascending()));
    }

    /** The ratio of a quantile of the treated to that of the control, as in {@link #of}. */
    public static Estimate ratioOfQuantiles(Replicates treated, Replicates control, boolean paired, double q) {
        return TwoSamples.of(treated, control, paired).ratioOfQuantiles(q);
    }

    /** The ratio of the standard deviations, as in {@link #of}. Wide, or too narrow, where a few requests decide it. */
    public static Estimate ratioOfSds(Replicates treated, Replicates control, boolean paired) {
        return TwoSamples.of(treated, control, paired).ratioOfSds();
    }

    private static double superiority(long[] treated, long[] control) {
        double wins = 0;
        int below = 0;
        int atMost = 0;
        for (long value : treated) {
            while (below < control.length && control[below] < value) {
                below++;
            }
            while (atMost < control.length && control[atMost] <= value) {
                atMost++;
            }
            wins += (below + atMost) / 2.0;
        }
        return wins / treated.length / control.length;
    }
}
