package io.plog.log;

/**
 * How fast segments are filled, and so how slowly the next may be made. Each part that is initialised stands in the way of the
 * forces meanwhile; so parts are as far from each other as they can be, with something in reserve. Not thread-safe.
 */
final class SegmentDemand {
    /**
     * What is left to be made is to take this share of the time until it is needed. This is worked out anew for each part, so
     * of what was ready at first, r, r (1 - d)^SHARE is left when the part d is made: with 256 parts a quarter at the end.
     */
    private static final double SHARE = 0.25;

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
     * @param done how much of it is made, 0 to less than 1
     * @param part how much of it a part is
     * @param partNanos how long the last part took
     * @return nanoseconds, 0 to 10 ms
     */
    long restNanos(double ready, double done, double part, long partNanos) {
        double fastest = Math.max(speed, latestSpeed); // a load that sets in counts at once, one that ends does not
        double nanosEach = SHARE * ready / fastest * part / (1 - done); // may be infinite
        return (long) Math.max(0, Math.min(MOST_REST_NANOS, nanosEach - partNanos));
    }
}
