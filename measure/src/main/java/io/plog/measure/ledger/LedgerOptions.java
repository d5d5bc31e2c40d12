package io.plog.measure.ledger;

import java.nio.file.Path;

/**
 * Where a ledger is and how much of it may be lost if the client's machine fails.
 *
 * @param file appended to; created if it is not there
 * @param forceEach whether each line is forced before {@link AuditLedgerWriter#add} returns
 * @param forceMillis otherwise: how long a line may wait for its force, in ms; up to 1 h
 */
public record LedgerOptions(Path file, boolean forceEach, long forceMillis) {
    /** How long a line may wait for its force by default. */
    public static final long DEFAULT_FORCE_MILLIS = 100;

    private static final long LONGEST_MILLIS = 3_600_000;

    /**
     * Checks the interval.
     *
     * @throws IllegalArgumentException if it is out of its range
     */
    public LedgerOptions {
        if (forceMillis < 1 || forceMillis > LONGEST_MILLIS) {
            throw new IllegalArgumentException(
                    "the ledger's force interval is " + forceMillis + " ms: expected 1 ms to 1 h");
        }
    }

    /** A ledger that is forced in the default interval. */
    public static LedgerOptions of(Path file) {
        return new LedgerOptions(file, false, DEFAULT_FORCE_MILLIS);
    }
}
