package io.plog.log.bookkeeper;

import io.plog.log.RecoveryReport;

/**
 * A log that was opened.
 *
 * @param node the list with this writer's ledger in it
 * @param ledger where appends go
 * @param report what was found
 */
record LogOpening(LogNode node, LedgerWriter ledger, RecoveryReport report) {}
