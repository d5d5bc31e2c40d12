package io.plog.app.measure;

import io.plog.app.cli.Failure;
import io.plog.app.cli.HostPort;
import io.plog.app.cli.Interrupts;
import io.plog.app.cli.ProgressPrinter;
import io.plog.app.cli.ResultsDirectory;
import io.plog.measure.PlanException;
import io.plog.measure.PlanFile;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.load.LoadPlan;
import io.plog.measure.load.LoadRun;
import io.plog.report.Report;
import io.plog.report.TerminalSummary;
import io.plog.report.results.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code plog measure --load}: one load, or one on each of several targets in turn, and what it prints. */
final class LoadCommand {
    private final LoadOptions options;
    private final Output output;
    private volatile @Nullable LoadCommandRun current;
    private volatile boolean stopAsked;

    /**
     * Where results go and what is printed.
     *
     * @param out null for a directory named for the moment
     */
    record Output(@Nullable Path out, boolean force, boolean csv, boolean json, PrintWriter stdout, PrintWriter err) {}

    LoadCommand(LoadOptions options, Output output) {
        this.options = options;
        this.output = output;
    }

    /**
     * Runs it.
     *
     * @param named targets; null for the server's only logged one
     * @param common options that the grid has, too
     * @return the exit code
     * @throws IllegalArgumentException if options do not go together
     */
    int run(
            HostPort server,
            @Nullable List<String> named,
            PlanFile common,
            @Nullable LedgerOptions ledger,
            boolean dryRun)
            throws IOException, PlanException {
        if (ledger != null && ledger.forceEach()) {
            throw new IllegalArgumentException(
                    "--ledger-force waits for the disk between requests, which would stop a load:" + " leave it out");
        }
        String coordinate = options.coordinate();
        if (coordinate != null && ledger != null) {
            throw new IllegalArgumentException("--ledger is one process's file, and --coordinate shares the load among"
                    + " several: leave one of them out");
        }
        // Options are wrong or right whatever the server says.
        options.plan(server, named == null ? "" : named.get(0), common);
        List<String> targets = named != null ? named : List.of(onlyTarget(server));
        long seed = options.plan(server, targets.get(0), common).seed();
        Path directory = output.out != null ? output.out : ResultsDirectory.byTime(Instant.now());
        List<LoadPlan> plans = new ArrayList<>();
        for (String target : targets) {
            plans.add(options.plan(server, target, common).toBuilder()
                    .seed(seed)
                    .ledger(ledger)
                    .build());
            ResultsDirectory.check(of(directory, target, targets), output.force);
        }
        if (coordinate != null && targets.size() > 1) {
            throw new IllegalArgumentException("--coordinate runs one load: name one target");
        }
        for (LoadPlan plan : plans) {
            // As one of so many processes would have to hold it.
            LoadRun.open(plan.toBuilder().part(0, options.workers()).build());
        }
        if (dryRun) {
            plans.forEach(plan -> output.stdout.println(plan.command()));
            output.stdout.flush();
            return Failure.DONE;
        }
        output.err.println("seed " + seed + "; results go to " + directory);
        Interrupts.onFirst(this::stop);
        int worst = Failure.DONE;
        for (LoadPlan plan : plans) {
            Path results = of(directory, plan.target(), targets);
            if (coordinate != null) {
                LoadPlan shared = plan.toBuilder().part(0, options.workers()).build();
                worst = Math.max(worst, finish(LoadTogether.coordinate(coordinate, shared, results, output), results));
            } else if (!stopAsked) {
                worst = Math.max(worst, run(plan, results));
            }
        }
        return worst;
    }

    private static Path of(Path directory, String target, List<String> targets) {
        return targets.size() == 1 ? directory : directory.resolve(target);
    }

    private static String onlyTarget(HostPort server) throws IOException, PlanException {
        List<String> logged = LoadRun.loggedTargets(server.host(), server.port());
        if (logged.size() != 1) {
            throw new PlanException("a load goes to one target at a time, and the server has "
                    + (logged.isEmpty() ? "none that is logged" : String.join(", ", logged))
                    + ": name one with --targets, or several to be loaded in turn");
        }
        return logged.get(0);
    }

    private int run(LoadPlan plan, Path directory) throws IOException, PlanException {
        LoadPrinter progress = new LoadPrinter(output.err, ProgressPrinter.standardErrorIsTerminal());
        LoadCommandRun run = LoadCommandRun.open(plan, directory, output.csv);
        current = run;
        if (stopAsked) {
            run.stop();
        }
        Results results;
        try {
            results = run.run(output.force, progress);
        } finally {
            progress.done();
        }
        return finish(results, directory);
    }

    /** Prints results that are written, and judges them. */
    int finish(Results results, Path directory) {
        output.stdout.print(output.json ? Report.json(results) : TerminalSummary.of(results));
        output.stdout.flush();
        output.err.println("report: " + directory.resolve(Report.HTML_FILE));
        for (Results.Validity check : results.validity()) {
            if (!check.ok() && check.severity() == Results.Severity.INVALID) {
                output.err.println("plog measure: the run is not valid: " + check.detail());
                return Failure.NOT_VALID;
            }
        }
        return Failure.DONE;
    }

    private void stop() {
        stopAsked = true;
        LoadCommandRun run = current;
        if (run != null) {
            run.stop();
        }
    }
}
