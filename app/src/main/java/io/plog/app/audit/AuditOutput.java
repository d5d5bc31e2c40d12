package io.plog.app.audit;

import io.plog.app.cli.LogArgument;
import java.io.Closeable;
import java.io.IOException;

/** Prints an audit as it goes: there may be more violations than fit into memory. */
interface AuditOutput extends Closeable {
    /** Prints a violation. */
    void violation(Violation violation);

    /** Prints the result, after all violations. */
    void result(LedgerFiles ledger, LogArgument log, Audit.Result result) throws IOException;

    @Override
    void close() throws IOException;
}
