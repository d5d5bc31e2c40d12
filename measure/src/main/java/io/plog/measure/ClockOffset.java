package io.plog.measure;

/**
 * How far the server's clock is ahead of ours. Of several exchanges the one with the least round trip is believed: the
 * server looked at its clock somewhere between our sending and receiving, so half of the round trip is the most that the
 * estimate can be wrong (Cristian, Probabilistic Clock Synchronization, Distributed Computing 3, 1989; NTP's clock filter,
 * RFC 5905 section 10, chooses in the same way).
 *
 * @param atNanos by our clock, when the exchange was
 * @param aheadNanos the server's clock less ours
 * @param uncertaintyNanos what it may be wrong by, either way
 */
public record ClockOffset(long atNanos, long aheadNanos, long uncertaintyNanos) {

    /** What one exchange says. */
    public static ClockOffset of(long sentNanos, long serverNanos, long receivedNanos) {
        long half = (receivedNanos - sentNanos) / 2;
        return new ClockOffset(sentNanos + half, serverNanos - (sentNanos + half), half + 1);
    }

    /** The one that is less uncertain. */
    public static ClockOffset better(ClockOffset one, ClockOffset other) {
        return other.uncertaintyNanos < one.uncertaintyNanos ? other : one;
    }

    /** A time of ours by the server's clock; as {@link #toOurs}. */
    static long toServers(long ourNanos, ClockOffset before, ClockOffset after) {
        return ourNanos + before.aheadNanos + Math.round(drift(before, after) * (ourNanos - before.atNanos));
    }

    /**
     * A time of the server's clock by ours. Two clocks drift apart by milliseconds in minutes, so the offset is taken on the
     * line between the one before the run and the one after it.
     */
    static long toOurs(long serverNanos, ClockOffset before, ClockOffset after) {
        double since = (double) (serverNanos - before.aheadNanos - before.atNanos);
        return serverNanos - before.aheadNanos - Math.round(drift(before, after) * since);
    }

    private static double drift(ClockOffset before, ClockOffset after) {
        double span = after.atNanos - before.atNanos;
        return span <= 0 ? 0 : (after.aheadNanos - before.aheadNanos) / span;
    }
}
