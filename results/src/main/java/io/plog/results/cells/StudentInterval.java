package io.plog.results.cells;

import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/** Figures with Student's 95 % interval, rounded as the results have them. Stateless. */
final class StudentInterval {
    private static final double ONE_SIDE = 0.975;
    private static final int DIGITS = 6;

    private StudentInterval() {}

    /**
     * The mean of independent values, none below 0; a single value has no interval.
     *
     * @param values at least one
     */
    static Estimate ofMean(List<Double> values) {
        double mean = mean(values);
        Estimate around = around(mean, values);
        Double low = around.low();
        return new Estimate(around.value(), low == null ? null : (Double) Math.max(0, low), around.high());
    }

    /**
     * A figure with the interval of the jackknife's pseudo-values; none from fewer than two.
     *
     * @param value of all groups together
     */
    static Estimate around(double value, List<Double> pseudo) {
        if (pseudo.size() < 2) {
            return new Estimate(Units.rounded(value, DIGITS), null, null);
        }
        double reach = reach(pseudo);
        return new Estimate(
                Units.rounded(value, DIGITS),
                Units.rounded(value - reach, DIGITS),
                Units.rounded(value + reach, DIGITS));
    }

    /** Of a figure that has its interval already. */
    static Estimate of(Estimate estimate) {
        Estimate rounded = estimate.map(value -> Units.rounded(value, DIGITS));
        return new Estimate(rounded.value(), bounded(rounded.low()), bounded(rounded.high()));
    }

    private static @Nullable Double bounded(@Nullable Double end) {
        return end == null || !Double.isFinite(end) ? null : end;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /** Half of Student's interval of the mean of independent values, of which there are two or more. */
    private static double reach(List<Double> values) {
        double mean = mean(values);
        double squares = values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .sum();
        double error = Math.sqrt(squares / (values.size() - 1) / values.size());
        return error * TDistribution.of(values.size() - 1.0).inverseCumulativeProbability(ONE_SIDE);
    }
}
