package io.plog.measure.load;

/** When a load's requests fall due, and when it is over; times are {@link System#nanoTime}. For one thread. */
final class LoadSchedule {
    private static final long NEVER = Long.MAX_VALUE;

    private final ArrivalTimes arrivals;
    private final long startNanos;
    private final long endNanos;
    private long nextNanos;

    private LoadSchedule(ArrivalTimes arrivals, boolean scheduled, long startNanos, long endNanos) {
        this.arrivals = arrivals;
        this.startNanos = startNanos;
        this.endNanos = endNanos;
        nextNanos = scheduled ? startNanos + arrivals.next() : NEVER;
    }

    /** Nothing falls due in a closed loop; one that ends after a number of requests has no end here. */
    static LoadSchedule of(LoadPlan plan, long startNanos) {
        boolean scheduled = plan.mode().isScheduled();
        double rate = scheduled ? plan.ratePerSecond : 1;
        return new LoadSchedule(
                new ArrivalTimes(plan.arrivals, rate, plan.seed()),
                scheduled,
                startNanos,
                plan.requests > 0
                        ? NEVER
                        : startNanos + plan.warmUp().toNanos() + plan.duration().toNanos());
    }

    /** Whether a request is due that was not taken yet, by its intended time: also one from before the end, after it. */
    boolean isDue(long now) {
        return nextNanos <= now && nextNanos < endNanos;
    }

    /** Takes the next request; returns its intended time. */
    long take() {
        long intended = nextNanos;
        nextNanos = startNanos + arrivals.next();
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
