package io.plog.measure.disk;

import io.plog.host.Build;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.DiskCell;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.RunInfo;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The cells of directories as a sample file names them: those that differ by their size alone are one target. */
public final class DiskTargets {
    private final Directories plan;
    private final Map<Key, RunInfo.Target> targets = new LinkedHashMap<>();

    DiskTargets(Directories plan) {
        this.plan = plan;
    }

    /** A target: its cells differ by their size alone. */
    private record Key(String directory, DiskCell cell) {
        static Key of(String directory, DiskCell cell) {
            return new Key(directory, new DiskCell(cell.force(), cell.kind(), 0, cell.appends(), cell.neighbour()));
        }
    }

    /** What is to be measured, if every way of forcing is available. */
    public static RunInfo planned(Directories plan) {
        DiskTargets targets = new DiskTargets(plan);
        plan.directories().forEach(path -> targets.add(path, Map.of(), plan.cells(plan.openedForces())));
        return targets.info("", Instant.EPOCH, Map.of());
    }

    void add(String directory, Map<String, String> facts, List<DiskCell> cells) {
        for (DiskCell cell : cells) {
            targets.computeIfAbsent(
                    Key.of(directory, cell),
                    key -> new RunInfo.Target(
                            targets.size() + 1, directory, cell.force().label(), facts, dimensions(cell)));
        }
    }

    private static Map<String, String> dimensions(DiskCell cell) {
        Map<String, String> dimensions = new LinkedHashMap<>();
        dimensions.put(RunInfo.Target.FILE, cell.kind().label());
        dimensions.put(RunInfo.Target.APPENDS, Integer.toString(cell.appends()));
        dimensions.put(RunInfo.Target.NEIGHBOUR, cell.neighbour().label());
        return dimensions;
    }

    CellKey key(String directory, DiskCell cell) {
        return new CellKey(
                Objects.requireNonNull(targets.get(Key.of(directory, cell))).id(), cell.bytes());
    }

    RunInfo info(String command, Instant startedAt, Map<String, String> machine) {
        return new RunInfo(
                Build.current().version(), startedAt, command, plan, machine, Map.of(), List.copyOf(targets.values()));
    }
}
