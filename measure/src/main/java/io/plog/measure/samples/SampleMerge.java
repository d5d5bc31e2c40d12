package io.plog.measure.samples;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes one sample file of several: of the trials of a run, or of clients that measured at the same time. Samples are merged,
 * never figures: percentiles of parts cannot be put together.
 *
 * <p>One chunk is in memory at a time. Stateless; safe for any thread.
 */
public final class SampleMerge {
    private SampleMerge() {}

    /**
     * A sample file and how its samples appear in the merged one.
     *
     * @param offsetNanos added to the times of sending, so that they count from the beginning of the merged run
     * @param connectionOffset added to the number of each connection, at least 0
     * @param whole turns that went on after an interruption until all was answered: what ended them before counts in no figure
     * @param clientConnections if it is one of several clients of one server, how many connections it had; else 0. Of such parts
     *     the server's events are taken once, and a client's events belong to its own requests only
     */
    public record Part(Path file, long offsetNanos, int connectionOffset, Set<CellTurn> whole, int clientConnections) {
        /** A trial, whose run may have been interrupted. */
        public static Part ofTrial(Path file, long offsetNanos, Set<CellTurn> whole) {
            return new Part(file, offsetNanos, 0, whole, 0);
        }

        /** One of several clients that measured at once, with its trials. */
        public static Part ofClient(Path file, long offsetNanos, int connectionOffset, int connections) {
            return new Part(file, offsetNanos, connectionOffset, Set.of(), connections);
        }
    }

    /**
     * Writes the merged file. The samples of each cell are in the order in which they were sent, by the shifted times. Cells
     * are matched by the target's name, as its number is the server's affair and may differ from part to part.
     *
     * @param parts at least one; each file is only read
     * @param info describes the merged run; its targets must name those of all parts
     * @param out created; nothing is left of it if merging fails
     * @return how the merged run ended, which is also in the file: partial if one of the parts is partial or cut
     * @throws SampleFileException if a part is no sound sample file, or has a target that {@code info} lacks
     * @throws java.nio.file.FileAlreadyExistsException if there is such a file; it is left alone
     * @throws IOException if a part cannot be read or the file cannot be written
     */
    public static RunInfo.End write(List<Part> parts, RunInfo info, Path out) throws IOException {
        return write(parts, info, null, out);
    }

