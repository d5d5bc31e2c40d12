package io.plog.log.bookkeeper;

import java.util.concurrent.TimeUnit;

/**
 * Since when it is known that this writer has the log. A bookie that has forgotten a deleted ledger has forgotten its fence, too,
 * and would take entries of a writer that slept meanwhile. So a fenced ledger is not deleted for {@link #FENCE_SECONDS}, and a writer
 * that has had no proof for {@link #FRESH_SECONDS} asks for one before it acknowledges anything. Proof is an entry that was stored:
 * the ledger was not fenced when it was sent. Not thread-safe.
 */
final class OwnershipProof {
    /** How long a proof is good for. */
    static final long FRESH_SECONDS = TimeUnit.MINUTES.toSeconds(10);

    /**
     * How long a fenced ledger is kept at least: much longer, because two machines' clocks differ, and a message may be on its way for
     * long.
     */
    static final long FENCE_SECONDS = TimeUnit.HOURS.toSeconds(24);

    private final LogClock clock;
    private long provedNanos;
    private long provedWallSeconds;

    /** With the proof that the log was opened just now. */
    OwnershipProof(LogClock clock) {
        this.clock = clock;
        provedNanos = clock.nanos();
        provedWallSeconds = clock.wallSeconds();
    }

    /** Whether the last proof is good, by either clock: one stands still while the machine sleeps, the other may be set. */
    boolean isFresh() {
        long nanos = clock.nanos() - provedNanos;
        long seconds = clock.wallSeconds() - provedWallSeconds;
        return nanos < TimeUnit.SECONDS.toNanos(FRESH_SECONDS) && seconds >= 0 && seconds < FRESH_SECONDS;
    }

    /** At this time, which is past, the log was this writer's. */
    void proved(long nanos, long wallSeconds) {
        provedNanos = nanos;
        provedWallSeconds = wallSeconds;
    }
}
