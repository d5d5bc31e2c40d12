package io.plog.measure.ledger;

import java.nio.file.Path;

/**
 * Where a ledger is and how much of it may be lost if the client's machine fails.
 *
 * @param file appended to; created if it is not there
 * @param forceEach whether each line is forced before {@link AuditLedgerWriter#add} returns, instead of ten times a second
 */
public record LedgerOptions(Path file, boolean forceEach) {}
