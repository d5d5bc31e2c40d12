package io.plog.measure.ledger;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where a ledger is and how much of it may be lost if the client's machine fails.
 *
 * @param file appended to; created if it is not there
 * @param forceEach whether each line is forced before {@link LedgerWriter#add} returns
 * @param forceInterval otherwise: how long a line may wait for its force, 1 ms to 1 h
 */
public record LedgerOptions(Path file, boolean forceEach, Duration forceInterval) {
    /** How long a line may wait for its force by default. */
    public static final Duration DEFAULT_FORCE_INTERVAL = Duration.ofMillis(100);

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    /**
     * Checks the interval.
     *
     * @throws IllegalArgumentException if it is out of its range
     */
    public LedgerOptions {
        if (forceInterval.compareTo(SHORTEST) < 0 || forceInterval.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "the ledger's force interval is " + forceInterval.toMillis() + " ms: expected 1 ms to 1 h");
        }
    }

    /** A ledger that is forced in the default interval. */
    public static LedgerOptions of(Path file) {
        return new LedgerOptions(file, false, DEFAULT_FORCE_INTERVAL);
    }
}