    /**
     * As above, for a caller that knows whether the run is whole: a part may be missing.
     *
     * @param partial why the run is not whole; empty if it is; null to judge by the parts
     */
    public static RunInfo.End write(List<Part> parts, RunInfo info, @Nullable String partial, Path out)
            throws IOException {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("no parts to merge, expected at least 1");
        }
        try (Sources sources = Sources.open(parts, info);
                SampleFileWriter writer = SampleFileWriter.create(out, info)) {
            return write(sources, writer, partial, out);
        }
    }

    private static RunInfo.End write(Sources sources, SampleFileWriter writer, @Nullable String partial, Path out)
            throws IOException {
        try {
            for (CellKey cell : sources.cells()) {
                for (Source source : sources.all) {
                    source.each(cell, samples -> writer.append(cell, samples));
                }
            }
            for (SideEvents events : sources.events()) {
                writer.append(events);
            }
            RunInfo.End judged = sources.end();
            RunInfo.End end = partial == null
                    ? judged
                    : new RunInfo.End(!partial.isEmpty(), partial, judged.wallNanos(), judged.trials());
            writer.end(end);
            return end;
        } catch (IOException | RuntimeException e) {
            // The parts are still there; half of a merged run would only be mistaken for one.
            Files.deleteIfExists(out);
            throw e;
        }
    }

    /** A part that is open, and its numbers for the merged run's targets. */
    private record Source(Part part, SampleFileReader reader, Map<Integer, Integer> ownIds) {

        /** Its samples of a cell of the merged run, with times, trial and connection as they appear there. */
        void each(CellKey merged, SampleFileReader.Use use) throws IOException {
            Integer id = ownIds.get(merged.targetId());
            if (id == null) {
                return;
            }
            CellKey own = new CellKey(id, merged.payloadBytes());
            reader.each(own, samples -> {
                samples.shift(Column.INTENDED, part.offsetNanos);
                samples.shift(Column.SENT, part.offsetNanos);
                samples.shift(Column.CONNECTION, part.connectionOffset);
                if (!part.whole.isEmpty()) {
                    markRunAgain(samples, own);
                }
                use.with(samples);
            });
        }

        private void markRunAgain(Samples samples, CellKey own) {
            for (int i = 0; i < samples.count(); i++) {
                CellTurn turn = new CellTurn((int) samples.get(Column.BLOCK, i), own);
                if (samples.get(Column.PHASE, i) == 0 && samples.endedRun(i) && part.whole.contains(turn)) {
                    samples.set(Column.PHASE, i, Samples.AGAIN);
                }
            }
        }

        Optional<String> whyPartial() {
            return Optional.of(reader.end()).filter(RunInfo.End::partial).map(end -> part.file + ": " + end.reason());
        }
    }

    private record Sources(List<Source> all) implements Closeable {

        static Sources open(List<Part> parts, RunInfo info) throws IOException {
            Map<String, Integer> ids = new HashMap<>();
            info.targets().forEach(target -> ids.put(target.name(), target.id()));
            Sources sources = new Sources(new ArrayList<>());
            try {
                for (Part part : parts) {
                    SampleFileReader reader = SampleFileReader.open(part.file);
                    sources.all.add(new Source(part, reader, new HashMap<>()));
                    for (RunInfo.Target target : reader.info().targets()) {
                        Integer merged = ids.get(target.name());
                        if (merged == null) {
                            throw new SampleFileException(part.file + ": has target " + target.name()
                                    + ", which the merged run does not have; expected one of " + ids.keySet());
                        }
                        sources.all.get(sources.all.size() - 1).ownIds.put(merged, target.id());
                    }
                }
                return sources;
            } catch (IOException | RuntimeException e) {
                sources.close();
                throw e;
            }
        }

        /** The cells of the merged run, by target and size. */
        TreeSet<CellKey> cells() {
            TreeSet<CellKey> cells = new TreeSet<>();
            for (Source source : all) {
                source.ownIds.forEach((merged, own) -> source.reader.cells().stream()
                        .filter(cell -> cell.targetId() == own)
                        .forEach(cell -> cells.add(new CellKey(merged, cell.payloadBytes()))));
            }
            return cells;
        }

        /** What went on besides the samples, on the merged run's clock. */
        List<SideEvents> events() throws IOException {
            List<SideEvents> events = new ArrayList<>();
            Set<Integer> serverKnown = new HashSet<>();
            for (Source source : all) {
                Part part = source.part;
                for (SideEvents each : source.reader.events()) {
                    int trial = each.trial();
                    SideEvents placed = each.later(part.offsetNanos);
                    if (part.clientConnections == 0) {
                        events.add(placed);
                    } else if (each.side().equals(SideEvents.CLIENT)) {
                        int last = part.connectionOffset + part.clientConnections - 1;
                        events.add(placed.ofConnections(part.connectionOffset, last));
                    } else if (!serverKnown.contains(trial)) {
                        // Every client asked the same server: what it reported to the first that it answered is taken.
                        events.removeIf(
                                other -> other.trial() == trial && other.side().equals(each.side()));
                        events.add(placed);
                        if (!each.usage().isEmpty()) {
                            serverKnown.add(trial);
                        }
                    }
                }
            }
            return events;
        }

        RunInfo.End end() {
            List<String> reasons =
                    all.stream().flatMap(source -> source.whyPartial().stream()).toList();
            long from = Long.MAX_VALUE;
            long to = Long.MIN_VALUE;
            for (Source source : all) {
                long wall = source.reader.end().wallNanos();
                from = Math.min(from, source.part.offsetNanos);
                to = Math.max(to, source.part.offsetNanos + wall);
            }
            return new RunInfo.End(!reasons.isEmpty(), String.join("; ", reasons), to - from, records());
        }

        /** Those of all parts; what loads counted at the same time is put together. */
        private List<TrialRecord> records() {
            List<TrialRecord> records = new ArrayList<>();
            TrialRecord.LoadCounts together = null;
            for (Source source : all) {
                for (TrialRecord each : source.reader.end().trials()) {
                    if (each instanceof TrialRecord.LoadCounts counts) {
                        together = together == null ? counts : together.plus(counts);
                    } else {
                        records.add(each);
                    }
                }
            }
            if (together != null) {
                records.add(together);
            }
            return records;
        }

        @Override
        public void close() throws IOException {
            for (Source source : all) {
                source.reader.close();
            }
        }
    }
}
