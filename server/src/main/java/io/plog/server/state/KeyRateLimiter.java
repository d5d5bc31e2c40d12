package io.plog.server.state;

import java.util.function.LongSupplier;

/**
 * Limits new keys, so that every key is remembered for the key time: a token bucket that is filled steadily. A client that floods
 * a target with keys is refused some of them, and no client's key is forgotten too early.
 *
 * <p>A quarter of the keys remembered may come at once, and five eighths of them in each key time. The last eighth is for a
 * restart, after which the bucket holds no more than that: together it is never more than all. Safe for any thread.
 */
final class KeyRateLimiter {
    private final double burst;
    private final double perNano;
    private final LongSupplier nanoClock;
    private double tokens;
    private long filledNanos;

    /**
     * @param keys that are remembered
     * @param keyNanos how long each is at least; 0 for no such promise, so that none is refused
     */
    KeyRateLimiter(int keys, long keyNanos, LongSupplier nanoClock) {
        this.burst = Math.max(1, keys / 4.0);
        this.perNano = keyNanos == 0 ? 0 : keys * 5.0 / 8 / keyNanos;
        this.nanoClock = nanoClock;
        this.tokens = Math.max(1, keys / 8.0);
        this.filledNanos = nanoClock.getAsLong();
    }

    /** Takes a new key, if there is time to remember it. */
    synchronized boolean tryAcquire() {
        if (perNano == 0) {
            return true;
        }
        long now = nanoClock.getAsLong();
        tokens = Math.min(burst, tokens + Math.max(0, now - filledNanos) * perNano);
        filledNanos = now;
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
