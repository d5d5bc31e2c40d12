package io.plog.client;

import java.time.Duration;

/**
 * How persistent a {@link RetryingClient} is.
 *
 * @param deadline how long a call may take in all unless it says otherwise, 1 ms to 24 h
 * @param firstPause about how long to wait before the second transmission, 1 ms to 1 h; each further pause is about twice
 *     as long
 * @param longestPause the longest pause, {@code firstPause} to 1 h
 * @param replyTimeout how long a transmission may be without its reply before its connection is given up, 1 ms to 1 h
 * @param maxOutstanding how many requests may be without a reply at the server, and how far a number may be ahead of the
 *     oldest one without a reply; 1 to 65536. The server's own limits are kept in any case
 * @param maxOutstandingBytes how long the payloads may be from the oldest request without a reply on, 1 or more; one request
 *     is always sent. A server that must keep answers as they were forgets long ones sooner
 * @param maxQueued how many calls may be unfinished, those included that wait to be sent; 1 to 1000000
 * @param maxQueuedBytes how long their payloads may be together, 1 or more; one call is always taken
 */
public record RetryOptions(
        Duration deadline,
        Duration firstPause,
        Duration longestPause,
        Duration replyTimeout,
        int maxOutstanding,
        long maxOutstandingBytes,
        int maxQueued,
        long maxQueuedBytes) {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST_DEADLINE = Duration.ofHours(24);
    private static final Duration HOUR = Duration.ofHours(1);

    /**
     * Checks every value.
     *
     * @throws IllegalArgumentException if one is out of its range; the message names it, its value and the range
     */
    public RetryOptions {
        checkDeadline(deadline);
        check("firstPause", firstPause, SHORTEST, HOUR);
        check("longestPause", longestPause, firstPause, HOUR);
        check("replyTimeout", replyTimeout, SHORTEST, HOUR);
        check("maxOutstanding", maxOutstanding, 65_536);
        check("maxOutstandingBytes", maxOutstandingBytes, Long.MAX_VALUE);
        check("maxQueued", maxQueued, 1_000_000);
        check("maxQueuedBytes", maxQueuedBytes, Long.MAX_VALUE);
    }

    /** A deadline of 30 s, pauses from 10 ms to 2 s, 5 s for a reply, 64 and 4 MiB outstanding, 1024 and 64 MiB unfinished. */
    public static RetryOptions defaults() {
        return new RetryOptions(
                Duration.ofSeconds(30),
                Duration.ofMillis(10),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                64,
                4L << 20,
                1_024,
                64L << 20);
    }

    /** The same with another deadline. */
    public RetryOptions withDeadline(Duration other) {
        return new RetryOptions(
                other,
                firstPause,
                longestPause,
                replyTimeout,
                maxOutstanding,
                maxOutstandingBytes,
                maxQueued,
                maxQueuedBytes);
    }

    /** The same with other pauses. */
    public RetryOptions withPauses(Duration first, Duration longest) {
        return new RetryOptions(
                deadline, first, longest, replyTimeout, maxOutstanding, maxOutstandingBytes, maxQueued, maxQueuedBytes);
    }

    /** The same with another patience for a reply. */
    public RetryOptions withReplyTimeout(Duration other) {
        return new RetryOptions(
                deadline,
                firstPause,
                longestPause,
                other,
                maxOutstanding,
                maxOutstandingBytes,
                maxQueued,
                maxQueuedBytes);
    }

    /** The same with other limits of what is outstanding. */
    public RetryOptions withMaxOutstanding(int requests, long bytes) {
        return new RetryOptions(
                deadline, firstPause, longestPause, replyTimeout, requests, bytes, maxQueued, maxQueuedBytes);
    }

    /** The same with other limits of what is unfinished. */
    public RetryOptions withMaxQueued(int calls, long bytes) {
        return new RetryOptions(
                deadline, firstPause, longestPause, replyTimeout, maxOutstanding, maxOutstandingBytes, calls, bytes);
    }

    /**
     * How long to wait after so many fruitless attempts in a row: the pause doubles with each, up to the longest; chance
     * takes up to half of it away, so that clients that failed together do not come back together.
     *
     * @param attempts 1 or more
     * @param chance 0 to 1
     */
    long pauseNanos(int attempts, double chance) {
        long longest = longestPause.toNanos();
        long pause = firstPause.toNanos();
        for (int i = 1; i < attempts && pause < longest; i++) {
            pause *= 2;
        }
        return (long) (Math.min(pause, longest) * (1 - chance / 2));
    }

    static void checkDeadline(Duration deadline) {
        check("deadline", deadline, SHORTEST, LONGEST_DEADLINE);
    }

    private static void check(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    name + " is " + text(value) + ": expected " + text(least) + " to " + text(most));
        }
    }

    private static String text(Duration value) {
        return value.toMillis() + " ms";
    }

    private static void check(String name, long value, long most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ": expected 1 to " + most);
        }
    }
}
