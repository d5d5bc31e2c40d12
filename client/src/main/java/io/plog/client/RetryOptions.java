package io.plog.client;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How persistent a {@link RetryingClient} is. An object never changes: each {@code with} method makes a copy, which is checked.
 * Thread-safe.
 */
public final class RetryOptions implements Cloneable {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST_DEADLINE = Duration.ofHours(24);
    private static final Duration HOUR = Duration.ofHours(1);

    Duration deadline = Duration.ofSeconds(30);
    Duration firstPause = Duration.ofMillis(10);
    Duration longestPause = Duration.ofSeconds(2);
    Duration replyTimeout = Duration.ofSeconds(5);
    int maxOutstanding = 64;
    long maxOutstandingBytes = 4L << 20;
    int maxQueued = 1_024;
    long maxQueuedBytes = 64L << 20;

    private RetryOptions() {}

    /** A deadline of 30 s, pauses from 10 ms to 2 s, 5 s for a reply, 64 and 4 MiB outstanding, 1024 and 64 MiB unfinished. */
    public static RetryOptions defaults() {
        return new RetryOptions();
    }

    private RetryOptions with(Consumer<RetryOptions> change) {
        try {
            RetryOptions copy = (RetryOptions) clone();
            change.accept(copy);
            copy.check();
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void check() {
        checkDeadline(deadline);
        check("firstPause", firstPause, SHORTEST, HOUR);
        check("longestPause", longestPause, firstPause, HOUR);
        check("replyTimeout", replyTimeout, SHORTEST, HOUR);
        check("maxOutstanding", maxOutstanding, 65_536);
        check("maxOutstandingBytes", maxOutstandingBytes, Long.MAX_VALUE);
        check("maxQueued", maxQueued, 1_000_000);
        check("maxQueuedBytes", maxQueuedBytes, Long.MAX_VALUE);
    }

    /** With another time that a call may take in all unless it says otherwise, 1 ms to 24 h. */
    public RetryOptions withDeadline(Duration other) {
        return with(copy -> copy.deadline = other);
    }

    /**
     * With other pauses.
     *
     * @param first about how long to wait before the second transmission, 1 ms to 1 h; each further pause is about twice as long
     * @param longest the longest pause, {@code first} to 1 h
     */
    public RetryOptions withPauses(Duration first, Duration longest) {
        return with(copy -> {
            copy.firstPause = first;
            copy.longestPause = longest;
        });
    }

    /** With another time that a transmission may be without a part of its reply before its connection is given up, 1 ms to 1 h. */
    public RetryOptions withReplyTimeout(Duration other) {
        return with(copy -> copy.replyTimeout = other);
    }

    /**
     * With other limits of what is outstanding.
     *
     * @param requests how many may be without a reply at the server, and how far a number may be ahead of the oldest one without a
     *     reply; 1 to 65536. The server's own limits are kept in any case
     * @param bytes how long the payloads may be from the oldest request without a reply on, 1 or more; one request is always
     *     sent. A server that must keep answers as they were forgets long ones sooner
     */
    public RetryOptions withMaxOutstanding(int requests, long bytes) {
        return with(copy -> {
            copy.maxOutstanding = requests;
            copy.maxOutstandingBytes = bytes;
        });
    }

    /**
     * With other limits of what is unfinished.
     *
     * @param calls how many may be unfinished, those included that wait to be sent; 1 to 1000000
     * @param bytes how long their payloads may be together, 1 or more; one call is always taken
     */
    public RetryOptions withMaxQueued(int calls, long bytes) {
        return with(copy -> {
            copy.maxQueued = calls;
            copy.maxQueuedBytes = bytes;
        });
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
