package io.plog.app.disk;

import io.plog.app.cli.Converters;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.GateOptions;
import io.plog.app.cli.MeasuringCommand;
import io.plog.app.cli.PlanOptions;
import io.plog.app.cli.StopSignals;
import io.plog.client.ClientOptions;
import io.plog.host.MachineFacts;
import io.plog.log.storage.Force;
import io.plog.measure.EventRecording;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.Resumption;
import io.plog.measure.disk.DiskRun;
import io.plog.measure.disk.DiskTargets;
import io.plog.measure.disk.LikeProduct;
import io.plog.measure.disk.MeasuredDirectory;
import io.plog.measure.disk.TurnLimit;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.DiskCell;
import io.plog.measure.plan.FileKind;
import io.plog.measure.plan.Neighbour;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.results.Analysis;
import io.plog.results.DiskSummary;
import io.plog.results.compare.Assessor;
import io.plog.results.model.DiskCells;
import io.plog.results.model.Results;
import io.plog.simdisk.DeviceModel;
import io.plog.stats.text.ByteSize;
import io.plog.stats.text.Labelled;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog disk DIR...}: what each way of forcing costs there, and whether that can be believed. */
@Command(
        name = "disk",
        description = {
            "Measures what a durable append costs in a directory with each way of forcing, and says whether the figures look"
                    + " like those of stable media. It ends when the 99th percentiles are known well enough and every gate is"
                    + " decided.",
            "Other sizes, files and neighbours are measured when they are asked for: --sizes 512,4Ki,64Ki,1Mi --files"
                    + " initialised,growing,random --neighbours log,reads.",
            "Everything is written into a subdirectory, which is removed at the end. Nothing else should use the disk"
                    + " or the processors meanwhile.",
            "Examples:",
            "  plog disk /mnt/ssd",
            "  plog disk -d 10s --fail-if 'log.p99@force=fdatasync > 5ms' /mnt/ssd"
        })
public final class DiskCommand extends MeasuringCommand {
    /** The fact of the machine with its load average when the measurement began. */
    private static final String LOAD_FACT = "loadAverage";

    @Parameters(
            paramLabel = "DIR",
            arity = "0..*",
            description = {
                "Directories to measure, interleaved. sim:MODEL@DIR measures a simulated disk with its files in DIR.",
                "Models: " + DeviceModel.NAMES + "."
            })
    private List<String> paths = List.of();

    @Option(
            names = "--for",
            paramLabel = "PRODUCT",
            description =
                    "Append and force as etcd, postgresql, redis or kafka does, and hold the figures against"
                            + " what its documentation asks of a disk. Takes the place of --force, --sizes, --shared and --files.")
    private @Nullable String product;

    @Option(
            names = "--force",
            paramLabel = "WAYS",
            split = ",",
            defaultValue = "write,fdatasync,fsync,dsync,direct",
            description =
                    "Ways of forcing. Default: ${DEFAULT-VALUE}. One that the file system lacks is reported as not"
                            + " available.")
    private List<String> forces;

    @Option(
            names = "--sizes",
            paramLabel = "SIZES",
            split = ",",
            defaultValue = "4Ki",
            description = "Sizes of an append (k is 1000, Ki 1024), at most 4Mi. Default: ${DEFAULT-VALUE}.")
    private List<String> sizes;

    @Option(
            names = "--shared",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,8,64",
            description =
                    "Numbers of appends that share a force, besides one. Default: ${DEFAULT-VALUE}. Groups over 4 MiB"
                            + " are left out.")
    private List<Integer> shared;

    @Option(
            names = "--files",
            paramLabel = "KINDS",
            split = ",",
            defaultValue = "initialised",
            description = "Kinds of files: initialised (written in full before), growing (each append makes it longer),"
                    + " random (initialised, and each append goes to a random place). Default: ${DEFAULT-VALUE}.")
    private List<String> files;

