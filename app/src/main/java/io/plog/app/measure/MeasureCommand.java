package io.plog.app.measure;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.LedgerFileOptions;
import io.plog.app.cli.MeasuringCommand;
import io.plog.app.cli.SecurityOptions;
import io.plog.app.cli.StopSignals;
import io.plog.measure.Experiment;
import io.plog.measure.HostPort;
import io.plog.measure.HttpService;
import io.plog.measure.MeasureOrder;
import io.plog.measure.PlanException;
import io.plog.measure.plan.Grid;
import io.plog.measure.samples.RunInfo;
import io.plog.results.model.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plog measure}: runs the experiment against a server. */
@Command(
        name = "measure",
        description = {
            "Measures what logging costs: sends requests of every size to every target of a server, in randomised"
                    + " blocks.",
            "Examples:",
            "  plog measure --server 10.0.0.2:7411",
            "  plog measure --sizes 1k,100k -n 10000 -o results"
        })
public final class MeasureCommand extends MeasuringCommand {
    @Option(
            names = "--server",
            paramLabel = "HOST:PORT|URL",
            defaultValue = HostPort.DEFAULT,
            description = "Address of the server, or the URL of any service over HTTP. Default: ${DEFAULT-VALUE}.")
    private String server;

    @Mixin
    private SecurityOptions security;

    @Option(
            names = "--targets",
            paramLabel = "NAMES",
            split = ",",
            description = "Targets to measure, as a,b. Default: all of the server's.")
    private @Nullable List<String> targets;

    @Mixin
    private GridOptions options;

    @Mixin
    private LedgerFileOptions ledger;

    @Option(
            names = "--ledger-force",
            description =
                    "Force each line of the ledger before the next request of its connection; slows the run down.")
    private boolean ledgerForce;

    @Override
    protected ExitCode run() throws IOException, PlanException, InterruptedException {
        HttpService http = HttpService.of(server);
        HostPort address = http == null ? HostPort.parse(server) : http.address();
        if (http != null && ledger.ledger(ledgerForce) != null) {
            throw new IllegalArgumentException(
                    "--ledger with a server at " + http + ": no reply over HTTP says where its request is logged");
        }
        Grid plan = options.plan(
                http == null ? server : http.toString(),
                targets == null ? List.of() : targets,
                List.of(),
                List.of(),
                Grid.DEFAULT.iterations(),
                Grid.DEFAULT.warmup());
        Map<String, Object> values = options.values(plan);
        MeasureOrder order = new MeasureOrder(
                address, security.credentials(server), plan, ledger.ledger(ledgerForce), options.command(values));
        if (!options.dryRun()) {
            checkDirectory();
        }
        RunInfo now = Experiment.check(order);
        if (options.dryRun()) {
            return options.print(values);
        }
        Path directory = prepareDirectory();
        writePlan(options, values);
        MeasureRun run = new MeasureRun(order, directory, TrialServers.always(order.server()));
        run.checkSameTargets(now);
        announce(
                plan.seed(),
                plan.iterations() * plan.sizesBytes().size() * now.targets().size());
        StopSignals.onFirst(run::stop);
        return measure(Results.Kind.RUN, directory, run::run);
    }
}
