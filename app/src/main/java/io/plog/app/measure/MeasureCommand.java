package io.plog.app.measure;

import io.plog.app.cli.Failure;
import io.plog.app.cli.HostPort;
import io.plog.app.cli.Interrupts;
import io.plog.app.cli.ProgressPrinter;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.cli.TimeSpan;
import io.plog.measure.Experiment;
import io.plog.measure.MeasurePlan;
import io.plog.measure.PlanException;
import io.plog.measure.PlanFile;
import io.plog.measure.Probe;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.samples.RunInfo;
import io.plog.report.Report;
import io.plog.report.TerminalSummary;
import io.plog.report.results.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
        description =
                "Measures what logging costs: every target of a server with every size, in randomised blocks; with"
                        + " --load, how a target bears a load.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:measured as planned",
            "1:failed, or ended early (server gone, Ctrl-C): what was measured is written, marked as partial; a load that"
                    + " ended early is not valid",
            "2:misused: an option, or a target or size that the server does not have",
            "5:measured, but the run is not valid; the summary says why"
        })
public final class MeasureCommand implements Callable<Integer> {
    private static final Set<String> WITH_RESUME = Set.of("--resume", "--server", "--csv", "--json", "--config");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private CommandSpec spec;

    @Option(names = "--server", paramLabel = "HOST:PORT", description = "The server; default " + HostPort.DEFAULT + ".")
    private @Nullable String server;

    @Option(
            names = "--targets",
            paramLabel = "NAMES",
            split = ",",
            description = "Targets to measure, as a,b; default all that the server has.")
    private @Nullable List<String> targets;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private PlanOptions options;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private LoadOptions load;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Go on with the interrupted run whose results are in DIR, at the next cell.")
    private @Nullable Path resume;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the results go; default plog-results/ and the time.")
    private @Nullable Path out;

    @Option(names = "--force", description = "Replace results that are in DIR already.")
    private boolean force;

    @Option(
            names = "--ledger",
            paramLabel = "FILE",
            description = "Append a line for each acknowledgement: client request target index length crc32c.")
    private @Nullable Path ledger;

    @Option(
            names = "--ledger-force",
            description = "Force each line of the ledger before that connection's next request; slows the load down.")
    private boolean ledgerForce;

    @Option(
            names = "--ledger-force-interval",
            paramLabel = "TIME",
            description = "Otherwise: how long a line may wait for its force; default 100ms.")
    private @Nullable String ledgerForceInterval;

    @Option(names = "--csv", description = "Also export all samples as samples.csv.")
    private boolean csv;

    @Option(names = "--json", description = "Print results.json instead of the summary.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        try {
            load.check(spec.commandLine().getParseResult().matchedOptions());
            String join = load.join();
            if (join != null) {
                return LoadTogether.join(join, server, out, spec.commandLine().getErr());
            }
            if (load.isLoad()) {
                return load();
            }
            if (resume != null) {
                return resume(resume);
            }
            PlanFile asked = withDefaults(over(options.chosen()));
            MeasurePlan plan = plan(asked, ledgerOptions());
            return options.dryRun() ? dryRun(asked, plan) : fresh(asked, plan);
        } catch (IllegalArgumentException | PlanException e) {
            return complain(Failure.MISUSED, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            return complain(Failure.FAILED, Failure.sentence(e), e);
        }
    }

    private int load() throws IOException, PlanException {
        PrintWriter stdout = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        return new LoadCommand(load, new LoadCommand.Output(out, force, csv, json, stdout, err))
                .run(
                        HostPort.parse(server == null ? HostPort.DEFAULT : server),
                        targets,
                        options.chosen(),
                        ledgerOptions(),
                        options.dryRun());
    }

    private int fresh(PlanFile asked, MeasurePlan plan) throws IOException, PlanException, InterruptedException {
        Path directory = out != null ? out : ResultsDirectory.byTime(Instant.now());
        ResultsDirectory.check(directory, force);
        Experiment.check(plan);
        return measure(
                MeasureRun.fresh(asked, plan, directory, force, csv, TrialServers.always(plan.host(), plan.port())),
                plan,
                directory);
    }

    private int resume(Path directory) throws IOException, PlanException, InterruptedException {
        for (OptionSpec given : spec.commandLine().getParseResult().matchedOptions()) {
            if (!WITH_RESUME.contains(given.longestName())
                    && !given.longestName().startsWith("--ledger")) {
                throw new IllegalArgumentException("--resume goes on with the plan of " + directory + ", so "
                        + given.longestName() + " cannot be given with it");
            }
        }
        PlanFile asked = over(ResultsDirectory.plan(directory));
        if (asked.force() != null) {
            throw new PlanException(directory + " is the run of a demo: go on with it by plog demo --resume");
        }
        MeasurePlan plan = plan(asked, ledgerOptions());
        RunInfo now = Experiment.check(plan);
        MeasureRun run = MeasureRun.resumed(plan, directory, csv, TrialServers.always(plan.host(), plan.port()));
        run.checkSameTargets(now);
        return measure(run, plan, directory);
    }

