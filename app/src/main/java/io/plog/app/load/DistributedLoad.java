package io.plog.app.load;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.HostPort;
import io.plog.app.cli.ProgressPrinter;
import io.plog.app.cli.ResultOptions;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.cli.StopSignals;
import io.plog.measure.PlanException;
import io.plog.measure.load.LoadCoordinator;
import io.plog.measure.load.LoadPlan;
import io.plog.measure.load.LoadRun;
import io.plog.measure.load.LoadWorker;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.report.results.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Both sides of a load that several processes share: the coordinator and a worker. Stateless. */
final class DistributedLoad {
    private static final String PARTS = "parts";
    private static final String LOOPBACK = "127.0.0.1";

    private DistributedLoad() {}

    /** Coordinates a load and writes its results. */
    static Results coordinate(String at, LoadPlan plan, Path directory, ResultOptions options, PrintWriter err)
            throws IOException, PlanException {
        HostPort address = HostPort.parse("--coordinate", at.indexOf(':') < 0 ? LOOPBACK + ":" + at : at);
        try (LoadCoordinator coordinator = LoadCoordinator.listen(address.host(), address.port())) {
            ResultsDirectory.prepare(directory, options.overwrite());
            Path parts = Files.createDirectories(directory.resolve(PARTS));
            err.println("waiting for " + plan.parts() + " workers: plog load --join " + address.host() + ":"
                    + coordinator.port());
            StopSignals.onFirst(coordinator::stop);
            coordinator.run(plan, directory.resolve(SampleFileWriter.FILE_NAME), parts, note -> err.println(note));
            Files.delete(parts);
            return ResultsDirectory.writeReport(directory, options.csv());
        }
    }

    /** Takes part in a load. */
    static ExitCode join(String coordinator, @Nullable String server, @Nullable Path out, PrintWriter err)
            throws IOException, PlanException {
        HostPort address = HostPort.parse("--join", coordinator);
        HostPort own = server == null ? null : HostPort.parse(server);
        Path directory = out != null ? Files.createDirectories(out) : Files.createTempDirectory("plog-worker");
        Path samples = directory.resolve("worker-" + ProcessHandle.current().pid() + ".plog");
        try (LoadWorker worker = LoadWorker.join(
                address.host(), address.port(), own == null ? null : own.host(), own == null ? 0 : own.port())) {
            LoadPlan plan = worker.plan();
            err.println("part " + (plan.part() + 1) + " of " + plan.parts() + ": " + plan.ownConnections() + " of "
                    + plan.connections() + " connections; " + plan.command());
            StopSignals.onFirst(worker::stop);
            LoadProgressPrinter progress = new LoadProgressPrinter(err, ProgressPrinter.standardErrorIsTerminal());
            LoadRun.Outcome outcome;
            try {
                outcome = worker.run(samples, progress);
            } finally {
                progress.done();
            }
            Files.delete(samples);
            err.println("handed over " + outcome.summary().sent() + " requests"
                    + (outcome.end().partial()
                            ? "; it ended early: " + outcome.end().reason()
                            : ""));
            return outcome.end().partial() ? ExitCode.NOT_VALID : ExitCode.DONE;
        } finally {
            if (out == null && !Files.exists(samples)) {
                Files.delete(directory);
            }
        }
    }
}
