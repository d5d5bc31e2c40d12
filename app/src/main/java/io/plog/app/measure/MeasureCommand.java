package io.plog.app.measure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.CommandText;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.LedgerFileOptions;
import io.plog.app.cli.ProgressPrinter;
import io.plog.app.cli.ResultOptions;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.cli.StopSignals;
import io.plog.measure.Experiment;
import io.plog.measure.HostPort;
import io.plog.measure.KeptAwake;
import io.plog.measure.MeasureOrder;
import io.plog.measure.PlanException;
import io.plog.measure.PlanJson;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.RunPlan;
import io.plog.results.Report;
import io.plog.results.TerminalSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code plog measure}: runs the experiment against a server. */
@Command(
        name = "measure",
        description = {
            "Measures what logging costs: sends requests of every size to every target of a server, in randomised"
                    + " blocks.",
            "Examples:",
            "  plog measure --server 10.0.0.2:7411",
            "  plog measure --sizes 1k,100k -n 10000 -o results"
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:measured as planned",
            "1:failed, or ended early (server gone, Ctrl-C): what was measured is written, marked as partial",
            "2:misused: an option, or a target or size that the server does not have",
            "5:measured, but the run is not valid; the summary says why"
        })
public final class MeasureCommand implements Callable<Integer> {
    private static final Set<String> WITH_RESUME =
            Set.of("--resume", "--keep-awake", "--server", "--csv", "--json", "--config");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private CommandSpec spec;

    @Option(
            names = "--server",
            order = HelpGroups.WHERE,
            paramLabel = "HOST:PORT",
            description = "Address of the server. Default: " + HostPort.DEFAULT + ".")
    private @Nullable String server;

    @Option(
            names = "--targets",
            order = HelpGroups.WHERE,
            paramLabel = "NAMES",
            split = ",",
            description = "Targets to measure, as a,b. Default: all of the server's.")
    @SuppressWarnings("UnusedVariable") // GridOptions reads it by its key
    private @Nullable List<String> targets;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private GridOptions options;

    @Option(
            names = "--resume",
            order = HelpGroups.RESULTS,
            paramLabel = "DIR",
            description = "Continue the interrupted run whose results are in DIR, with the next cell.")
    private @Nullable Path resume;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private LedgerFileOptions ledger;

    @Option(
            names = "--ledger-force",
            order = HelpGroups.ADVANCED,
            description =
                    "Force each line of the ledger before the next request of its connection; slows the run down.")
    private boolean ledgerForce;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private ResultOptions results;

    @Override
    public Integer call() throws IOException, PlanException, InterruptedException {
        if (resume != null) {
            return resume(resume);
        }
        ObjectNode asked = options.asked();
        for (String key : List.of("force", "logDir")) {
            if (asked.has(key)) {
                throw new PlanException(
                        "the plan's key '" + key + "' is for plog demo, which starts a server of its own; measure takes"
                                + " the server's targets");
            }
        }
        if (!asked.has("server")) {
            PlanJson.put(asked, "server", HostPort.DEFAULT);
        }
        MeasureOrder order = order(options.plan(asked, RunPlan.DEFAULT.iterations()));
        if (options.dryRun()) {
            Experiment.check(order);
            spec.commandLine().getOut().print(PlanJson.json(order.plan()));
            spec.commandLine().getOut().flush();
            return ExitCode.DONE.code();
        }
        Path directory = results.directory();
        ResultsDirectory.check(directory, results.overwrite());
        Experiment.check(order);
        return measure(
                MeasureRun.fresh(
                        order, directory, results.overwrite(), results.csv(), TrialServers.always(order.server())),
                order.plan(),
                directory);
    }

    private int resume(Path directory) throws IOException, PlanException, InterruptedException {
        for (OptionSpec given : spec.commandLine().getParseResult().matchedOptions()) {
            if (!WITH_RESUME.contains(given.longestName())
                    && !given.longestName().startsWith("--ledger")) {
                throw new IllegalArgumentException("--resume continues the plan of " + directory + ", so "
                        + given.longestName() + " cannot be given with it");
            }
        }
        ObjectNode asked = ResultsDirectory.plan(directory);
        if (asked.has("force")) {
            throw new PlanException(directory + " is the run of a demo: continue it with plog demo --resume");
        }
        if (server != null) {
            PlanJson.put(asked, "server", server);
        }
        MeasureOrder order = order(PlanJson.plan(asked));
        RunInfo now = Experiment.check(order);
        MeasureRun run = MeasureRun.resumed(order, directory, results.csv(), TrialServers.always(order.server()));
        run.checkSameTargets(now);
        return measure(run, order.plan(), directory);
    }

    private MeasureOrder order(RunPlan plan) throws IOException {
        return new MeasureOrder(
                HostPort.parse(plan.server()),
                plan,
                ledger.ledger(ledgerForce),
                CommandText.of(spec, PlanJson.options(plan)),
                KeptAwake.NOTHING);
    }

    private int measure(MeasureRun run, RunPlan plan, Path directory)
            throws IOException, PlanException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        err.println("seed " + plan.seed() + "; results go to " + directory);
        StopSignals.onFirst(run::stop);
        ProgressPrinter progress = ProgressPrinter.onStandardError(err);
        MeasureRun.Outcome outcome;
        try {
            outcome = run.run(options.keepAwake(), progress);
        } finally {
            progress.done();
        }
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(results.json() ? Report.json(outcome.results()) : TerminalSummary.of(outcome.results()));
        stdout.flush();
        err.println("report: " + directory.resolve(Report.HTML_FILE));
        return ExitCode.ofResults(
                        "the run",
                        outcome.partialReason(),
                        outcome.results().validity(),
                        sentence -> err.println("plog measure: " + sentence))
                .code();
    }
}
