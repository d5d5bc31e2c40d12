package io.plog.measure.load;

import io.plog.stats.text.Labelled;
import java.util.SplittableRandom;

/**
 * The intended times of an open or partly open loop, since its beginning. Each is computed from the beginning and not from when
 * the one before it was sent, so that nothing drifts.
 *
 * <p>For one thread; allocates nothing.
 */
public final class ArrivalTimes {
    private final Kind kind;
    private final double betweenNanos;
    private final SplittableRandom random;
    private long number;
    private double sumNanos;

    /** How they follow each other. */
    public enum Kind implements Labelled {
        /** At equal distances. */
        CONSTANT,
        /** At exponentially distributed distances, as of many users who know nothing of each other. */
        POISSON;
    }

    /**
     * Begins with the first.
     *
     * @param ratePerSecond more than 0
     * @param seed decides Poisson arrivals
     */
    public ArrivalTimes(Kind kind, double ratePerSecond, long seed) {
        this.kind = kind;
        this.betweenNanos = 1e9 / ratePerSecond;
        this.random = new SplittableRandom(seed * 31);
    }

    /**
     * The next one, in nanoseconds since the beginning. Constant ones are request number times distance, rounded down;
     * the double that holds a Poisson sum is exact to a nanosecond for a hundred days.
     */
    public long next() {
        if (kind == Kind.CONSTANT) {
            return (long) (number++ * betweenNanos);
        }
        // 1 - u is never 0. The sum of independent exponential distances is a Poisson process.
        sumNanos -= Math.log(1 - random.nextDouble()) * betweenNanos;
        return (long) sumNanos;
    }
}
