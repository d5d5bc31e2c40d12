package io.plog.app.recovery;

import io.plog.app.cli.Converters;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.LogOption;
import io.plog.app.cli.LogsOption;
import io.plog.app.cli.MeasuringCommand;
import io.plog.app.cli.PlanOptions;
import io.plog.app.cli.StopSignals;
import io.plog.measure.PlanException;
import io.plog.measure.Resumption;
import io.plog.measure.plan.Recovery;
import io.plog.results.model.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plog recovery}: how long a server takes to come back from {@code kill -9}. */
@Command(
        name = "recovery",
        description = {
            "Kills a server with kill -9 in the middle of a load and starts it again on its log: how long it takes until the"
                    + " first answer, for several lengths of the log and several distances between checkpoints.",
            "By default it takes about four minutes and 3 GB.",
            "Examples:",
            "  plog recovery",
            "  plog recovery --log-dir /mnt/ssd --requests 100k,1M --checkpoint none,16MiB,64MiB"
        })
public final class RecoveryCommand extends MeasuringCommand {
    @Mixin
    private LogsOption logs;

    @Mixin
    private Options options;

    /** What to measure. */
    public static final class Options extends PlanOptions {
        @Option(
                names = "--requests",
                paramLabel = "N",
                split = ",",
                defaultValue = "10k,2M",
                converter = Converters.Size.class,
                description = "After how many acknowledged requests to kill. Default: ${DEFAULT-VALUE}.")
        private List<Long> requests;

        @Option(
                names = "--checkpoint",
                paramLabel = "SIZE",
                split = ",",
                defaultValue = RecoveryRun.NONE + ",64MiB",
                description = "After how much log the server saves its state, or none. Default: ${DEFAULT-VALUE}.")
        private List<String> checkpoints;

        @Option(
                names = "--trials",
                paramLabel = "N",
                defaultValue = "5",
                description = "How often each server is killed, in random order. Default: ${DEFAULT-VALUE}.")
        private int trials;

        private Recovery recovery() {
            List<Long> bytes = checkpoints.stream().map(Options::bytes).toList();
            return new Recovery(requests, bytes, trials, seed());
        }

        private static long bytes(String checkpoint) {
            try {
                return LogOption.parse(Recovery.TARGET + "=log" + RecoveryRun.checkpoint(checkpoint))
                        .checkpointBytes();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "--checkpoint is '" + checkpoint + "', expected none or a size: " + e.getMessage(), e);
            }
        }
    }

    @Override
    protected ExitCode run() throws IOException, PlanException, InterruptedException {
        Recovery plan = options.recovery();
        if (options.dryRun()) {
            return options.print(options.values());
        }
        checkDirectory();
        DirectoryArgument disk = logs.orElse(directory());
        Path results = prepareDirectory();
        noteOthers(disk.directory());
        disk.checkRoom(RecoveryRun.spaceBytes(plan), "fewer --requests");
        Resumption before = resumption(plan);
        Path own = Files.createTempDirectory(disk.directory(), "plog-recovery-");
        writePlan(options, options.values());
        RecoveryRun run = new RecoveryRun(plan, before, disk.in(own), options.command(options.values()));
        announce(
                plan.seed(),
                (long) plan.trials()
                        * plan.requests().size()
                        * plan.checkpoints().size());
        StopSignals.onFirst(run::stop);
        return measure(Results.Kind.RECOVERY, results, before, run::run);
    }
}
