package io.plog.app;

import io.plog.client.cli.Interrupts;
import io.plog.client.cli.MeasureRun;
import io.plog.client.cli.ProgressPrinter;
import io.plog.client.load.MeasurePlan;
import io.plog.client.load.PlanException;
import io.plog.client.report.Report;
import io.plog.client.report.Results;
import io.plog.client.report.TerminalSummary;
import io.plog.log.Force;
import io.plog.protocol.ByteSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
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
final class DemoCommand implements Callable<Integer> {
    private static final int NOT_VALID = 5;
    private static final int BLOCKS = 10;
    private static final int PAPER_BLOCKS = 20;
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
            defaultValue = "fdatasync,write",
            description = "Ways of forcing to measure, besides off (no logging): any of write, fdatasync, fsync, dsync,"
                    + " direct; default ${DEFAULT-VALUE}.")
    private List<String> forces;

    @Option(
            names = "--sizes",
            paramLabel = "SIZES",
            split = ",",
            defaultValue = "100,1k,10k,50k,100k",
            description = "Payload sizes (k is 1000, Ki 1024); default ${DEFAULT-VALUE}.")
    private List<String> sizes;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "Counted requests of each cell (a size and a target); default as many as take about 20 s on"
                    + " this disk, at most 2000.")
    private @Nullable Long iterations;

    @Option(names = "--warmup", paramLabel = "N", description = "Requests of each cell before; default a quarter.")
    private @Nullable Long warmup;

    @Option(names = "--paper", description = "As in the published study: 100000 counted requests of each cell.")
    private boolean paper;

    @Option(names = "--seed", paramLabel = "S", description = "Decides order and payloads; default a random one.")
    private @Nullable Long seed;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        Path results = newDirectory(out != null ? out : Path.of("plog-results", "demo-" + STAMP.format(Instant.now())));
        Path logs = logDirectory(results);
        try {
            DemoPlan plan = plan(logs);
            checkSpace(logs, plan);
            err.println("plog demo: " + plan.iterations() + " requests of each size to each of "
                    + (plan.forces().size() + 1) + " targets; logs in " + logs);
            err.flush();
            return run(plan, results, logs);
        } finally {
            if (!keepLog) {
                delete(logs);
            }
        }
    }

    private int run(DemoPlan plan, Path results, Path logs) throws IOException, InterruptedException {
        MeasureRun.Outcome outcome;
        try (ServerProcess server = ServerProcess.start(results, plan.serverOptions(logs))) {
            outcome = measure(plan, results, server);
            if (server.isAlive()) {
                server.stop();
            } else {
                complain("the server ended in the middle; it said: " + server.lastLines());
            }
        }
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(TerminalSummary.of(outcome.results()));
        stdout.println();
        stdout.println("results: " + results.resolve(Report.RESULTS_FILE));
        stdout.println("report:  " + results.resolve(Report.HTML_FILE));
        stdout.flush();
        return exitCode(outcome);
    }

    private MeasureRun.Outcome measure(DemoPlan plan, Path results, ServerProcess server) throws IOException {
        MeasurePlan measurePlan = plan.measurePlan(server.port(), plan.command());
        try (MeasureRun run = MeasureRun.open(measurePlan, results, false, false)) {
            Interrupts.onFirst(run::stop);
            ProgressPrinter progress =
                    ProgressPrinter.onStandardError(spec.commandLine().getErr());
            try {
                return run.run(progress);
            } finally {
                progress.done();
            }
        } catch (PlanException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private DemoPlan plan(Path logs) throws IOException {
        List<Force> ways = forces.stream().map(Force::ofLabel).toList();
        List<Integer> bytes = sizes.stream().map(DemoCommand::bytes).toList();
        long counted = iterations != null
                ? iterations
                : paper ? MeasurePlan.PAPER_ITERATIONS : DemoPlan.fittingIterations(logs, ways, bytes);
        int blocks = (int) Math.max(1, Math.min(paper ? PAPER_BLOCKS : BLOCKS, counted));
        long before = warmup != null ? warmup : Math.min(MeasurePlan.DEFAULT_WARMUP, Math.max(1, counted / 4));
        long chosenSeed = seed != null ? seed : new SecureRandom().nextInt(Integer.MAX_VALUE);
        DemoPlan plan = new DemoPlan(ways, bytes, counted, before, blocks, chosenSeed);
        // Checks the numbers before a server is started for them.
        plan.measurePlan(1, plan.command());
        return plan;
    }

    private static int bytes(String text) {
        long bytes = ByteSize.parse(text);
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("size " + text + " is over what any server takes");
        }
        return (int) bytes;
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

    private Path logDirectory(Path results) throws IOException {
        if (logDir == null) {
            return Files.createDirectory(results.resolve("log"));
        }
        Path parent = logDir.toAbsolutePath().normalize();
        if (!Files.isDirectory(parent)) {
            throw new IOException("--log-dir " + logDir
                    + (Files.exists(parent) ? " is not a directory" : " does not exist")
                    + ": expected a directory on the disk to measure");
        }
        return Files.createTempDirectory(parent, "plog-demo-");
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

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
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
        spec.commandLine().getErr().println("plog demo: " + sentence);
        spec.commandLine().getErr().flush();
    }
}
