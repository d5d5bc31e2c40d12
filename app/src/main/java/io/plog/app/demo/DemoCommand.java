package io.plog.app.demo;

import io.plog.app.cli.BookKeeperJars;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.MeasuringCommand;
import io.plog.app.cli.StopSignals;
import io.plog.app.measure.GridOptions;
import io.plog.app.measure.MeasureRun;
import io.plog.client.Credentials;
import io.plog.log.storage.Force;
import io.plog.measure.HostPort;
import io.plog.measure.MeasureOrder;
import io.plog.measure.PlanException;
import io.plog.measure.plan.Warmup;
import io.plog.results.model.Results;
import io.plog.simdisk.DeviceModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plog demo}: the whole experiment in one go, against a server in a process of its own. */
@Command(
        name = "demo",
        description = {
            "Starts a server on loopback, measures with and without logging, and writes the report.",
            "Examples:",
            "  plog demo",
            "  plog demo --log-dir /mnt/ssd --force fdatasync,dsync -o results"
        })
public final class DemoCommand extends MeasuringCommand {
    private static final List<String> DEFAULT_FORCES = List.of(Force.FDATASYNC.label(), Force.WRITE.label());

    @Option(
            names = "--log-dir",
            paramLabel = "[NAME=]DIR",
            description = "Directory on the disk to measure; the logs go into a new one inside. Default: within --out."
                    + " Repeatable: several disks are measured side by side, forced alike, each as a target of its own:"
                    + " hdd=DIR is fdatasync-hdd in each figure and claim; without names they are fdatasync-a,"
                    + " fdatasync-b, ... in the order of the options.")
    private @Nullable List<String> logDirs;

    @Option(
            names = "--disks",
            paramLabel = "MODELS",
            split = ",",
            description =
                    "Simulated disks to measure side by side, as hdd,ssd,nvme: each is a target fdatasync-simulated-hdd,"
                            + " and no figure is one of a real disk. Their files go into --out. Models: "
                            + DeviceModel.NAMES + ".")
    private @Nullable List<String> disks;

    @Option(
            names = "--force",
            paramLabel = "WAYS",
            split = ",",
            description = "Ways of forcing to measure, besides off (no logging): write (optimistic: answered before"
                    + " the operating system forces), fdatasync, fsync, dsync,"
                    + " direct; and r1 and r3, see --replicated. Default: fdatasync,write, of several disks"
                    + " fdatasync alone.")
    private @Nullable List<String> forces;

    @Option(
            names = "--replicated",
            description =
                    "Measure what a quorum costs besides the force: fdatasync on this machine, a log on one bookie (r1) and one"
                            + " that waits for two of three (r3). Starts ZooKeeper and three bookies, all on this machine and on the"
                            + " disk of the other log; BookKeeper must be next to the program.")
    private boolean replicated;

    @Option(
            names = "--link",
            paramLabel = "RATE",
            description = "1gbit: put server and client into network namespaces of their own, joined by a link of 1"
                    + " Gbit/s, as in the book. Needs root and iproute2. Default: the loopback.")
    private @Nullable String link;

    @Mixin
    private GridOptions options;

    @Option(
            names = "--view",
            description = "Show the page while it is measured, in the browser if there is one, and until Ctrl-C.")
    private boolean view;

    @Override
    protected ExitCode run() throws IOException, InterruptedException, PlanException {
        DemoPlan shape = shape(); // before anything is made
        DemoLink.check(link);
        if (link != null && !shape.ways().quorums().isEmpty()) {
            throw new IllegalArgumentException("--link is " + link + ": a server behind it does not reach the bookies");
        }
        if (options.dryRun()) {
            return dryRun(shape);
        }
        if (!shape.ways().quorums().isEmpty()) {
            BookKeeperJars.classPath();
        }
        Path results = prepareDirectory();
        for (DemoDisk disk : shape.disks()) {
            noteOthers(disk.directory(results));
        }
        List<Path> logs = DemoDisk.create(results, shape.disks());
        try {
            return measure(isResumed() ? shape : plan(shape, logs), results, logs);
        } finally {
            for (Path disk : logs) {
                Files.deleteIfExists(disk);
            }
        }
    }

    private ExitCode measure(DemoPlan plan, Path results, List<Path> logs)
            throws IOException, InterruptedException, PlanException {
        for (Path disk : logs) {
            new DirectoryArgument(disk, null).checkRoom(plan.spaceBytes(), "fewer --iterations");
        }
        complain(plan.plan().iterations() + " requests of each size to each of " + (plan.loggedTargets() + 1)
                + " targets"
                + (plan.plan().trials() == 1 ? "" : " in " + plan.plan().trials() + " trials") + "; logs in "
                + logs.stream().map(Path::toString).collect(Collectors.joining(", ")));
        try (DemoLink between = DemoLink.open(link);
                DemoServers servers = new DemoServers(plan, results, logs, between, this::complain);
                DemoView shown = view ? new DemoView(results) : null) {
            writePlan(options, options.values(plan.plan()));
            MeasureRun run = new MeasureRun(order(plan), results, servers);
            if (shown != null) {
                complain("watch it at " + shown.address());
            }
            StopSignals.onFirst(run::stop);
            ExitCode code = measure(Results.Kind.RUN, results, run::run);
            if (shown != null && code != ExitCode.FAILED) {
                complain("see it at " + shown.address() + " until Ctrl-C");
                shown.await();
            }
            return code;
        }
    }

    private ExitCode dryRun(DemoPlan shape) throws IOException {
        List<Path> places = new ArrayList<>();
        for (DemoDisk disk : shape.disks()) {
            places.add(DemoDisk.existing(disk.directory(directory())));
        }
        if (places.isEmpty()) {
            places.add(DemoDisk.existing(directory()));
        }
        return options.print(options.values(plan(shape, places).plan()));
    }

    /** What is asked for, with as many requests as a fast disk gets unless their number is given. */
    private DemoPlan shape() {
        if (forces != null && replicated) {
            throw new IllegalArgumentException("--replicated measures " + String.join(",", DemoWays.REPLICATED)
                    + ": leave it out and name them in --force, or leave --force out");
        }
        return plan(DemoPlan.MOST_ITERATIONS);
    }

    /** With as many requests as fit into a short run, unless their number is given. */
    private DemoPlan plan(DemoPlan shape, List<Path> places) throws IOException {
        return plan(DemoPlan.fittingIterations(shape.secondsOfOne(places)));
    }

    private DemoPlan plan(long usual) {
        List<String> where = Stream.concat(
                        (logDirs == null ? List.<String>of() : logDirs).stream(),
                        (disks == null ? List.<String>of() : disks).stream().map(model -> "sim:" + model))
                .map(option -> DemoDisk.parse(option).text())
                .toList();
        List<String> ways = replicated
                ? DemoWays.REPLICATED
                : forces != null ? forces : where.size() > 1 ? List.of(Force.FDATASYNC.label()) : DEFAULT_FORCES;
        long warmup = Math.max(1, Math.min(Warmup.DEFAULT_MOST, options.iterations(usual) / 2));
        return DemoPlan.of(options.plan("", List.of(), ways, where, usual, Warmup.untilSteady(warmup)));
    }

    private MeasureOrder order(DemoPlan plan) {
        return new MeasureOrder(
                new HostPort("127.0.0.1", 1), // each trial's server has its own
                Credentials.NONE,
                plan.plan(),
                null,
                options.command(options.values(plan.plan())));
    }
}
