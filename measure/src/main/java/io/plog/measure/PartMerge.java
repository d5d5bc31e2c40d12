package io.plog.measure;

import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.RunPlan;
import io.plog.measure.samples.SampleFileException;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleMerge;
import io.plog.measure.samples.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes one sample file of the parts of a run. Times are moved so that all count from the first part's start, by the clock of
 * the machine that measured. Of a turn that an interruption cut and that was run again, the first samples are kept and marked.
 */
public final class PartMerge {
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
    public static RunInfo.End write(RunPlan plan, List<PartFiles.Part> parts, String partial, Path merged)
            throws IOException {
        List<SampleMerge.Part> sources = new ArrayList<>();
        RunInfo first = null;
        for (int i = 0; i < parts.size(); i++) {
            PartFiles.Part part = parts.get(i);
            boolean wentOn = i + 1 < parts.size() && parts.get(i + 1).trial() == part.trial();
            try (SampleFileReader reader = SampleFileReader.open(part.file())) {
                first = first == null ? reader.info() : first;
                sources.add(new SampleMerge.Part(
                        part.file(),
                        offsetNanos(first, reader.info()),
                        part.trial(),
                        0,
                        wentOn ? cutTurns(plan, part.trial(), reader) : Set.of()));
            }
        }
        if (first == null) {
            throw new IllegalArgumentException("no parts to merge, expected at least 1");
        }
        return SampleMerge.write(sources, first, partial, merged);
    }

    /** The turns of which a part has not every request. */
    private static Set<Trial.Turn> cutTurns(RunPlan plan, int trial, SampleFileReader reader) throws IOException {
        Set<Trial.Turn> cut = new HashSet<>();
        for (CellKey cell : reader.cells()) {
            for (int block = 0; block < plan.blocks(); block++) {
                cut.add(new Trial.Turn(block, cell));
            }
        }
        cut.removeAll(PartFiles.complete(plan, trial, reader));
        return cut;
    }

    /** How much later a part began than the first. */
    private static long offsetNanos(RunInfo first, RunInfo part) {
        try {
            return Duration.between(Instant.parse(first.startedAt()), Instant.parse(part.startedAt()))
                    .toNanos();
        } catch (DateTimeParseException e) {
            return 0;
        }
    }
}
