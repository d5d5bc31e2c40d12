package io.plog.app.cli;

import io.plog.measure.ledger.LedgerOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The file in which a client notes what was acknowledged. Set by picocli. */
public final class LedgerFileOptions {
    @Option(
            names = "--ledger",
            order = HelpGroups.RESULTS,
            paramLabel = "FILE",
            description = "Append a line for each acknowledgement: client request target index length crc32c."
                    + " plog audit compares it with the log.")
    private @Nullable Path ledger;

    @Option(
            names = "--ledger-force-interval",
            order = HelpGroups.ADVANCED,
            paramLabel = "TIME",
            description = "How long a line of the ledger may wait until it is forced. Default: 100ms.")
    private @Nullable Duration forceInterval;

    /**
     * The ledger that was asked for.
     *
     * @param forceEach whether a connection waits for the force of each of its lines
     * @return null if there is to be none
     * @throws IllegalArgumentException if the options do not go together
     */
    public @Nullable LedgerOptions ledger(boolean forceEach) {
        if (ledger == null) {
            if (forceEach || forceInterval != null) {
                throw new IllegalArgumentException("--ledger-force and --ledger-force-interval need --ledger FILE");
            }
            return null;
        }
        if (forceEach && forceInterval != null) {
            throw new IllegalArgumentException("--ledger-force and --ledger-force-interval exclude each other");
        }
        return new LedgerOptions(
                ledger,
                forceEach,
                forceInterval == null ? LedgerOptions.DEFAULT_FORCE_MILLIS : forceInterval.toMillis());
    }
}
