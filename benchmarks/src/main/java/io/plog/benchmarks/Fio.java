package io.plog.benchmarks;

import io.plog.benchmarks.journal.ZeroFilledFile;
import io.plog.benchmarks.result.Cell;
import io.plog.benchmarks.result.FioReport;
import io.plog.benchmarks.result.Measurement;
import io.plog.host.events.MachineLoad;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the disk can do: fio, on an initialised file of its own for each mode, one write and one force for each group of
 * {@code outstanding} records. At the end of the file it begins again.
 */
final class Fio implements AutoCloseable {
    private static final long FILE_BYTES = 256L << 20;

    private final Path directory;

    Fio(Path directory) {
        this.directory = directory;
    }

    /** The version that is installed, such as {@code fio-3.33}; empty if fio is not on the path. */
    static Optional<String> version() throws InterruptedException {
        try {
            return Optional.of(output(new ProcessBuilder("fio", "--version")).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Measures a cell. Round 0 is a warm-up. */
    Measurement measure(FioMode mode, Cell cell, int round, double mostSeconds)
            throws IOException, InterruptedException {
        Path file = prepare(mode);
        int blockBytes = mode.blockBytes(cell.outstanding() * cell.payloadBytes());
        List<String> command = new ArrayList<>(List.of(
                "fio",
                "--name=limit",
                "--thread",
                "--rw=write",
                "--ioengine=psync",
                "--overwrite=1",
                "--allow_file_create=0",
                "--invalidate=0", // keeps the file's pages cached: an unaligned write would have to read first
                "--filename=" + file,
                "--size=" + FILE_BYTES / blockBytes * blockBytes,
                "--time_based",
                "--runtime=" + (long) Math.ceil(mostSeconds),
                "--bs=" + blockBytes,
                "--clat_percentiles=0",
                "--lat_percentiles=1",
                "--percentile_list=" + FioReport.percentileList(),
                "--output-format=json"));
        command.addAll(mode.options());
        MachineLoad.Mark machine = MachineLoad.mark();
        long begin = System.nanoTime();
        FioReport report = FioReport.parse(output(new ProcessBuilder(command)));
        // From start to end of the process: the job itself is most of it, and what surrounds it counts as others'.
        double others = Surroundings.othersShare(
                machine, (long) (report.cpuMicrosPerWrite() * report.writes() * 1e3), System.nanoTime() - begin);
        double appends = (double) report.writes() * cell.outstanding();
        return new Measurement(
                mode.label(),
                cell.label(),
                round,
                (long) appends,
                report.seconds(),
                report.writesPerSecond() * cell.outstanding(),
                report.latencyMicros(0.5),
                report.latencyMicros(0.99),
                report.latencyMicros(0.999),
                report.latencyMicros(1.0),
                report.cpuMicrosPerWrite() / cell.outstanding(),
                null,
                others);
    }

    /** Creates the file of a mode, if it is not there. */
    Path prepare(FioMode mode) throws IOException {
        Path file = directory.resolve(mode.label());
        if (!Files.exists(file)) {
            ZeroFilledFile.create(file, FILE_BYTES);
        }
        return file;
    }

    @Override
    public void close() throws IOException {
        for (FioMode mode : FioMode.values()) {
            Files.deleteIfExists(directory.resolve(mode.label()));
        }
    }

    private static String output(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(builder.command() + " ended with " + process.exitValue() + ": " + text.strip());
        }
        return text;
    }
}
