package io.plog.stats;

import io.plog.stats.numbers.Longs;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * How much one cell (the <em>treated</em>: logged, or the newer run) differs from another (the <em>control</em>: not logged,
 * or the baseline). All intervals are 95 %; an end is absent where the samples do not bound it.
 *
 * <p>Means: the variance of the difference of deviations, part by part where they are paired. Quantiles: their two intervals put
 * together by what each side contributes (MOVER: Zou and Donner 2008), which keeps them asymmetric where the distribution is, less what
 * the pairs have in common. It keeps the samples; every figure is computed when it is asked for.
 */
public final class Comparison {
    /** Where a shift function, the differences of quantiles, is evaluated: the deciles and the tail. */
    public static final List<Double> SHIFT_QUANTILES =
            List.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999);

    private final Batches treated;
    private final Batches control;
    private final boolean paired;

    private Comparison(Batches treated, Batches control, boolean paired) {
        this.treated = treated;
        this.control = control;
        this.paired = paired;
    }

    /**
     * Compares two cells.
     *
     * @param paired whether block i of trial t of the one ran next to block i of trial t of the other; then whatever hit both
     *     cancels. False for separate runs
     * @throws IllegalArgumentException if they are to be paired and have not equally many trials and blocks
     */
    public static Comparison of(Replicates treated, Replicates control, boolean paired) {
        if (!paired) {
            return new Comparison(Batches.of(treated), Batches.of(control), false);
        }
        if (!treated.hasShapeOf(control)) {
            throw new IllegalArgumentException(
                    "paired, but not with equally many trials and blocks: expected each block to have its partner");
        }
        List<Batches> pair = Batches.ofPair(treated, control);
        return new Comparison(pair.get(0), pair.get(1), true);
    }

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
    }

    public Replicates treated() {
        return treated.samples();
    }

    public Replicates control() {
        return control.samples();
    }

    /** Whether partners are compared. */
    public boolean isPaired() {
        return paired;
    }

    /** Treated minus control, in the samples' unit. */
    public Estimate differenceOfMeans() {
        return linear(treated.mean() - control.mean(), 1, 1);
    }

    /** On the logarithm, where the interval is symmetric: a deviation of the logarithm is one in parts of the mean. */
    public Estimate ratioOfMeans() {
        double a = Math.max(treated.mean(), Double.MIN_NORMAL);
        double b = Math.max(control.mean(), Double.MIN_NORMAL);
        return linear(Math.log(a / b), 1 / a, 1 / b).map(Math::exp);
    }

    /**
     * The ratio of the standard deviations, likewise: the error of a variance is that of a mean, the mean of the squares. Wide, or too
     * narrow, where a few requests decide it.
     */
    public Estimate ratioOfSds() {
        double a = treated.varianceOfSamples();
        double b = control.varianceOfSamples();
        double value = Math.sqrt(a / b);
        if (isSingle() || !(a > 0 && b > 0)) {
            return Estimate.unbounded(value);
        }
        double[] ofTreated = scaled(treated.deviationsOfVariance(), 0.5 / a);
        double[] ofControl = scaled(control.deviationsOfVariance(), 0.5 / b);
        Spread spread = spread(ofTreated, ofControl);
        return Estimates.student(Math.log(value), spread.variance, 0, spread.reach)
                .map(Math::exp);
    }

    /** Tests whether the mean of the treated is less than {@code margin} times that of the control; the margin is above 0. */
    public NonInferiority nonInferiority(double margin) {
        Estimate ratio = ratioOfMeans();
        double lower = lowerTail(margin);
        return new NonInferiority(ratio, lower, ratio.low() == null ? 1 : 1 - lower);
    }

    /**
     * The probability of a ratio of means as low as this, or lower, if the true ratio is {@code margin}; below 2.5 % exactly if the
     * interval of the ratio lies below the margin.
     */
    private double lowerTail(double margin) {
        double a = treated.mean();
        double b = control.mean();
        if (isSingle() || !(a > 0 && b > 0)) {
            return 1;
        }
        Spread spread = spread(scaled(treated.deviationsOfMean(), 1 / a), scaled(control.deviationsOfMean(), 1 / b));
        double moved = Estimates.moved(Math.log(a / b), spread.variance, thirdCumulant(1 / a, 1 / b));
        if (spread.variance == 0) {
            return moved < Math.log(margin) ? 0 : 1;
        }
        return TDistribution.of(spread.degreesOfFreedom)
                .cumulativeProbability((moved - Math.log(margin)) / Math.sqrt(spread.variance));
    }

    /** A value whose error is {@code a} times that of the treated mean less {@code b} times that of the control mean. */
    private Estimate linear(double value, double a, double b) {
        if (isSingle()) {
            return Estimate.unbounded(value);
        }
        Spread spread = spread(scaled(treated.deviationsOfMean(), a), scaled(control.deviationsOfMean(), b));
        return Estimates.student(value, spread.variance, thirdCumulant(a, b), spread.reach);
    }

    private double thirdCumulant(double a, double b) {
        return a * a * a * treated.thirdCumulantOfMean() - b * b * b * control.thirdCumulantOfMean();
    }

    /** The variance of a difference and with how many degrees of freedom it is known; unpaired they are Welch's. */
    private record Spread(double variance, double degreesOfFreedom, double reach) {
        static Spread of(double variance, double degreesOfFreedom) {
            return new Spread(variance, degreesOfFreedom, Batches.reach(degreesOfFreedom));
        }
    }

    private Spread spread(double[] ofTreated, double[] ofControl) {
        double ofA = Batches.variance(ofTreated);
        double ofB = Batches.variance(ofControl);
        double common = paired ? Batches.covariance(ofTreated, ofControl) : 0;
        return Spread.of(Math.max(0, ofA + ofB - 2 * common), degreesOfFreedom(ofA, ofB));
    }

    private double degreesOfFreedom(double ofA, double ofB) {
        if (paired || ofA + ofB == 0) {
            return Math.max(1, Math.min(treated.count(), control.count()) - 1);
        }
        double squares = ofA * ofA / (treated.count() - 1) + ofB * ofB / (control.count() - 1);
        return (ofA + ofB) * (ofA + ofB) / squares;
    }

    /** Of one quantile, above 0 and below 1, treated minus control. */
    public Estimate differenceOfQuantiles(double q) {
        return combined(q, value -> value);
    }

    public Estimate ratioOfQuantiles(double q) {
        return combined(q, value -> Math.log(Math.max(1, value))).map(Math::exp);
    }

    private boolean isSingle() {
        return Math.min(treated.count(), control.count()) < 2;
    }

    private Estimate combined(double q, DoubleUnaryOperator scale) {
        double reach = paired || isSingle() ? Batches.reach(treated.count() - 1) : reachOfQuantiles(q, scale);
        Estimate a = Estimates.quantile(treated, q, reach).map(scale);
        Estimate b = Estimates.quantile(control, q, reach).map(scale);
        double likeness = paired ? likeness(q) : 0;
        double value = a.value() - b.value();
        return new Estimate(
                value,
                a.low() == null || b.high() == null
                        ? null
                        : value - joint(a.value() - a.low(), b.high() - b.value(), likeness),
                a.high() == null || b.low() == null
                        ? null
                        : value + joint(a.high() - a.value(), b.value() - b.low(), likeness));
    }

    private static double joint(double a, double b, double likeness) {
        return Math.sqrt(Math.max(0, a * a + b * b - 2 * likeness * a * b));
    }

    /**
     * How much the errors of the two quantiles have in common: the correlation of the shares below them, part by part. Of two parts it
     * would be 1 or -1 whatever they are.
     */
    private double likeness(double q) {
        if (treated.count() <= 2) {
            return 0;
        }
        double[] a = treated.deviationsOfShare(Quantiles.of(treated.samples().ascending(), q));
        double[] b = control.deviationsOfShare(Quantiles.of(control.samples().ascending(), q));
        double both = Math.sqrt(Batches.variance(a) * Batches.variance(b));
        return both == 0 ? 0 : Batches.covariance(a, b) / both;
    }

    private double reachOfQuantiles(double q, DoubleUnaryOperator scale) {
        return Batches.reach(degreesOfFreedom(halfSquared(treated, q, scale), halfSquared(control, q, scale)));
    }

    private static double halfSquared(Batches batches, double q, DoubleUnaryOperator scale) {
        double reach = Batches.reach(batches.count() - 1);
        Estimate estimate = Estimates.quantile(batches, q, reach).map(scale);
        double low = estimate.low() == null ? estimate.value() : estimate.low();
        double high = estimate.high() == null ? estimate.value() : estimate.high();
        double half = (high - low) / 2 / reach;
        return half * half;
    }

    private static double[] scaled(double[] values, double factor) {
        double[] result = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            result[i] = values[i] * factor;
        }
        return result;
    }

    /**
     * The probability that a sample of the treated is greater than one of the control, ties counting half; 0.5 says that neither tends
     * to be greater (Vargha and Delaney 2000).
     */
    public double superiority() {
        Longs all = control.samples().ascending();
        Longs own = treated.samples().ascending();
        double wins = 0;
        long below = 0;
        long atMost = 0;
        for (long i = 0; i < own.count(); i++) {
            long value = own.get(i);
            while (below < all.count() && all.get(below) < value) {
                below++;
            }
            while (atMost < all.count() && all.get(atMost) <= value) {
                atMost++;
            }
            wins += (below + atMost) / 2.0;
        }
        return wins / own.count() / all.count();
    }
}
