package io.plog.measure;

import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.samples.RunPlan;
import org.jspecify.annotations.Nullable;

/**
 * What a process is to measure, and with what.
 *
 * @param server where the server is
 * @param ledger where to append a line for each acknowledgement, if anywhere
 * @param command the command line that repeats the run, for the record
 * @param awake what keeps this machine's processors awake while the plan is carried out
 */
public record MeasureOrder(
        HostPort server, RunPlan plan, @Nullable LedgerOptions ledger, String command, KeptAwake awake) {
    /** The same with something that keeps processors awake. */
    public MeasureOrder with(KeptAwake whatKeepsAwake) {
        return new MeasureOrder(server, plan, ledger, command, whatKeepsAwake);
    }

    /** The same against another server, as each trial may have one of its own. */
    public MeasureOrder against(HostPort other) {
        return new MeasureOrder(other, plan, ledger, command, awake);
    }
}
