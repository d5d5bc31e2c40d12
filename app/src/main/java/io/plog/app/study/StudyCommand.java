package io.plog.app.study;

import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.LogsOption;
import io.plog.app.cli.MeasuringCommand;
import io.plog.app.cli.StopSignals;
import io.plog.host.CpuGroup;
import io.plog.measure.PlanException;
import io.plog.measure.Resumption;
import io.plog.measure.plan.Designs;
import io.plog.results.model.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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

    @Mixin
    private LogsOption logs;

    @Override
    protected ExitCode run() throws IOException, PlanException, InterruptedException {
        Designs plan = options.plan();
        if (options.dryRun()) {
            say(StudyDefaults.text(plan, command(), logs.orElse(Path.of("."))));
            return options.print(options.values());
        }
        checkLimits(plan);
        checkDirectory();
        DirectoryArgument disk = logs.orElse(directory());
        Path results = prepareDirectory();
        noteOthers(disk.directory());
        disk.checkRoom(StudyDefaults.spaceBytes(plan), "a --mix of smaller sizes");
        Path own = Files.createTempDirectory(disk.directory(), "plog-study-");
        try {
            return measure(plan, results, disk.in(own));
        } finally {
            Files.deleteIfExists(own);
        }
    }

    private ExitCode measure(Designs plan, Path results, DirectoryArgument logs)
            throws IOException, PlanException, InterruptedException {
        writePlan(options, options.values());
        Resumption before = resumption(plan);
        say(StudyDefaults.text(plan, command(), logs));
        announce(plan.seed(), 0);
        StudyRun run = new StudyRun(plan, command(), results, logs, this::say);
        StopSignals.onFirst(run::stop);
        return measure(Results.Kind.STUDY, results, before, run::run);
    }

    private String command() {
        return options.command(options.values());
    }

    private void checkLimits(Designs plan) throws IOException {
        if (!plan.levels().processors().isEmpty()) {
            CpuGroup.make(plan.levels().processors().get(0)).close();
        }
    }
}
