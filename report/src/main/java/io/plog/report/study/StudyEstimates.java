package io.plog.report.study;

import io.plog.report.study.StudyResults.Estimate;
import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/** Estimates with intervals, as the results write them. Stateless. */
public final class StudyEstimates {
    private static final double ONE_SIDE = 0.975;
    private static final int DIGITS = 6;

    private StudyEstimates() {}

    static double rounded(double value, int digits) {
        double scale = Math.pow(10, digits);
        return Double.isFinite(value) && Math.abs(value) < 1e12 ? Math.round(value * scale) / scale : value;
    }

    /** As results have it. */
    static Estimate of(io.plog.stats.Estimate estimate) {
        return new Estimate(rounded(estimate.value(), DIGITS), rounded(estimate.low()), rounded(estimate.high()));
    }

    private static @Nullable Double rounded(@Nullable Double value) {
        return value == null || !Double.isFinite(value) ? null : (Double) rounded(value, DIGITS);
    }

    /**
     * The mean of independent values with Student's interval; a single value has none.
     *
     * @param values at least one
     */
    static Estimate mean(List<Double> values) {
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        if (values.size() < 2) {
            return new Estimate(rounded(mean, DIGITS), null, null);
        }
        double reach = reach(values);
        return new Estimate(
                rounded(mean, DIGITS), rounded(Math.max(0, mean - reach), DIGITS), rounded(mean + reach, DIGITS));
    }

    /**
     * A figure with Student's interval from the jackknife's pseudo-values; none from fewer than two.
     *
     * @param value of all groups together
     */
    static Estimate around(double value, List<Double> pseudo) {
        if (pseudo.size() < 2) {
            return new Estimate(rounded(value, DIGITS), null, null);
        }
        double reach = reach(pseudo);
        return new Estimate(rounded(value, DIGITS), rounded(value - reach, DIGITS), rounded(value + reach, DIGITS));
    }

    /** Half of Student's interval of the mean of independent values, of which there are two or more. */
    private static double reach(List<Double> values) {
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        double squares = values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .sum();
        double error = Math.sqrt(squares / (values.size() - 1) / values.size());
        return error * TDistribution.of(values.size() - 1.0).inverseCumulativeProbability(ONE_SIDE);
    }

    /** Of two independent figures above 0, as wide as both intervals allow; 0 where nothing can be divided by. */
    public static Estimate ratio(Estimate above, Estimate below) {
        Double aboveLow = above.low();
        Double aboveHigh = above.high();
        Double belowLow = below.low();
        Double belowHigh = below.high();
        return new Estimate(
                below.value() == 0 ? 0 : rounded(above.value() / below.value(), DIGITS),
                aboveLow == null || belowHigh == null || belowHigh <= 0
                        ? null
                        : (Double) rounded(aboveLow / belowHigh, DIGITS),
                aboveHigh == null || belowLow == null || belowLow <= 0
                        ? null
                        : (Double) rounded(aboveHigh / belowLow, DIGITS));
    }

    static boolean isAbove(Estimate estimate, double limit) {
        return estimate.low() != null && estimate.low() > limit;
    }

    static boolean isBelow(Estimate estimate, double limit) {
        return estimate.high() != null && estimate.high() < limit;
    }
}
