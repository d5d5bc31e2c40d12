package io.plog.measure.load;

import java.time.Duration;

/**
 * How long a load is sent and counted. Checked once, here.
 *
 * @param warmUp how long requests are sent before counting begins, 0 to 1 h
 * @param duration for how long they are then sent and counted, 100 ms to 24 h; zero if {@code requests} ends it
 * @param requests how many are counted, in a closed loop only; 0 if {@code duration} ends it
 * @param blocks into how many equal stretches the time is cut for the intervals, 1 to 1000
 */
public record LoadLength(Duration warmUp, Duration duration, long requests, int blocks) {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final Duration LONGEST_WARM_UP = Duration.ofHours(1);

    /**
     * Checks every value.
     *
     * @throws IllegalArgumentException if one is out of its range, or if both a time and a number of requests end the load
     */
    public LoadLength {
        LoadPlan.check("blocks", blocks, 1, 1_000);
        checkTime("warmup", warmUp, Duration.ZERO, LONGEST_WARM_UP);
        if (requests == 0) {
            checkTime("duration", duration, SHORTEST, LONGEST);
        } else if (!duration.isZero()) {
            throw new IllegalArgumentException(
                    "requests is " + requests + " and duration " + duration + ": expected one of them");
        }
    }

    private static void checkTime(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " is " + value.toMillis() + " ms: expected " + least.toMillis()
                    + " ms to " + most.toHours() + " h");
        }
    }
}
