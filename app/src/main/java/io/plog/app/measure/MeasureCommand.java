package io.plog.app.measure;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.HostPort;
import io.plog.app.cli.LedgerFileOptions;
import io.plog.app.cli.ProgressPrinter;
import io.plog.app.cli.ResultOptions;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.cli.StopSignals;
import io.plog.measure.Experiment;
import io.plog.measure.MeasureGrid;
import io.plog.measure.MeasurePlan;
import io.plog.measure.PlanException;
import io.plog.measure.PlanFile;
import io.plog.measure.Probe;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.samples.RunInfo;
import io.plog.report.Report;
import io.plog.report.TerminalSummary;
import io.plog.report.results.Check;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
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
        PlanFile asked = withDefaults(over(options.chosen()));
        MeasurePlan plan = plan(asked, ledger.ledger(ledgerForce));
        return options.dryRun() ? dryRun(asked, plan) : fresh(asked, plan);
    }

    private int fresh(PlanFile asked, MeasurePlan plan) throws IOException, PlanException, InterruptedException {
        Path directory = results.directory();
        ResultsDirectory.check(directory, results.overwrite());
        Experiment.check(plan);
        return measure(
                MeasureRun.fresh(
                        asked,
                        plan,
                        directory,
                        results.overwrite(),
                        results.csv(),
                        TrialServers.always(plan.host(), plan.port())),
                plan,
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
        PlanFile asked = over(ResultsDirectory.plan(directory));
        if (asked.force() != null) {
            throw new PlanException(directory + " is the run of a demo: continue it with plog demo --resume");
        }
        MeasurePlan plan = plan(asked, ledger.ledger(ledgerForce));
        RunInfo now = Experiment.check(plan);
        MeasureRun run =
                MeasureRun.resumed(plan, directory, results.csv(), TrialServers.always(plan.host(), plan.port()));
        run.checkSameTargets(now);
        return measure(run, plan, directory);
    }

    private int measure(MeasureRun run, MeasurePlan plan, Path directory)
            throws IOException, PlanException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        err.println("seed " + plan.grid().seed() + "; results go to " + directory);
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
        return exitCode(outcome);
    }

    private int dryRun(PlanFile asked, MeasurePlan plan) throws IOException, PlanException {
        RunInfo info = Experiment.check(plan);
        Probe.Cost cost = Probe.cost(plan, info);
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(
                results.json()
                        ? DryRun.json(asked, plan.command(), cost)
                        : DryRun.text(
                                plan,
                                plan.host() + ":" + plan.port(),
                                info.targets().stream()
                                        .map(target -> target.name() + " (" + target.force() + ")")
                                        .toList(),
                                (int) info.targets().stream()
                                        .filter(target -> target.forceLabel().isLogged())
                                        .count(),
                                cost,
                                "going by " + Probe.REQUESTS + " requests to each cell, which were logged like any"
                                        + (plan.grid().connections() > 1 ? "; less with several connections" : "")));
        stdout.flush();
        return ExitCode.DONE.code();
    }

    private int exitCode(MeasureRun.Outcome outcome) {
        if (outcome.end().partial()) {
            return complain(
                    ExitCode.FAILED, "the run is partial: " + outcome.end().reason());
        }
        for (Check check : outcome.results().validity()) {
            if (check.invalidates()) {
                return complain(ExitCode.NOT_VALID, "the run is not valid: " + check.detail());
            }
        }
        return ExitCode.DONE.code();
    }

    /** The options that only this command has, over the plan file. */
    private PlanFile over(PlanFile file) throws PlanException {
        if (file.logDir() != null && resume == null) {
            throw new PlanException("the plan's key 'logDir' is for plog demo, which starts a server of its own");
        }
        return file.with("server", server).with("targets", targets);
    }

    private PlanFile withDefaults(PlanFile file) throws PlanException {
        if (file.force() != null) {
            throw new PlanException(
                    "the plan's key 'force' is for plog demo, which starts a server of its own; measure takes"
                            + " the server's targets");
        }
        return options.withDefaults(
                file.orElse(PlanFile.EMPTY.with("server", HostPort.DEFAULT)),
                options.paper() ? MeasureGrid.PAPER_ITERATIONS : MeasureGrid.DEFAULT_ITERATIONS);
    }

    private static MeasurePlan plan(PlanFile asked, @Nullable LedgerOptions ledger) {
        HostPort address = HostPort.parse(Objects.requireNonNull(asked.server()));
        String command = "plog measure --server " + address
                + (asked.targets() == null ? "" : " --targets " + String.join(",", asked.targets()))
                + GridOptions.command(asked);
        return GridOptions.plan(asked, address.host(), address.port(), ledger, command);
    }

    private int complain(ExitCode code, String sentence) {
        spec.commandLine().getErr().println("plog measure: " + sentence);
        return code.code();
    }
}