    private int measure(MeasureRun run, MeasurePlan plan, Path directory)
            throws IOException, PlanException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        err.println("seed " + plan.seed() + "; results go to " + directory);
        Interrupts.onFirst(run::stop);
        ProgressPrinter progress = ProgressPrinter.onStandardError(err);
        MeasureRun.Outcome outcome;
        try {
            outcome = run.run(progress);
        } finally {
            progress.done();
        }
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(json ? Report.json(outcome.results()) : TerminalSummary.of(outcome.results()));
        stdout.flush();
        err.println("report: " + directory.resolve(Report.HTML_FILE));
        return exitCode(outcome);
    }

    private int dryRun(PlanFile asked, MeasurePlan plan) throws IOException, PlanException {
        RunInfo info = Experiment.check(plan);
        Probe.Cost cost = Probe.cost(plan, info);
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(
                json
                        ? DryRun.json(asked, plan.command(), cost)
                        : DryRun.text(
                                plan,
                                plan.host() + ":" + plan.port(),
                                info.targets().stream()
                                        .map(target -> target.name() + " (" + target.force() + ")")
                                        .toList(),
                                (int) info.targets().stream()
                                        .filter(target -> !target.force().equals("off"))
                                        .count(),
                                cost,
                                "going by " + Probe.REQUESTS + " requests to each cell, which were logged like any"
                                        + (plan.connections() > 1 ? "; less with several connections" : "")));
        stdout.flush();
        return Failure.DONE;
    }

    private int exitCode(MeasureRun.Outcome outcome) {
        if (outcome.end().partial()) {
            return complain(
                    Failure.FAILED, "the run is partial: " + outcome.end().reason());
        }
        for (Results.Validity check : outcome.results().validity()) {
            if (!check.ok() && check.severity() == Results.Severity.INVALID) {
                return complain(Failure.NOT_VALID, "the run is not valid: " + check.detail());
            }
        }
        return Failure.DONE;
    }

    /** The options that only this command has, over the plan file. */
    private PlanFile over(PlanFile file) throws PlanException {
        if (file.logDir() != null && resume == null) {
            throw new PlanException("the plan's key 'logDir' is for plog demo, which starts a server of its own");
        }
        return new PlanFile(
                PlanOptions.first(server, file.server()),
                file.force(),
                file.logDir(),
                file.sizes(),
                PlanOptions.first(targets, file.targets()),
                file.iterations(),
                file.trials(),
                file.warmup(),
                file.blocks(),
                file.connections(),
                file.rate(),
                file.seed());
    }

    private PlanFile withDefaults(PlanFile file) throws PlanException {
        if (file.force() != null) {
            throw new PlanException(
                    "the plan's key 'force' is for plog demo, which starts a server of its own; measure takes"
                            + " the server's targets");
        }
        return options.withDefaults(
                new PlanFile(
                        file.server() != null ? file.server() : HostPort.DEFAULT,
                        null,
                        null,
                        file.sizes(),
                        file.targets(),
                        file.iterations(),
                        file.trials(),
                        file.warmup(),
                        file.blocks(),
                        file.connections(),
                        file.rate(),
                        file.seed()),
                options.paper() ? MeasurePlan.PAPER_ITERATIONS : MeasurePlan.DEFAULT_ITERATIONS);
    }

    private static MeasurePlan plan(PlanFile asked, @Nullable LedgerOptions ledger) {
        HostPort address = HostPort.parse(Objects.requireNonNull(asked.server()));
        String command = "plog measure --server " + address
                + (asked.targets() == null ? "" : " --targets " + String.join(",", asked.targets()))
                + PlanOptions.command(asked);
        return PlanOptions.plan(asked, address.host(), address.port(), ledger, command);
    }

    private @Nullable LedgerOptions ledgerOptions() {
        if (ledger == null) {
            if (ledgerForce || ledgerForceInterval != null) {
                throw new IllegalArgumentException("--ledger-force and --ledger-force-interval need --ledger FILE");
            }
            return null;
        }
        if (ledgerForce && ledgerForceInterval != null) {
            throw new IllegalArgumentException("--ledger-force and --ledger-force-interval exclude each other");
        }
        Duration interval = ledgerForceInterval == null
                ? LedgerOptions.DEFAULT_FORCE_INTERVAL
                : TimeSpan.parse("--ledger-force-interval", ledgerForceInterval);
        return new LedgerOptions(ledger, ledgerForce, interval);
    }

    private int complain(int code, String sentence, Throwable cause) {
        complain(code, sentence);
        Failure.trace(cause, spec.commandLine().getErr());
        return code;
    }

    private int complain(int code, String sentence) {
        spec.commandLine().getErr().println("plog measure: " + sentence);
        return code;
    }
}
