package io.plog.client.stats;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * The arithmetic of {@link Comparison}. Means: the variance of the difference of deviations, part by part where they are
 * paired. Quantiles: their two intervals put together by what each side contributes (MOVER: Zou and Donner 2008), which keeps
 * them asymmetric where the distribution is, less what the pairs have in common.
 */
final class TwoSamples {
    private final Batches treated;
    private final Batches control;
    private final boolean paired;

    private TwoSamples(Batches treated, Batches control, boolean paired) {
        this.treated = treated;
        this.control = control;
        this.paired = paired;
    }

    static TwoSamples of(Replicates treated, Replicates control, boolean paired) {
        if (paired) {
            List<Batches> pair = Batches.ofPair(treated, control);
            return new TwoSamples(pair.get(0), pair.get(1), true);
        }
        return new TwoSamples(Batches.of(treated), Batches.of(control), false);
    }

    Estimate differenceOfMeans() {
        return linear(treated.mean() - control.mean(), 1, 1);
    }

    /** On the logarithm, where the interval is symmetric: a deviation of the logarithm is one in parts of the mean. */
    Estimate ratioOfMeans() {
        double a = Math.max(treated.mean(), Double.MIN_NORMAL);
        double b = Math.max(control.mean(), Double.MIN_NORMAL);
        return linear(Math.log(a / b), 1 / a, 1 / b).map(Math::exp);
    }

    /** A value whose error is {@code a} times that of the treated mean less {@code b} times that of the control mean. */
    private Estimate linear(double value, double a, double b) {
        if (isSingle()) {
            return Estimate.unbounded(value);
        }
        double[] ofTreated = scaled(treated.deviationsOfMean(), a);
        double[] ofControl = scaled(control.deviationsOfMean(), b);
        double common = paired ? Batches.covariance(ofTreated, ofControl) : 0;
        double ofA = Batches.variance(ofTreated);
        double ofB = Batches.variance(ofControl);
        double third = a * a * a * treated.thirdCumulantOfMean() - b * b * b * control.thirdCumulantOfMean();
        return Estimates.student(value, Math.max(0, ofA + ofB - 2 * common), third, reach(ofA, ofB));
    }

    Estimate differenceOfQuantiles(double q) {
        return combined(q, value -> value);
    }

    Estimate ratioOfQuantiles(double q) {
        return combined(q, value -> Math.log(Math.max(1, value))).map(Math::exp);
    }

    private boolean isSingle() {
        return Math.min(treated.count(), control.count()) < 2;
    }

    /** Student's; unpaired with Welch's degrees of freedom. */
    private double reach(double ofA, double ofB) {
        if (paired || ofA + ofB == 0) {
            return Batches.reach(Math.min(treated.count(), control.count()) - 1);
        }
        double squares = ofA * ofA / (treated.count() - 1) + ofB * ofB / (control.count() - 1);
        return Batches.reach((ofA + ofB) * (ofA + ofB) / squares);
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

    /** How much the errors of the two quantiles have in common: the correlation of the shares below them, part by part. */
    private double likeness(double q) {
        double[] a = treated.deviationsOfShare(Quantiles.of(treated.samples().ascending(), q));
        double[] b = control.deviationsOfShare(Quantiles.of(control.samples().ascending(), q));
        double both = Math.sqrt(Batches.variance(a) * Batches.variance(b));
        return both == 0 ? 0 : Batches.covariance(a, b) / both;
    }

    private double reachOfQuantiles(double q, DoubleUnaryOperator scale) {
        return reach(halfSquared(treated, q, scale), halfSquared(control, q, scale));
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
}
