package io.plog.app.load;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.ProgressPrinter;
import io.plog.app.cli.ResultOptions;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.cli.RunProgress;
import io.plog.app.cli.StopSignals;
import io.plog.client.Credentials;
import io.plog.measure.HostPort;
import io.plog.measure.HttpService;
import io.plog.measure.PlanException;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.load.LoadPlan;
import io.plog.measure.load.LoadRun;
import io.plog.measure.load.StartSignal;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.results.TerminalSummary;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Runs a load on a target, writes the results and prints them. For one command. */
final class LoadRunner {
    private final LoadOptions options;
    private final ResultOptions output;
    private final PrintWriter stdout;
    private final PrintWriter err;
    private volatile @Nullable LoadRun current;
    private volatile boolean stopAsked;

    LoadRunner(LoadOptions options, ResultOptions output, PrintWriter stdout, PrintWriter err) {
        this.options = options;
        this.output = output;
        this.stdout = stdout;
        this.err = err;
    }

    /**
     * Runs the load.
     *
     * @param server as {@code --server} says it
     * @param named the target; null for the only one that the server logs
     * @throws IllegalArgumentException if options do not go together
     * @throws PlanException if the server cannot take the load
     */
    ExitCode run(String server, Credentials shown, @Nullable String named, @Nullable LedgerOptions ledger)
            throws IOException, PlanException {
        Instant startAt = options.startAt();
        // Options are wrong or right whatever the server says.
        LoadPlan unnamed = options.plan(server, named == null ? "" : named);
        HttpService http = unnamed.http();
        if (http != null && named != null) {
            throw new IllegalArgumentException("--target is '" + named + "', and the server is " + http
                    + ": a service that is measured over HTTP has none");
        }
        Path directory = output.directory();
        Credentials credentials = http == null ? shown : http.with(shown);
        LoadPlan plan = (named == null && http == null
                        ? options.plan(server, onlyTarget(unnamed.servers(), credentials))
                        : unnamed)
                .ledger(ledger)
                .credentials(credentials);
        ResultsDirectory.check(directory, output.overwrite());
        LoadRun.open(plan);
        if (options.dryRun()) {
            return options.print(options.values(plan.place(), plan.target()));
        }
        err.println("seed " + plan.seed() + "; results go to " + directory);
        StopSignals.onFirst(this::stop);
        if (startAt != null) {
            await(startAt);
        }
        return finish(measure(plan, directory, startAt), directory);
    }

    /** Waits until it is time to prepare the load. */
    private void await(Instant startAt) throws PlanException {
        err.println("begins at " + startAt
                + " by this machine's clock; plog report --merge says by how much the clocks of" + " several differ");
        while (Instant.now().isBefore(startAt.minus(StartTime.PREPARATION))) {
            if (stopAsked) {
                throw new PlanException("interrupted before the load began");
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static String onlyTarget(List<HostPort> servers, Credentials credentials)
            throws IOException, PlanException {
        List<String> logged = LoadRun.loggedTargets(servers, credentials);
        if (logged.size() != 1) {
            throw new PlanException("a load goes to one target, and the server has "
                    + (logged.isEmpty() ? "none that is logged" : String.join(", ", logged))
                    + ": name it with --target");
        }
        return logged.get(0);
    }

    private Results measure(LoadPlan plan, Path directory, @Nullable Instant startAt)
            throws IOException, PlanException {
        ProgressPrinter progress = ProgressPrinter.onStandardError(err);
        LoadRun run = LoadRun.open(plan);
        current = run;
        if (stopAsked) {
            run.stop();
        }
        try {
            ResultsDirectory.prepare(directory, output.overwrite());
            options.write(options.values(plan.place(), plan.target()), directory);
            try (RunProgress file = new RunProgress(directory, Results.Kind.LOAD.label())) {
                run.run(
                        directory.resolve(SampleFileWriter.FILE_NAME),
                        startAt == null ? StartSignal.NOW : StartSignal.at(startAt),
                        now -> {
                            file.at(now.done(), now.total(), now.line());
                            progress.progress(now);
                        });
                return ResultsDirectory.writeReport(directory, output.csv());
            }
        } finally {
            progress.done();
        }
    }

    /** Prints results that are written, and judges them. */
    private ExitCode finish(Results results, Path directory) {
        stdout.print(output.json() ? ResultsFile.json(results) : TerminalSummary.of(results));
        stdout.flush();
        err.println("report: " + directory.resolve(ResultsFile.HTML));
        // A load that ended early is not valid; its checks say so.
        return ExitCode.ofResults("the run", "", results.validity(), sentence -> err.println("plog load: " + sentence));
    }

    private void stop() {
        stopAsked = true;
        LoadRun run = current;
        if (run != null) {
            run.stop();
        }
    }
}
