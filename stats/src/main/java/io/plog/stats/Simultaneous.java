package io.plog.stats;

import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Many intervals at once. Of a hundred 95 % intervals five miss by chance, so a reader who looks at many and reports those that exclude
 * zero reports chance. Widened like this, all of them together hold with 95 % (Bonferroni; R. G. Miller, <cite>Simultaneous
 * Statistical Inference</cite>, 2nd edition, section 1.3), whatever they have to do with each other.
 *
 * <p>Stateless; safe for any thread.
 */
public final class Simultaneous {
    private static final double ONE_SIDE = 0.025;

    /** An end that is this many times away from its ratio bounds nothing; rounded, such a lower one would be 0. */
    private static final double UNBOUNDED = 10_000;

    private Simultaneous() {}

    /**
     * By what a 95 % interval must be stretched so that all hold together.
     *
     * @param intervals how many there are, at least 1
     * @param degreesOfFreedom of Student's distribution behind each, at least 1
     * @throws IllegalArgumentException if one is out of range
     */
    public static double stretch(int intervals, double degreesOfFreedom) {
        if (intervals < 1 || !(degreesOfFreedom >= 1)) {
            throw new IllegalArgumentException(intervals + " intervals with " + degreesOfFreedom
                    + " degrees of freedom, expected at least 1 of each");
        }
        TDistribution student = TDistribution.of(degreesOfFreedom);
        return student.inverseSurvivalProbability(ONE_SIDE / intervals) / student.inverseSurvivalProbability(ONE_SIDE);
    }

    /** A difference with each end moved away from it by the factor. */
    public static Estimate difference(Estimate single, double stretch) {
        double value = single.value();
        Double low = single.low();
        Double high = single.high();
        return new Estimate(
                value,
                low == null ? null : Double.valueOf(value - (value - low) * stretch),
                high == null ? null : Double.valueOf(value + (high - value) * stretch));
    }

    /** A ratio likewise, on the logarithm, and without an end that is too far to bound it; a ratio of 0 stays as it is. */
    public static Estimate ratio(Estimate single, double stretch) {
        double value = single.value();
        if (!(value > 0)) {
            return single;
        }
        return new Estimate(value, end(value, single.low(), stretch), end(value, single.high(), stretch));
    }

    private static @Nullable Double end(double value, @Nullable Double single, double stretch) {
        double times = single == null ? 0 : Math.pow(single / value, stretch);
        return times < 1 / UNBOUNDED || times > UNBOUNDED ? null : (Double) (value * times);
    }
}
