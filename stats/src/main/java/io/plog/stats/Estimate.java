package io.plog.stats;

import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A figure with its 95 % interval.
 *
 * @param value from all the samples
 * @param low lower end of the interval; null if the samples do not bound it
 * @param high upper end of the interval; null if the samples do not bound it
 */
public record Estimate(
        double value, @Nullable Double low, @Nullable Double high) {
    /** A figure without an interval. */
    public static Estimate unbounded(double value) {
        return new Estimate(value, null, null);
    }

    /** The figure and both ends, each through an increasing function. */
    public Estimate map(DoubleUnaryOperator increasing) {
        return new Estimate(
                increasing.applyAsDouble(value),
                low == null ? null : increasing.applyAsDouble(low),
                high == null ? null : increasing.applyAsDouble(high));
    }

    /** Whether the whole interval lies below a limit; not if it has no upper end. */
    public boolean isBelow(double limit) {
        return high != null && high < limit;
    }

    /** Whether the whole interval lies above a limit; not if it has no lower end. */
    public boolean isAbove(double limit) {
        return low != null && low > limit;
    }

    /** By another independent figure, both above 0, as wide as both intervals allow; 0 where nothing can be divided by. */
    public Estimate by(Estimate below) {
        return new Estimate(
                below.value == 0 ? 0 : value / below.value,
                low == null || below.high == null || below.high <= 0 ? null : (Double) (low / below.high),
                high == null || below.low == null || below.low <= 0 ? null : (Double) (high / below.low));
    }
}
