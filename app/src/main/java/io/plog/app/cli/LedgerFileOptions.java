package io.plog.app.cli;

import io.plog.measure.ledger.LedgerOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The file in which a client notes what was acknowledged. Set by picocli. */
public final class LedgerFileOptions {
    @Option(
            names = "--ledger",
            paramLabel = "FILE",
            description = "Append a line for each acknowledgement: client request target index length crc32c."
                    + " plog audit compares it with the log.")
    private @Nullable Path ledger;

    /**
     * The ledger that was asked for.
     *
     * @param forceEach whether a connection waits for the force of each of its lines
     * @return null if there is to be none
     * @throws IllegalArgumentException if the options do not go together
     */
    public @Nullable LedgerOptions ledger(boolean forceEach) {
        if (ledger == null && forceEach) {
            throw new IllegalArgumentException("--ledger-force needs --ledger FILE");
        }
        return ledger == null ? null : new LedgerOptions(ledger, forceEach);
    }
}
