package io.plog.client.load;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes one sample file of the parts of a run. Times are moved so that all count from the first part's start, by the clocks of
 * the machine that measured. Of a turn that an interruption cut and that was run again, the first samples are kept and marked.
 */
public final class PartMerge {
    /** The {@link Column#PHASE} of samples whose turn was run again after an interruption; they are in no figure. */
    public static final int RUN_AGAIN = 2;

    private PartMerge() {}

    /**
     * Writes the merged file.
     *
     * @param parts by trial and piece, at least one
     * @param partial why the run is not complete; empty if it is
     * @param merged created
     * @throws SampleFileException if a part is damaged
     * @throws IOException if one cannot be read, or the file not written
     */
    public static RunInfo.End write(MeasurePlan plan, List<PartFiles.Part> parts, String partial, Path merged)
            throws IOException {
        List<SampleFileReader> readers = new ArrayList<>();
        try {
            for (PartFiles.Part part : parts) {
                readers.add(SampleFileReader.open(part.file()));
            }
            return merge(plan, parts, readers, partial, merged);
        } finally {
            for (SampleFileReader reader : readers) {
                reader.close();
            }
        }
    }

    private static RunInfo.End merge(
            MeasurePlan plan, List<PartFiles.Part> parts, List<SampleFileReader> readers, String partial, Path merged)
            throws IOException {
        Set<CellKey> cells = new TreeSet<>();
        List<Set<Trial.Turn>> complete = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            cells.addAll(readers.get(i).cells());
            complete.add(PartFiles.complete(plan, parts.get(i).trial(), readers.get(i)));
        }
        RunInfo first = readers.get(0).info();
        long wallNanos = readers.stream()
                .mapToLong(reader -> reader.end().map(RunInfo.End::wallNanos).orElse(0L))
                .sum();
        RunInfo.End end = new RunInfo.End(!partial.isEmpty(), partial, wallNanos);
        try (SampleFileWriter writer = SampleFileWriter.create(merged, first)) {
            for (CellKey cell : cells) {
                for (int i = 0; i < parts.size(); i++) {
                    PartFiles.Part part = parts.get(i);
                    boolean wentOn = i + 1 < parts.size() && parts.get(i + 1).trial() == part.trial();
                    Samples samples = readers.get(i).samples(cell);
                    move(samples, offsetNanos(first, readers.get(i).info()));
                    if (wentOn) {
                        mark(samples, cell, complete.get(i));
                    }
                    writer.append(cell, samples);
                }
            }
            writer.end(end);
        }
        return end;
    }

    private static void move(Samples samples, long nanos) {
        for (int i = 0; i < samples.count(); i++) {
            samples.set(Column.INTENDED, i, samples.get(Column.INTENDED, i) + nanos);
            samples.set(Column.SENT, i, samples.get(Column.SENT, i) + nanos);
        }
    }

    private static void mark(Samples samples, CellKey cell, Set<Trial.Turn> complete) {
        for (int i = 0; i < samples.count(); i++) {
            Trial.Turn turn = new Trial.Turn((int) samples.get(Column.BLOCK, i), cell);
            if (samples.get(Column.PHASE, i) == 0 && !complete.contains(turn)) {
                samples.set(Column.PHASE, i, RUN_AGAIN);
            }
        }
    }

    /** How much later a part began than the first. */
    static long offsetNanos(RunInfo first, RunInfo part) {
        try {
            return Duration.between(Instant.parse(first.startedAt()), Instant.parse(part.startedAt()))
                    .toNanos();
        } catch (DateTimeParseException e) {
            return 0;
        }
    }
}
