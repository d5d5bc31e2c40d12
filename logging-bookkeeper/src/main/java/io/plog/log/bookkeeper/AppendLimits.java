package io.plog.log.bookkeeper;

/**
 * How much may be under way.
 *
 * @param records appends that may have no outcome at once
 * @param bytes payload bytes that these may have; a single one may have more
 * @param waits whether a caller waits for room; otherwise it is refused
 * @param ledgerBytes after how many bytes a ledger is followed by another
 */
record AppendLimits(int records, long bytes, boolean waits, long ledgerBytes) {}
