package io.plog.log.segment;

/**
 * How fast segments are filled, and so how slowly the next may be made. Each part that is initialised stands in the way of the
 * forces meanwhile; so parts are as far from each other as they can be, with something in reserve. Not thread-safe.
 */
final class SegmentDemand {
    /**
     * With so many segments ready the next is made as fast as they are filled; with twice as many, at a quarter of that speed,
     * with half as many at four times of it. So a burst of appends is hardly disturbed, and the reserve does not run out:
     * where only one is kept ready, the next is done when a third of the active one is left.
     */
    private static final double RESERVE = 0.75;

    /** The longest rest: how late a sudden load may be noticed. */
    private static final long MOST_REST_NANOS = 10_000_000;

    private static final double NEWEST_WEIGHT = 0.25;

    private long lastNanos;
    private double lastFilled;
    private double speed; // segments per nanosecond, on average
    private double latestSpeed;

    /**
     * @param nowNanos as {@link System#nanoTime} counts
     * @param filled how many segments were filled so far, the part of the active one included
     */
    SegmentDemand(long nowNanos, double filled) {
        lastNanos = nowNanos;
        lastFilled = filled;
    }

    /** Notes how far the log is; parameters as for the constructor. */
    void observe(long nowNanos, double filled) {
        long nanos = nowNanos - lastNanos;
        if (nanos > 0) {
            latestSpeed = Math.max(0, filled - lastFilled) / nanos;
            speed += NEWEST_WEIGHT * (latestSpeed - speed);
            lastNanos = nowNanos;
            lastFilled = filled;
        }
    }

    /**
     * How long to rest after a part.
     *
     * @param ready how many segments can be filled before the one that is being made is needed, 0 or more
     * @param part how much of it a part is
     * @param partNanos how long the last part took
     * @return nanoseconds, 0 to 10 ms
     */
    long restNanos(double ready, double part, long partNanos) {
        double fastest = Math.max(speed, latestSpeed); // a load that sets in counts at once, one that ends does not
        double hurry = RESERVE / ready * (RESERVE / ready);
        double nanosEach = part / (fastest * hurry); // may be infinite
        return (long) Math.max(0, Math.min(MOST_REST_NANOS, nanosEach - partNanos));
    }
}
