package io.plog.app.disk;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.SizeConverter;
import io.plog.app.cli.StopSignals;
import io.plog.log.Force;
import io.plog.measure.disk.DiskCell;
import io.plog.measure.disk.DiskPlan;
import io.plog.measure.disk.DiskRun;
import io.plog.measure.disk.FileKind;
import io.plog.measure.disk.MeasuredDirectory;
import io.plog.measure.disk.TurnLimit;
import io.plog.report.disk.DiskReport;
import io.plog.report.disk.DiskResults;
import io.plog.report.disk.DiskText;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plog disk DIR...}: what each way of forcing costs there, and whether that can be believed. */
@Command(
        name = "disk",
        mixinStandardHelpOptions = true,
        description = {
            "Measures what each way of forcing costs in a directory, and says whether the figures look like those of stable"
                    + " media.",
            "Everything is written into a subdirectory, which is removed at the end. Nothing else should use the disk"
                    + " or the processors meanwhile."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:measured; the verdict is in the output",
            "1:a directory cannot be used, its disk is full, or it was interrupted (what was measured is printed)",
            "2:misused"
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class DiskCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", arity = "1..*", description = "Directories to measure, interleaved.")
    private List<Path> paths;

    @Option(
            names = "--force",
            paramLabel = "MODES",
            split = ",",
            defaultValue = "write,fdatasync,fsync,dsync,direct",
            description = "Ways of forcing; default ${DEFAULT-VALUE}. One that the file system lacks is reported as not"
                    + " available.")
    private List<String> forces;

    @Option(
            names = "--sizes",
            paramLabel = "SIZES",
            split = ",",
            defaultValue = "512,4Ki,16Ki,64Ki,256Ki,1Mi",
            description = "Sizes of an append (k is 1000, Ki 1024), at most 4Mi; default ${DEFAULT-VALUE}.")
    private List<String> sizes;

    @Option(
            names = "--shared",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2,4,8,16,32,64",
            description =
                    "Numbers of appends that share a force, besides one; default ${DEFAULT-VALUE}. Groups over 4 MiB"
                            + " are left out.")
    private List<Integer> shared;

    @Option(
            names = "--files",
            paramLabel = "KINDS",
            split = ",",
            defaultValue = "initialised,growing",
            description = "Kinds of files: initialised (written in full before), growing (each append makes it longer);"
                    + " default ${DEFAULT-VALUE}.")
    private List<String> files;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "25s",
            description = "How long to measure each directory; default ${DEFAULT-VALUE}. A slow disk takes longer: each"
                    + " cell is measured at least once.")
    private Duration duration;

    @Option(
            names = "--max-write",
            paramLabel = "SIZE",
            defaultValue = "8Gi",
            converter = SizeConverter.class,
            description = "Most bytes to write into each directory, besides the initialisation of the files; default"
                    + " ${DEFAULT-VALUE}.")
    private long maxWrite;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of order and content; default a random one.")
    private @Nullable Long seed;

    @Option(names = "--json", description = "Print one JSON object with every distribution.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        DiskPlan plan = plan();
        // Checked before anything is written, as if every way were available.
        TurnLimit turns = TurnLimit.within(plan.maxWriteBytes(), plan.cells(plan.openedForces()));
        List<MeasuredDirectory> directories = new CopyOnWriteArrayList<>();
        Thread removal = new Thread(() -> removeAll(directories), "plog-disk-removal");
        Runtime.getRuntime().addShutdownHook(removal);
        try {
            for (Path path : plan.directories()) {
                directories.add(MeasuredDirectory.open(path, plan.occupiedBytes()));
            }
            announce(plan, turns, directories);
            DiskResults results = measure(plan, directories);
            print(results);
            return results.partial().partial() ? ExitCode.FAILED.code() : ExitCode.DONE.code();
        } finally {
            removeAll(directories);
            keep(removal);
        }
    }

    private DiskPlan plan() {
        return new DiskPlan(
                paths.stream().map(path -> path.toAbsolutePath().normalize()).toList(),
                forces.stream().map(Force::ofLabel).toList(),
                sizes.stream().map(SizeConverter::parseInt).toList(),
                shared,
                files.stream().map(FileKind::ofLabel).toList(),
                duration.toNanos() / 1e9,
                maxWrite,
                seed != null ? seed : new SecureRandom().nextInt(Integer.MAX_VALUE));
    }

    private void announce(DiskPlan plan, TurnLimit turns, List<MeasuredDirectory> directories) {
        List<DiskCell> cells = plan.cells(plan.openedForces());
        long initialised = plan.kinds().contains(FileKind.INITIALISED)
                ? (long) plan.openedForces().size() * DiskPlan.FILE_BYTES
                : 0;
        for (MeasuredDirectory directory : directories) {
            complain(String.format(
                    Locale.ROOT,
                    "%s: %d cells in %d randomised blocks; writes at most %.1f GiB, occupies at most %.1f GiB of %.1f free;"
                            + " in %s, removed at the end",
                    directory.path(),
                    cells.size(),
                    DiskPlan.BLOCKS,
                    gibibytes(turns.boundBytes(cells) + initialised),
                    gibibytes(plan.occupiedBytes()),
                    gibibytes(Long.parseLong(directory.facts().get("freeBytes"))),
                    directory.scratch()));
        }
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        int processors = Runtime.getRuntime().availableProcessors();
        if (load > processors) {
            complain(String.format(
                    Locale.ROOT,
                    "note: the load is %.1f on %d processors; the figures will include waiting for a processor",
                    load,
                    processors));
        }
        complain(String.format(
                Locale.ROOT, "measures for about %.0f s, seed %d", plan.seconds() * directories.size(), plan.seed()));
    }

    private static double gibibytes(long bytes) {
        return bytes / (double) (1 << 30);
    }

    private static DiskResults measure(DiskPlan plan, List<MeasuredDirectory> directories) throws IOException {
        String startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        DiskRun run = new DiskRun(plan, directories, System::nanoTime);
        StopSignals.onFirst(run::stop);
        run.run();
        return DiskReport.of(plan, directories, run, startedAt);
    }

    private void print(DiskResults results) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? JsonText.pretty(results) : DiskText.of(results));
        out.flush();
        if (results.partial().partial()) {
            complain(results.partial().reason());
        }
    }

    private void complain(String sentence) {
        spec.commandLine().getErr().println("plog disk: " + sentence);
        spec.commandLine().getErr().flush();
    }

    private void removeAll(List<MeasuredDirectory> directories) {
        for (MeasuredDirectory directory : directories) {
            try {
                directory.close();
            } catch (IOException e) {
                complain("could not remove " + directory.scratch() + ": " + e.getMessage() + "; remove it yourself");
            }
        }
    }

    private static void keep(Thread removal) {
        try {
            Runtime.getRuntime().removeShutdownHook(removal);
        } catch (IllegalStateException shuttingDown) {
            // Then it runs already, and finds nothing left.
        }
    }
}
