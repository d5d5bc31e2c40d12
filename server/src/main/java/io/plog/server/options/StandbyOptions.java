package io.plog.server.options;

import java.time.Duration;

/**
 * How a server waits for logs that another one may hold.
 *
 * @param takeoverWithin how long it should take at most from the end of the server that held a log until this one serves it,
 *     {@value #LEAST_SECONDS} s to {@value #MOST_MINUTES} min
 */
public record StandbyOptions(Duration takeoverWithin) {
    public static final int LEAST_SECONDS = 1;
    public static final int MOST_MINUTES = 10;
    public static final int DEFAULT_SECONDS = 10;

    /** Of that time so much passes without a sign of life until a server counts as gone. The rest is for opening and replay. */
    private static final double NOTICE_SHARE = 0.4;

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it is out of its range
     */
    public StandbyOptions {
        if (takeoverWithin.compareTo(Duration.ofSeconds(LEAST_SECONDS)) < 0
                || takeoverWithin.compareTo(Duration.ofMinutes(MOST_MINUTES)) > 0) {
            throw new IllegalArgumentException("takeoverWithin is " + takeoverWithin.toMillis() + " ms: expected "
                    + LEAST_SECONDS + " s to " + MOST_MINUTES + " min");
        }
    }

    /** After how long without a sign of life a server counts as gone, and after how long without an outcome it lets others try. */
    public Duration notice() {
        return Duration.ofMillis((long) (takeoverWithin.toMillis() * NOTICE_SHARE));
    }
}