    @Option(
            names = "--neighbours",
            paramLabel = "WHO",
            split = ",",
            defaultValue = "none",
            description =
                    "Who else uses the disk in some more turns, which are measured with one way of forcing: log (a"
                            + " second log that appends and forces 4 KiB without pause), reads (4 KiB at random places, around the"
                            + " page cache), or none. Default: ${DEFAULT-VALUE}.")
    private List<String> neighbours;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            defaultValue = "30s",
            description =
                    "How long to measure each directory at most. Default: ${DEFAULT-VALUE}. It ends earlier when the"
                            + " interval of each 99th percentile is at most a quarter of it wide. A slow disk takes longer: each"
                            + " cell is measured at least once.")
    private Duration duration;

    @Option(
            names = "--max-write",
            paramLabel = "SIZE",
            defaultValue = "8Gi",
            converter = Converters.Size.class,
            description = "Most bytes to write into each directory, besides the initialisation of the files. Default:"
                    + " ${DEFAULT-VALUE}.")
    private long maxWrite;

    @Mixin
    private PlanOptions options;

    @Mixin
    private GateOptions gates;

    @Override
    protected ExitCode run() throws IOException, PlanException, InterruptedException {
        LikeProduct product = product();
        if (isResumed() != paths.isEmpty()) {
            throw new IllegalArgumentException(
                    isResumed()
                            ? "--resume measures the directories that were measured, so none can be named with it"
                            : "no directory is named: expected DIR, one or more");
        }
        if (isResumed()) {
            paths = measuredBefore();
        }
        Directories plan = plan();
        Assessor.check(holdAgainst(gates), DiskTargets.planned(plan));
        // Checked before anything is written, as if every way were available.
        TurnLimit turns = TurnLimit.within(plan.maxWriteBytes(), plan.cells(plan.openedForces()));
        if (options.dryRun()) {
            return options.print(options.values());
        }
        checkDirectory();
        List<MeasuredDirectory> directories = new CopyOnWriteArrayList<>();
        Thread removal = new Thread(() -> removeAll(directories), "plog-disk-removal");
        Runtime.getRuntime().addShutdownHook(removal);
        try {
            for (DirectoryArgument each : arguments()) {
                noteOthers(each.directory());
                directories.add(
                        MeasuredDirectory.open(each.name(), each.directory(), plan.occupiedBytes(), each.opener()));
            }
            double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
            announce(plan, turns, directories, load);
            return measure(plan, directories, load, product);
        } finally {
            removeAll(directories);
            keep(removal);
        }
    }

    private List<String> measuredBefore() throws IOException {
        try (SampleFileReader reader = SampleFileReader.open(directory().resolve(SampleFileWriter.FILE_NAME))) {
            return reader.info().plan().targets();
        }
    }

    /** Whose way of appending is asked for; sets the options that say it. */
    private @Nullable LikeProduct product() {
        if (this.product == null) {
            return null;
        }
        LikeProduct product = Labelled.of("for", this.product, LikeProduct.values());
        for (String option : List.of("--force", "--sizes", "--shared", "--files")) {
            if (spec().commandLine().getParseResult().hasMatchedOption(option)) {
                throw new IllegalArgumentException("--for " + this.product + " and " + option + " exclude each other");
            }
        }
        forces = List.of("write", product.force().label());
        sizes = List.of(Integer.toString(product.bytes()));
        shared = List.of(1);
        files = List.of(product.file().label());
        return product;
    }

    private ExitCode measure(
            Directories plan, List<MeasuredDirectory> directories, double load, @Nullable LikeProduct product)
            throws IOException, PlanException, InterruptedException {
        Instant startedAt = Instant.now();
        Resumption before = resumption(plan);
        DiskRun run = new DiskRun(plan, directories, before, System::nanoTime);
        StopSignals.onFirst(run::stop);
        Map<String, String> machine = new TreeMap<>(MachineFacts.collect());
        machine.put(LOAD_FACT, String.format(Locale.ROOT, "%.1f", load));
        if (product != null) {
            machine.put(DiskSummary.PRODUCT_FACT, product.sentence());
        }
        run.prepare();
        RunInfo info = run.info(command(plan), startedAt, machine);
        Path results = prepareDirectory();
        writePlan(options, options.values());
        return measure(Results.Kind.DISK, results, before, listener -> sample(run, info, before, listener));
    }

    private void sample(DiskRun run, RunInfo info, Resumption before, ProgressListener listener)
            throws IOException, PlanException {
        try (EventRecording events = new EventRecording(null, ClientOptions.defaults(), 0, info);
                SampleFileWriter writer = before.writer(info, 0)) {
            run.run(
                    writer,
                    () -> listener.progress(new ProgressListener.Progress(
                            run.blocksDone(),
                            Directories.MOST_BLOCKS,
                            "block " + (run.blocksDone() + 1) + " of at most " + Directories.MOST_BLOCKS)),
                    () -> isEnough(before.file()));
            events.writeTo(writer, run.begunNanos());
            writer.end(run.end());
        }
    }

    /** Whether what is measured so far bounds every 99th percentile well, and decides every gate. */
    private boolean isEnough(Path soFar) {
        try (SampleFileReader source = SampleFileReader.open(soFar)) {
            Results results = Analysis.results(source);
            return DiskCells.areKnown(results)
                    && Assessor.ofGates(source, results, gates.gates(), gates.strict())
                            .allDecided();
        } catch (IOException e) {
            return false; // who writes that file says what is wrong with it
        }
    }

    private String command(Directories plan) {
        return options.command(options.values())
                + plan.directories().stream().map(path -> " " + path).collect(Collectors.joining());
    }

    private List<DirectoryArgument> arguments() {
        return paths.stream().map(DirectoryArgument::parse).toList();
    }

    private Directories plan() {
        return new Directories(
                arguments().stream().map(DirectoryArgument::name).toList(),
                forces.stream().map(Force::ofLabel).toList(),
                sizes.stream().map(ByteSize::parseInt).toList(),
                shared,
                files.stream()
                        .map(file -> Labelled.of("files", file, FileKind.values()))
                        .toList(),
                neighbours.stream()
                        .map(label -> Labelled.of("neighbours", label, Neighbour.values()))
                        .toList(),
                duration.toNanos() / 1e9,
                maxWrite,
                options.seed());
    }

    private void announce(Directories plan, TurnLimit turns, List<MeasuredDirectory> directories, double load) {
        List<DiskCell> cells = plan.cells(plan.openedForces());
        long kinds =
                plan.kinds().stream().filter(kind -> kind != FileKind.GROWING).count();
        long initialised = kinds * plan.openedForces().size() * Directories.FILE_BYTES + plan.neighbourBytes();
        for (MeasuredDirectory directory : directories) {
            complain(String.format(
                    Locale.ROOT,
                    "%s: %d cells in at most %d randomised blocks; writes at most %.1f GiB, occupies at most %.1f GiB of %.1f free;"
                            + " in %s, removed at the end",
                    directory.name(),
                    cells.size(),
                    Directories.MOST_BLOCKS,
                    gibibytes(turns.boundBytes(cells) + initialised),
                    gibibytes(plan.occupiedBytes()),
                    gibibytes(Long.parseLong(directory.facts().get("freeBytes"))),
                    directory.scratch()));
        }
        int processors = Runtime.getRuntime().availableProcessors();
        if (load > processors) {
            complain(String.format(
                    Locale.ROOT,
                    "note: the load is %.1f on %d processors; the figures will include waiting for a processor",
                    load,
                    processors));
        }
        announce(plan.seed(), turns.mostSamples(cells) * directories.size());
        complain(String.format(Locale.ROOT, "measures for at most about %.0f s", plan.seconds() * directories.size()));
    }

    private static double gibibytes(long bytes) {
        return bytes / (double) (1 << 30);
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
