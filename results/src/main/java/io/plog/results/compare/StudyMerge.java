package io.plog.results.compare;

import io.plog.measure.plan.Designs;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.TrialRecord;
import io.plog.measure.study.StudySamples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes one study of those of several machines: capacity for each design and size, and latency against relative load. What was
 * measured at absolute rates stays with each machine's own study. Stateless.
 */
public final class StudyMerge {
    private static final Set<String> LOADS = Set.of(StudyCell.CAPACITY, StudyCell.RELATIVE);

    private StudyMerge() {}

    /** A cell of one of the studies, under the number that it has in it, and as it is in the merged one. */
    private record Cell(int number, RunInfo.Target merged) {}

    /**
     * Merges.
     *
     * @param studies sample files by the label of their machine, at least two
     * @param out the merged sample file; created
     * @throws NotComparableException if one is no study, or they differ in mix or way of forcing, so that nothing can be compared
     * @throws io.plog.measure.samples.SampleFileException if one is no sound sample file
     */
    public static void merge(Map<String, Path> studies, Path out) throws IOException, NotComparableException {
        Map<String, RunInfo> infos = new LinkedHashMap<>();
        for (Map.Entry<String, Path> study : studies.entrySet()) {
            try (SampleFileReader reader = SampleFileReader.open(study.getValue())) {
                infos.put(study.getKey(), reader.info());
            }
        }
        check(infos);
        Map<String, List<Cell>> cells = new LinkedHashMap<>();
        int id = 0;
        for (Map.Entry<String, RunInfo> study : infos.entrySet()) {
            List<Cell> own = new ArrayList<>();
            for (RunInfo.Target target : study.getValue().targets()) {
                if (LOADS.contains(target.dimensions().getOrDefault(StudyCell.LOAD, ""))
                        && target.forceLabel().isLogged()
                        && !target.dimensions().containsKey(StudyCell.MACHINE)) {
                    own.add(new Cell(target.id(), on(study.getKey(), study.getValue(), target, id++)));
                }
            }
            cells.put(study.getKey(), own);
        }
        write(studies, cells, description(infos, cells), out);
    }

    private static void check(Map<String, RunInfo> infos) throws NotComparableException {
        Map.Entry<String, RunInfo> first = infos.entrySet().iterator().next();
        for (Map.Entry<String, RunInfo> other : infos.entrySet()) {
            if (!other.getValue().isStudy()) {
                throw new NotComparableException(other.getKey() + " is no study: expected studies of several machines");
            }
            boolean forces = forces(first.getValue()).equals(forces(other.getValue()));
            boolean mix = first.getValue().plan() instanceof Designs one
                    && other.getValue().plan() instanceof Designs another
                    && one.traffic().mix().equals(another.traffic().mix());
            if (!forces || !mix) {
                throw new NotComparableException("the studies " + first.getKey() + " and " + other.getKey()
                        + " differ in "
                        + (forces
                                ? "the mix of sizes"
                                : "the way of forcing, " + forces(first.getValue()) + " and "
                                        + forces(other.getValue()))
                        + ": expected the same in all");
            }
        }
    }

    private static String forces(RunInfo study) {
        return study.targets().stream()
                .filter(target -> target.forceLabel().isLogged())
                .map(RunInfo.Target::force)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static RunInfo.Target on(String machine, RunInfo study, RunInfo.Target target, int id) {
        Map<String, String> dimensions = new LinkedHashMap<>(target.dimensions());
        dimensions.put(StudyCell.MACHINE, machine);
        dimensions.put(StudyCell.PROCESSORS, study.server().getOrDefault("cores", "0"));
        Map<String, String> facts = new LinkedHashMap<>(target.facts());
        facts.put(StudySamples.LABEL, StudySamples.label(target, 0) + ", " + machine);
        return new RunInfo.Target(id, target.name(), target.force(), facts, dimensions);
    }

    private static RunInfo description(Map<String, RunInfo> infos, Map<String, List<Cell>> cells) {
        RunInfo first = infos.values().iterator().next();
        Designs plan = (Designs) first.plan();
        Set<StudyDesign> designs = new LinkedHashSet<>();
        int trials = plan.trials();
        for (RunInfo info : infos.values()) {
            designs.addAll(((Designs) info.plan()).designs());
            trials = Math.min(trials, info.plan().trials());
        }
        return new RunInfo(
                first.plogVersion(),
                first.startedAt(),
                first.command(),
                plan.of(List.copyOf(designs), trials),
                first.client(),
                first.server(),
                cells.values().stream().flatMap(List::stream).map(Cell::merged).toList());
    }

    private static void write(Map<String, Path> studies, Map<String, List<Cell>> cells, RunInfo info, Path out)
            throws IOException {
        List<String> partial = new ArrayList<>();
        List<TrialRecord> records = new ArrayList<>();
        try (SampleFileWriter writer = SampleFileWriter.create(out, info)) {
            for (Map.Entry<String, Path> study : studies.entrySet()) {
                try (SampleFileReader reader = SampleFileReader.open(study.getValue())) {
                    List<SideEvents> events = reader.events();
                    RunInfo.End end = reader.end();
                    if (end.partial()) {
                        partial.add(study.getKey() + ": " + end.reason());
                    }
                    for (Cell cell : cells.getOrDefault(study.getKey(), List.of())) {
                        int id = cell.merged.id();
                        for (CellKey key : reader.cells()) {
                            if (key.targetId() == cell.number) {
                                CellKey merged = new CellKey(id, key.payloadBytes());
                                reader.each(key, samples -> writer.append(merged, samples));
                            }
                        }
                        for (SideEvents each : events) {
                            if (each.isOfCell(cell.number)) {
                                writer.append(each.ofCell(id, each.trial()));
                            }
                        }
                        end.trials().stream()
                                .filter(record -> record.targetId() == cell.number)
                                .forEach(record -> records.add(record.of(id)));
                    }
                }
            }
            writer.end(new RunInfo.End(!partial.isEmpty(), String.join("; ", partial), 0, records));
        }
    }
}
