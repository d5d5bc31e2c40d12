package io.plog.app.study;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.MeasuringCommand;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.cli.StopSignals;
import io.plog.host.CpuGroup;
import io.plog.measure.PlanException;
import io.plog.measure.study.StudyPlan;
import io.plog.results.model.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plog study}: where latency comes from, by design and load, with a fresh server for each cell. */
@Command(
        name = "study",
        description = {
            "Compares servers that wait for the force of their log in different places: capacity,"
                    + " latency against load, fairness, bursts, components.",
            "Each trial has a fresh server of each design, in a process of its own, on loopback.",
            "Examples:",
            "  plog study --dry-run",
            "  plog study --designs inline,dedicated --loads 0.5,0.9 -d 5s -o results"
        })
public final class StudyCommand extends MeasuringCommand {
    @Mixin
    private StudyOptions options;

    @Option(
            names = "--log-dir",
            order = HelpGroups.WHERE,
            paramLabel = "DIR",
            description = "Directory on the disk to measure; the logs go into a new one inside. Default: within --out.")
    private @Nullable Path logDir;

    @Override
    protected ExitCode run() throws IOException, PlanException, InterruptedException {
        StudyPlan plan = options.plan();
        if (options.dryRun()) {
            Path disk = logDir != null
                    ? ResultsDirectory.checkLogDir(logDir)
                    : Path.of(".").toAbsolutePath().normalize();
            say(StudyDefaults.text(plan, disk));
            return options.print(options.values());
        }
        checkLimits(plan);
        Path parent = logDir == null ? null : ResultsDirectory.checkLogDir(logDir);
        Path results = prepareDirectory();
        Path logs = parent == null
                ? Files.createDirectories(results.resolve("log"))
                : Files.createTempDirectory(parent, "plog-study-");
        try {
            checkSpace(plan, logs, logs.toFile().getUsableSpace());
            return measure(plan, results, logs);
        } finally {
            Files.deleteIfExists(logs);
        }
    }

    private ExitCode measure(StudyPlan plan, Path results, Path logs)
            throws IOException, PlanException, InterruptedException {
        options.write(options.values(), results);
        say(StudyDefaults.text(plan, logs));
        StudyRun run = new StudyRun(plan, results, logs, this::say);
        StopSignals.onFirst(run::stop);
        return measure(Results.Kind.STUDY, results, run::run);
    }

    private void checkLimits(StudyPlan plan) throws IOException {
        if (!plan.levels().processors().isEmpty()) {
            CpuGroup.make(plan.levels().processors().get(0)).close();
        }
    }

    /** Refuses a study whose log has no room, before anything starts. */
    static void checkSpace(StudyPlan plan, Path logs, long freeBytes) throws IOException {
        long needed = StudyDefaults.spaceBytes(plan);
        if (freeBytes < needed) {
            throw new IOException("the logs of a trial need up to " + (needed >> 20) + " MiB, but " + logs.getParent()
                    + " has " + (freeBytes >> 20)
                    + " free; name another place with --log-dir, or a --mix of smaller sizes");
        }
    }
}
