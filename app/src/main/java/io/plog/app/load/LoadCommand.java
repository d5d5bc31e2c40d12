package io.plog.app.load;

import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.LedgerFileOptions;
import io.plog.app.cli.ResultOptions;
import io.plog.app.cli.SecurityOptions;
import io.plog.measure.HostPort;
import io.plog.measure.PlanException;
import io.plog.measure.ledger.LedgerOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code plog load}: shows how a target bears a load. */
@Command(
        name = "load",
        description = {
            "Sends a load to a target of a server over many connections, and shows its latency, throughput and errors.",
            "The mode decides when a request is sent. closed: when a reply has come. open: at its time, as --rate and"
                    + " --arrivals say, whatever has come back. partly-open: at its time, but one after the other on each"
                    + " connection, and connections are made anew.",
            "Examples:",
            "  plog load --mode closed -c 16 -d 30s",
            "  plog load --mode open -r 2000 -c 50 --arrivals poisson --mix 100=9,10k=1"
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:measured as planned",
            "1:failed: the server cannot be reached, or a file cannot be written",
            "2:misused: an option, or a load that the server cannot take",
            "5:measured, but the run is not valid: it ended early, or the summary says why"
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class LoadCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--server",
            order = HelpGroups.WHERE,
            paramLabel = "HOST:PORT[,HOST:PORT...]|URL",
            defaultValue = HostPort.DEFAULT,
            description = "Address of the server, or of several of which one serves: the load follows it. Or the URL of"
                    + " any service over HTTP. Default: ${DEFAULT-VALUE}.")
    private String server;

    @Mixin
    private SecurityOptions security;

    @Option(
            names = "--target",
            order = HelpGroups.WHERE,
            paramLabel = "NAME",
            description = "Target to load. Default: the only one that the server logs.")
    private @Nullable String target;

    @Mixin
    private LoadOptions options;

    @Mixin
    private LedgerFileOptions ledger;

    @Mixin
    private ResultOptions results;

    @Override
    public Integer call() throws IOException, PlanException {
        LedgerOptions lines = ledger.ledger(false);
        return new LoadRunner(
                        options,
                        results,
                        spec.commandLine().getOut(),
                        spec.commandLine().getErr())
                .run(server, security.credentials(), target, lines)
                .code();
    }
}
