package io.plog.server.state;

import java.util.function.LongSupplier;

/**
 * So many new keys in any stretch of the key time that all of them are remembered, and no more: a bucket of tokens that is
 * filled steadily. So whoever floods a target with keys is refused some of them, and nobody's key is forgotten before its time.
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
