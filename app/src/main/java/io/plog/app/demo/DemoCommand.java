package io.plog.app.demo;

import io.plog.app.cli.BookKeeperJars;
import io.plog.app.cli.CommandException;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.ProgressPrinter;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.cli.SizeConverter;
import io.plog.app.cli.StopSignals;
import io.plog.app.measure.DryRun;
import io.plog.app.measure.GridOptions;
import io.plog.app.measure.MeasureRun;
import io.plog.log.Force;
import io.plog.measure.MeasureGrid;
import io.plog.measure.PlanException;
import io.plog.measure.PlanFile;
import io.plog.measure.Probe;
import io.plog.measure.Warmup;
import io.plog.report.Report;
import io.plog.report.TerminalSummary;
import io.plog.report.results.Check;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code plog demo}: the whole experiment in one go, against a server in a process of its own. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Starts a server on loopback, measures with and without logging, and writes the report.",
            "Examples:",
            "  plog demo",
            "  plog demo --log-dir /mnt/ssd --force fdatasync,dsync -o results"
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:measured as planned",
            "1:failed, or ended early (Ctrl-C, server gone): what was measured is written, marked as partial",
            "2:misused",
            "5:measured, but the run is not valid; the summary says why"
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class DemoCommand implements Callable<Integer> {
    private static final List<String> DEFAULT_FORCES = List.of(Force.FDATASYNC.label(), Force.WRITE.label());
    private static final Set<String> WITH_RESUME =
            Set.of("--resume", "--keep-awake", "--keep-log", "--view", "--config");

    @Option(
            names = {"-o", "--out"},
            order = HelpGroups.RESULTS,
            paramLabel = "DIR",
            description =
                    "Directory for the results, new or empty. Default: one under plog-results, named after the time.")
    private @Nullable Path out;

    @Option(
            names = "--log-dir",
            order = HelpGroups.WHERE,
            paramLabel = "DIR",
            description = "Directory on the disk to measure; the logs go into a new one inside. Default: within --out."
                    + " Repeatable: several disks are measured side by side, forced alike, each as a target of its own"
                    + " (fdatasync-a, fdatasync-b, ... in the order of the options).")
    private @Nullable List<Path> logDirs;

    @Option(names = "--keep-log", order = HelpGroups.ADVANCED, description = "Do not delete the logs afterwards.")
    private boolean keepLog;

    @Option(
            names = "--force",
            order = HelpGroups.SENT,
            paramLabel = "WAYS",
            split = ",",
            description = "Ways of forcing to measure, besides off (no logging): write (optimistic: answered before"
                    + " the operating system forces), fdatasync, fsync, dsync,"
                    + " direct; and r1 and r3, see --replicated. Default: fdatasync,write, of several disks"
                    + " fdatasync alone.")
    private @Nullable List<String> forces;

    @Option(
            names = "--replicated",
            order = HelpGroups.WHERE,
            description =
                    "Measure what a quorum costs beside the force: fdatasync on this machine, a log on one bookie (r1) and one"
                            + " that waits for two of three (r3). Starts ZooKeeper and three bookies, all on this machine and on the"
                            + " disk of the other log; BookKeeper must be beside the program.")
    private boolean replicated;

    @Mixin
    private GridOptions options;

    @Option(
            names = "--resume",
            order = HelpGroups.RESULTS,
            paramLabel = "DIR",
            description = "Continue the interrupted demo whose results are in DIR, with the next cell.")
    private @Nullable Path resume;

    @Option(
            names = "--view",
            order = HelpGroups.RESULTS,
            description = "Show the page while it is measured, in the browser if there is one, and until Ctrl-C.")
    private boolean view;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandException, IOException, InterruptedException, PlanException {
        if (resume != null) {
            return resume(resume);
        }
        PlanFile file = options.chosen();
        return options.dryRun() ? dryRun(file) : fresh(file);
    }

    private int fresh(PlanFile file) throws CommandException, IOException, InterruptedException, PlanException {
        DemoWays ways = DemoWays.parse(forcesOf(file)); // before anything is made
        DemoPlan.checkReplicated(ways, logDirsOf(file).size(), sizesOf(file));
        if (!ways.quorums().isEmpty()) {
            BookKeeperJars.classPath();
        }
        Path results =
                ResultsDirectory.createEmpty(out != null ? out : ResultsDirectory.byTime("demo-", Instant.now()));
        List<Path> logs = DemoDirectories.create(results, logDirsOf(file));
        try {
            PlanFile asked = withDefaults(file, logs);
            DemoPlan plan = plan(asked);
            DemoDirectories.checkSpace(logs, plan);
            say("plog demo: " + plan.plan().grid().iterations() + " requests of each size to each of "
                    + (plan.loggedTargets() + 1) + " targets"
                    + (plan.plan().grid().trials() == 1
                            ? ""
                            : " in " + plan.plan().grid().trials() + " trials") + "; logs in "
                    + logs.stream().map(Path::toString).collect(Collectors.joining(", ")));
            try (DemoBookies bookies = DemoBookies.start(plan, logs.get(0), keepLog);
                    DemoServers servers = new DemoServers(plan, results, logs, bookies, keepLog)) {
                return measure(MeasureRun.fresh(asked, plan.plan(), results, false, false, servers), results);
            }
        } finally {
            for (Path disk : keepLog ? List.<Path>of() : logs) {
                Files.deleteIfExists(disk);
            }
        }
    }

    private int resume(Path results) throws CommandException, IOException, InterruptedException, PlanException {
        for (OptionSpec given : spec.commandLine().getParseResult().matchedOptions()) {
            if (!WITH_RESUME.contains(given.longestName())) {
                throw new IllegalArgumentException("--resume continues the plan of " + results + ", so "
                        + given.longestName() + " cannot be given with it");
            }
        }
        PlanFile asked = MeasureRun.planOf(results);
        if (asked.force() == null) {
            throw new PlanException(results + " is a run of plog measure: continue it with plog measure --resume");
        }
        DemoPlan plan = plan(asked);
        List<Path> logs = DemoDirectories.create(results, logDirsOf(asked));
        DemoDirectories.checkSpace(logs, plan);
        try (DemoBookies bookies = DemoBookies.start(plan, logs.get(0), keepLog);
                DemoServers servers = new DemoServers(plan, results, logs, bookies, keepLog)) {
            return measure(MeasureRun.resumed(plan.plan(), results, false, servers), results);
        }
    }

    private int measure(MeasureRun run, Path results) throws IOException, InterruptedException, PlanException {
        if (!view) {
            return exitCode(finished(run, results));
        }
        try (DemoView shown = new DemoView(results)) {
            say("plog demo: watch it at " + shown.address());
            MeasureRun.Outcome outcome = finished(run, results);
            if (!outcome.end().partial()) {
                say("plog demo: see it at " + shown.address() + " until Ctrl-C");
                shown.await();
            }
            return exitCode(outcome);
        }
    }

    private MeasureRun.Outcome finished(MeasureRun run, Path results)
            throws IOException, InterruptedException, PlanException {
        StopSignals.onFirst(run::stop);
        ProgressPrinter progress =
                ProgressPrinter.onStandardError(spec.commandLine().getErr());
        MeasureRun.Outcome outcome;
        try {
            outcome = run.run(options.keepAwake(), progress);
        } finally {
            progress.done();
        }
        outcome.notes().forEach(this::complain);
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(TerminalSummary.of(outcome.results()));
        stdout.println();
        stdout.println("results: " + results.resolve(Report.RESULTS_FILE));
        stdout.println("report:  " + results.resolve(Report.HTML_FILE));
        stdout.flush();
        return outcome;
    }

    private int dryRun(PlanFile file) throws IOException, PlanException {
        List<Path> disks = new ArrayList<>();
        for (Path logs : logDirsOf(file)) {
            disks.add(ResultsDirectory.checkLogDir(logs));
        }
        if (disks.isEmpty()) {
            disks.add(DemoDirectories.existing(out != null ? out : Path.of(".")));
        }
        PlanFile asked = withDefaults(file, disks);
        DemoPlan plan = plan(asked);
        double secondsOfOne =
                DemoPlan.secondsOfOne(disks, plan.ways(), plan.plan().grid().sizesBytes());
        List<String> targets = plan.targets();
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(DryRun.text(
                plan.plan(),
                "one of its own for each trial, on loopback, logs on the disk of "
                        + disks.stream().map(Path::toString).collect(Collectors.joining(", ")),
                targets,
                plan.loggedTargets(),
                Probe.estimate(plan.plan(), targets.size(), secondsOfOne),
                "going by a few forces on that disk"));
        stdout.flush();
        return ExitCode.DONE.code();
    }

    private List<String> forcesOf(PlanFile file) {
        List<String> inFile = file.force();
        if (forces != null && replicated) {
            throw new IllegalArgumentException("--replicated measures " + String.join(",", DemoWays.REPLICATED)
                    + ": leave it out and name them in --force, or leave --force out");
        }
        if (forces != null) {
            return forces;
        }
        if (replicated) {
            return DemoWays.REPLICATED;
        }
        if (inFile != null) {
            return inFile;
        }
        return logDirsOf(file).size() > 1 ? List.of(Force.FDATASYNC.label()) : DEFAULT_FORCES;
    }

    /** Empty if the logs go where the results go. */
    private List<Path> logDirsOf(PlanFile file) {
        List<String> inFile = file.logDir();
        if (logDirs != null) {
            return logDirs;
        }
        return inFile == null ? List.of() : inFile.stream().map(Path::of).toList();
    }

    private PlanFile withDefaults(PlanFile file, List<Path> disks) throws IOException, PlanException {
        if (file.server() != null || file.targets() != null) {
            throw new PlanException(
                    "the plan's key '" + (file.server() != null ? "server" : "targets")
                            + "' is for plog measure; the demo starts a server of its own with a target for each way of forcing");
        }
        List<String> ways = forcesOf(file);
        List<Integer> bytes = sizesOf(file);
        long counted = file.iterations() != null
                ? file.iterations()
                : options.paper()
                        ? MeasureGrid.PAPER_ITERATIONS
                        : DemoPlan.fittingIterations(DemoPlan.secondsOfOne(disks, DemoWays.parse(ways), bytes));
        String usualWarmup = Warmup.untilSteady(Math.max(1, Math.min(Warmup.DEFAULT_MOST, counted / 2)))
                .label();
        List<String> where = logDirsOf(file).stream()
                .map(path -> path.toAbsolutePath().normalize().toString())
                .toList();
        PlanFile logs = file.with("force", ways).with("logDir", where.isEmpty() ? null : where);
        PlanFile usual = options.paper() ? PlanFile.EMPTY : PlanFile.EMPTY.with("warmup", usualWarmup);
        return options.withDefaults(logs.orElse(usual), counted);
    }

    private static List<Integer> sizesOf(PlanFile file) {
        List<String> sizes = file.sizes();
        return sizes == null
                ? MeasureGrid.DEFAULT_SIZES_BYTES
                : sizes.stream().map(SizeConverter::parseInt).toList();
    }

    private static DemoPlan plan(PlanFile asked) {
        List<String> ways = Objects.requireNonNull(asked.force());
        String command = "plog demo --force " + String.join(",", ways)
                + (asked.logDir() == null
                        ? ""
                        : asked.logDir().stream()
                                .map(disk -> " --log-dir " + disk)
                                .collect(Collectors.joining()))
                + GridOptions.command(asked);
        List<String> disks = asked.logDir();
        return new DemoPlan(
                DemoWays.parse(ways),
                disks == null ? 1 : disks.size(),
                GridOptions.plan(asked, "127.0.0.1", 1, null, command));
    }

    private int exitCode(MeasureRun.Outcome outcome) {
        if (outcome.end().partial()) {
            complain("the run is partial: " + outcome.end().reason());
            return ExitCode.FAILED.code();
        }
        for (Check check : outcome.results().validity()) {
            if (check.invalidates()) {
                complain("the run is not valid: " + check.detail());
                return ExitCode.NOT_VALID.code();
            }
        }
        return ExitCode.DONE.code();
    }

    private void complain(String sentence) {
        say("plog demo: " + sentence);
    }

    private void say(String sentence) {
        spec.commandLine().getErr().println(sentence);
        spec.commandLine().getErr().flush();
    }
}
