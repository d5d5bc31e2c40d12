package io.plog.app.demo;

import io.plog.app.cli.Failures;
import io.plog.app.cli.Interrupts;
import io.plog.app.cli.ProgressPrinter;
import io.plog.app.measure.DryRun;
import io.plog.app.measure.MeasureRun;
import io.plog.app.measure.PlanOptions;
import io.plog.measure.MeasurePlan;
import io.plog.measure.PlanException;
import io.plog.measure.PlanFile;
import io.plog.measure.Probe;
import io.plog.measure.Warmup;
import io.plog.report.Report;
import io.plog.report.TerminalSummary;
import io.plog.report.results.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
        description = "Starts a server on loopback, measures with and without logging, and writes the report.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:measured as planned",
            "1:failed, or ended early (Ctrl-C, server gone): what was measured is written, marked as partial",
            "2:misused",
            "5:measured, but the run is not valid; the summary says why"
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class DemoCommand implements Callable<Integer> {
    private static final int NOT_VALID = 5;
    private static final String DEFAULT_FORCE = "fdatasync,write";
    private static final Set<String> WITH_RESUME = Set.of("--resume", "--keep-log", "--config");
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the results go: a new or empty directory; default plog-results/demo- and the time.")
    private @Nullable Path out;

    @Option(
            names = "--log-dir",
            paramLabel = "DIR",
            description = "A directory on the disk to measure; the logs get a fresh one inside. Default: within --out.")
    private @Nullable Path logDir;

    @Option(names = "--keep-log", description = "Do not delete the logs afterwards.")
    private boolean keepLog;

    @Option(
            names = "--force",
            paramLabel = "MODES",
            split = ",",
            description = "Ways of forcing to measure, besides off (no logging): any of write, fdatasync, fsync, dsync,"
                    + " direct; default " + DEFAULT_FORCE + ".")
    private @Nullable List<String> forces;

    @Mixin
    private PlanOptions options;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Go on with the interrupted demo whose results are in DIR, at the next cell.")
    private @Nullable Path resume;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            if (resume != null) {
                return resume(resume);
            }
            PlanFile file = options.chosen();
            return options.dryRun() ? dryRun(file) : fresh(file);
        } catch (PlanException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private int fresh(PlanFile file) throws IOException, InterruptedException, PlanException {
        DemoPlan.forces(forcesOf(file)); // before anything is made
        Path results = newDirectory(out != null ? out : Path.of("plog-results", "demo-" + STAMP.format(Instant.now())));
        Path logs = logDirectory(results, logDirOf(file));
        try {
            PlanFile asked = withDefaults(file, logs);
            DemoPlan plan = plan(asked);
            checkSpace(logs, plan);
            say("plog demo: " + plan.plan().iterations() + " requests of each size to each of "
                    + (plan.forces().size() + 1) + " targets"
                    + (plan.plan().trials() == 1 ? "" : " in " + plan.plan().trials() + " trials") + "; logs in "
                    + logs);
            try (DemoServers servers = new DemoServers(plan, results, logs, keepLog)) {
                return measure(MeasureRun.fresh(asked, plan.plan(), results, false, false, servers), results);
            }
        } finally {
            if (!keepLog) {
                Files.deleteIfExists(logs);
            }
        }
    }

    private int resume(Path results) throws IOException, InterruptedException, PlanException {
        for (OptionSpec given : spec.commandLine().getParseResult().matchedOptions()) {
            if (!WITH_RESUME.contains(given.longestName())) {
                throw new IllegalArgumentException("--resume goes on with the plan of " + results + ", so "
                        + given.longestName() + " cannot be given with it");
            }
        }
        PlanFile asked = MeasureRun.planOf(results);
        if (asked.force() == null) {
            throw new PlanException(results + " is a run of plog measure: go on with it by plog measure --resume");
        }
        DemoPlan plan = plan(asked);
        Path logs = logDirectory(results, logDirOf(asked));
        checkSpace(logs, plan);
        try (DemoServers servers = new DemoServers(plan, results, logs, keepLog)) {
            return measure(MeasureRun.resumed(plan.plan(), results, false, servers), results);
        }
    }

    private int measure(MeasureRun run, Path results) throws IOException, InterruptedException, PlanException {
        Interrupts.onFirst(run::stop);
        ProgressPrinter progress =
                ProgressPrinter.onStandardError(spec.commandLine().getErr());
        MeasureRun.Outcome outcome;
        try {
            outcome = run.run(progress);
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
        return exitCode(outcome);
    }

    private int dryRun(PlanFile file) throws IOException, PlanException {
        Path disk = logDirOf(file) != null ? checkedLogDir(logDirOf(file)) : existing(out != null ? out : Path.of("."));
        PlanFile asked = withDefaults(file, disk);
        DemoPlan plan = plan(asked);
        double secondsOfOne =
                DemoPlan.secondsOfOne(disk, plan.forces(), plan.plan().sizesBytes());
        List<String> targets = new ArrayList<>(plan.forces().stream()
                .map(force -> force.label() + " (" + force.label() + ")")
                .toList());
        targets.add("off (off)");
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(DryRun.text(
                plan.plan(),
                "one of its own for each trial, on loopback, logs on the disk of " + disk,
                targets,
                plan.forces().size(),
                Probe.reckoned(plan.plan(), targets.size(), secondsOfOne),
                "going by a few forces on that disk"));
        stdout.flush();
        return 0;
    }

    private List<String> forcesOf(PlanFile file) {
        List<String> inFile = file.force();
        return forces != null ? forces : inFile != null ? inFile : List.of(DEFAULT_FORCE.split(",", -1));
    }

    private @Nullable Path logDirOf(PlanFile file) {
        String inFile = file.logDir();
        return logDir != null ? logDir : inFile == null ? null : Path.of(inFile);
    }

    private PlanFile withDefaults(PlanFile file, Path disk) throws IOException, PlanException {
        if (file.server() != null || file.targets() != null) {
            throw new PlanException(
                    "the plan's key '" + (file.server() != null ? "server" : "targets")
                            + "' is for plog measure; the demo starts a server of its own with a target for each way of forcing");
        }
        List<String> ways = forcesOf(file);
        List<Integer> bytes = file.sizes() == null
                ? MeasurePlan.DEFAULT_SIZES_BYTES
                : file.sizes().stream().map(PlanOptions::bytes).toList();
        long counted = file.iterations() != null
                ? file.iterations()
                : options.paper()
                        ? MeasurePlan.PAPER_ITERATIONS
                        : DemoPlan.fittingIterations(DemoPlan.secondsOfOne(disk, DemoPlan.forces(ways), bytes));
        String usualWarmup = Warmup.untilSteady(Math.max(1, Math.min(Warmup.DEFAULT_MOST, counted / 2)))
                .label();
        Path where = logDirOf(file);
        return options.withDefaults(
                new PlanFile(
                        null,
                        ways,
                        where == null ? null : where.toAbsolutePath().toString(),
                        file.sizes(),
                        null,
                        counted,
                        file.trials(),
                        file.warmup() != null || options.paper() ? file.warmup() : usualWarmup,
                        file.blocks(),
                        file.connections(),
                        file.rate(),
                        file.seed()),
                counted);
    }

    private static DemoPlan plan(PlanFile asked) {
        List<String> ways = Objects.requireNonNull(asked.force());
        String command = "plog demo --force " + String.join(",", ways) + PlanOptions.command(asked);
        return new DemoPlan(DemoPlan.forces(ways), PlanOptions.plan(asked, "127.0.0.1", 1, null, command));
    }

    /** Results are never mixed with what is there already. */
    private static Path newDirectory(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        if (Files.exists(absolute) && !Files.isDirectory(absolute)) {
            throw new IOException("--out " + directory + " is a file, expected a directory");
        }
        Files.createDirectories(absolute);
        try (Stream<Path> files = Files.list(absolute)) {
            if (files.findAny().isPresent()) {
                throw new IOException("--out " + directory + " is not empty; name a directory that is new or empty");
            }
        }
        return absolute;
    }

    private static Path logDirectory(Path results, @Nullable Path parent) throws IOException {
        return parent == null
                ? Files.createDirectories(results.resolve("log"))
                : Files.createTempDirectory(checkedLogDir(parent), "plog-demo-");
    }

    private static Path checkedLogDir(@Nullable Path directory) throws IOException {
        Path parent = Objects.requireNonNull(directory).toAbsolutePath().normalize();
        if (!Files.isDirectory(parent)) {
            throw new IOException("--log-dir " + directory
                    + (Files.exists(parent) ? " is not a directory" : " does not exist")
                    + ": expected a directory on the disk to measure");
        }
        return parent;
    }

    /** The nearest directory that is there already: on the disk that would be measured. */
    private static Path existing(Path directory) {
        Path at = directory.toAbsolutePath().normalize();
        while (!Files.isDirectory(at)) {
            at = Objects.requireNonNull(at.getParent(), "the root is a directory");
        }
        return at;
    }

    private static void checkSpace(Path logs, DemoPlan plan) throws IOException {
        long free = Files.getFileStore(logs).getUsableSpace();
        if (free < plan.spaceBytes()) {
            throw new IOException("the logs need " + mebibytes(plan.spaceBytes()) + " MiB, but " + logs.getParent()
                    + " has " + mebibytes(free) + " free; name another place with --log-dir, or fewer --iterations");
        }
    }

    private static long mebibytes(long bytes) {
        return bytes >> 20;
    }

    private int exitCode(MeasureRun.Outcome outcome) {
        if (outcome.end().partial()) {
            complain("the run is partial: " + outcome.end().reason());
            return Failures.FAILED;
        }
        for (Results.Validity check : outcome.results().validity()) {
            if (!check.ok() && check.severity() == Results.Severity.INVALID) {
                complain("the run is not valid: " + check.detail());
                return NOT_VALID;
            }
        }
        return 0;
    }

    private void complain(String sentence) {
        say("plog demo: " + sentence);
    }

    private void say(String sentence) {
        spec.commandLine().getErr().println(sentence);
        spec.commandLine().getErr().flush();
    }
}
