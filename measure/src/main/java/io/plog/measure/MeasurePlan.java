package io.plog.measure;

import io.plog.measure.ledger.LedgerOptions;
import org.jspecify.annotations.Nullable;

/**
 * What to measure, and against which server.
 *
 * @param host the server's name or address
 * @param port its port, 1 to 65535
 * @param grid the sizes and targets, and how often each is measured
 * @param ledger where to append a line for each acknowledgement, if anywhere
 * @param command the command line that repeats the run, for the record
 * @param awake what keeps this machine's processors awake while the plan is carried out
 */
public record MeasurePlan(
        String host, int port, MeasureGrid grid, @Nullable LedgerOptions ledger, String command, KeptAwake awake) {
    /**
     * Checks the port.
     *
     * @throws IllegalArgumentException if it is out of its range
     */
    public MeasurePlan {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port is " + port + ": expected 1 to 65535");
        }
    }

    /** A plan for which nothing keeps processors awake. */
    public MeasurePlan(String host, int port, MeasureGrid grid, @Nullable LedgerOptions ledger, String command) {
        this(host, port, grid, ledger, command, KeptAwake.NOTHING);
    }

    /** The same plan with something that keeps processors awake. */
    public MeasurePlan with(KeptAwake whatKeepsAwake) {
        return new MeasurePlan(host, port, grid, ledger, command, whatKeepsAwake);
    }

    /** The same plan against another server, as each trial may have one of its own. */
    public MeasurePlan against(String otherHost, int otherPort) {
        return new MeasurePlan(otherHost, otherPort, grid, ledger, command, awake);
    }
}
