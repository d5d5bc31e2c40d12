package io.plog.measure.load;

import io.plog.measure.Resumption;
import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Loop;
import java.util.SplittableRandom;

/**
 * When a load's requests fall due, and when it is over; times are {@link System#nanoTime}. Each is computed from the beginning and not
 * from when the one before it was sent, so that nothing drifts.
 *
 * <p>For one thread; allocates nothing.
 */
public final class ArrivalTimes {
    private static final long NEVER = Long.MAX_VALUE;

    private final Arrivals arrivals;
    private final double betweenNanos;
    private final SplittableRandom random;
    private final long startNanos;
    private final long endNanos;
    private long nextNanos;
    private long number;
    private double sumNanos;

    /**
     * Nothing falls due in a closed loop; one that ends after a number of requests has no end here.
     *
     * @param before what was measured of the load before
     */
    ArrivalTimes(Load plan, Resumption before, long startNanos) {
        Loop loop = plan.loop();
        arrivals = loop instanceof Loop.Scheduled scheduled ? scheduled.arrivals() : Arrivals.CONSTANT;
        betweenNanos = 1e9 / loop.ratePerSecond();
        random = new SplittableRandom(plan.seed() * 31 + before.count());
        this.startNanos = startNanos;
        endNanos = plan.span().requests() > 0
                ? NEVER
                : startNanos
                        + plan.span().warmUpNanos()
                        + plan.span().durationNanos()
                        - LoadRequests.doneNanos(plan, before);
        nextNanos = plan.isScheduled() ? startNanos + next() : NEVER;
    }

    /**
     * The next one since the beginning. Constant ones are request number times distance, rounded down; the double that holds a
     * Poisson sum is exact to a nanosecond for a hundred days.
     */
    private long next() {
        if (arrivals == Arrivals.CONSTANT) {
            return (long) (number++ * betweenNanos);
        }
        // 1 - u is never 0. The sum of independent exponential distances is a Poisson process.
        sumNanos -= Math.log(1 - random.nextDouble()) * betweenNanos;
        return (long) sumNanos;
    }

    /** Whether a request is due that was not taken yet, by its intended time: also one from before the end, after it. */
    boolean isDue(long now) {
        return nextNanos <= now && nextNanos < endNanos;
    }

    /** Takes the next request; returns its intended time. */
    long take() {
        long intended = nextNanos;
        nextNanos = startNanos + next();
        return intended;
    }

    /** Whether all time is over and everything that fell due was taken. */
    boolean isOver(long now) {
        return now >= endNanos && nextNanos >= endNanos;
    }

    /** When there is next something to do. */
    long nextNanos() {
        return Math.min(nextNanos, endNanos);
    }
}
