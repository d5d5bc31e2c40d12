package io.plog.measure;

import io.plog.client.Credentials;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.plan.Grid;
import org.jspecify.annotations.Nullable;

/**
 * What a process is to measure, and with what.
 *
 * @param server where the server is
 * @param credentials how to connect to it
 * @param ledger where to append a line for each acknowledgement, if anywhere
 * @param command the command line that repeats the run, for the record
 */
public record MeasureOrder(
        HostPort server,
        Credentials credentials,
        Grid plan,
        @Nullable LedgerOptions ledger,
        String command) {
    /** The service that speaks HTTP, if it is no plog server. */
    public @Nullable HttpService http() {
        return HttpService.of(plan.server());
    }

    /** The same against another server, as each trial may have one of its own. */
    public MeasureOrder against(HostPort other) {
        return new MeasureOrder(other, credentials, plan, ledger, command);
    }
}
