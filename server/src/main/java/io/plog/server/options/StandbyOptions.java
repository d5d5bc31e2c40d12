package io.plog.server.options;

import java.time.Duration;

/**
 * How a server waits for logs that another one may hold.
 *
 * @param takeoverWithin how long it should take at most from the end of the server that held a log until this one serves it, 1 s to
 *     10 min
 */
public record StandbyOptions(Duration takeoverWithin) {
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofMinutes(10);

    /** Of that time so much passes without a sign of life until a server counts as gone. The rest is for opening and replay. */
    private static final double NOTICE_SHARE = 0.4;

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it is out of its range
     */
    public StandbyOptions {
        if (takeoverWithin.compareTo(LEAST) < 0 || takeoverWithin.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "takeoverWithin is " + takeoverWithin.toMillis() + " ms: expected 1 s to 10 min");
        }
    }

    /** After how long without a sign of life a server counts as gone, and after how long without an outcome it lets others try. */
    public Duration notice() {
        return Duration.ofMillis((long) (takeoverWithin.toMillis() * NOTICE_SHARE));
    }
}
