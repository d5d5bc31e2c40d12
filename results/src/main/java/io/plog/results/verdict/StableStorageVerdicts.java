package io.plog.results.verdict;

import io.plog.log.storage.Force;
import io.plog.measure.plan.FileKind;
import io.plog.measure.samples.ForceLabel;
import io.plog.measure.samples.RunInfo;
import io.plog.results.model.DiskCells;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings a run's targets before {@link StableStorageRules}: the smallest size of each, next to what only writes in the same run. Of
 * a directory the fastest way of forcing is evidence, one append at a time and without a neighbour: what one way shows to be too
 * fast is true of the disk.
 */
public final class StableStorageVerdicts {
    private static final List<String> FILES =
            Stream.of(FileKind.values()).map(FileKind::label).toList();

    private StableStorageVerdicts() {}

    /** A verdict for each target that forces, and each directory, that has been measured or was to be. */
    public static List<Results.StableStorage> judge(List<RunInfo.Target> targets, List<Cell> cells) {
        Map<String, RunInfo.Target> logged = new LinkedHashMap<>();
        targets.stream()
                .filter(target ->
                        target.forceLabel().forces() || !target.dimensions().isEmpty())
                .forEach(target -> logged.putIfAbsent(target.name(), target));
        return logged.values().stream().map(target -> judge(target, cells)).toList();
    }

    private static Results.StableStorage judge(RunInfo.Target target, List<Cell> cells) {
        boolean directory = !target.dimensions().isEmpty();
        Cell smallest = cells.stream()
                .filter(cell -> cell.target().equals(target.name()) && cell.writeMicros() != null && isPlain(cell))
                .filter(cell -> !directory || cell.forceLabel().forces())
                .min(Comparator.comparingInt(Cell::payloadBytes)
                        .thenComparingInt(StableStorageVerdicts::file)
                        .thenComparingDouble(StableStorageVerdicts::append))
                .orElse(null);
        ForceLabel force = smallest != null
                ? smallest.forceLabel()
                : directory ? new ForceLabel(Force.FDATASYNC.label()) : target.forceLabel();
        return StableStorageRules.judge(
                target.name(),
                new StableStorageRules.Evidence(
                        force,
                        target.facts(),
                        smallest == null ? 0 : smallest.payloadBytes(),
                        smallest == null ? null : append(smallest),
                        smallest == null ? null : between(smallest),
                        smallest == null ? null : pageCache(smallest.payloadBytes(), cells)));
    }

    /** Whether each append has a force of its own and the log alone uses the disk, as of a server's targets. */
    private static boolean isPlain(Cell cell) {
        return cell.dimensions().isEmpty() || DiskCells.isSingle(cell);
    }

    /** Initialised files first: there a force makes only data stable. */
    private static int file(Cell cell) {
        int known = FILES.indexOf(cell.dimension(RunInfo.Target.FILE));
        return known < 0 ? FILES.size() : known;
    }

    /** Medians do not add up exactly; where one of the two decides by far, as here, they do well enough. */
    private static double append(Cell cell) {
        return p50(cell.writeMicros()) + p50(cell.forceMicros());
    }

    /** The requests of one connection follow each other; at most as much as the append counts, or a backlog would excuse a cache. */
    private static double between(Cell cell) {
        return Math.max(append(cell), Math.min(p50(cell.endToEndMicros()), 2 * append(cell)));
    }

    /** The fastest write of this size that is not forced; it does not depend on the disk. */
    private static @Nullable Double pageCache(int bytes, List<Cell> cells) {
        return cells.stream()
                .filter(cell -> cell.forceLabel().isPageCacheOnly() && cell.payloadBytes() == bytes && isPlain(cell))
                .map(Cell::writeMicros)
                .filter(Objects::nonNull)
                .map(Results.Distribution::p50)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private static double p50(Results.@Nullable Distribution distribution) {
        return distribution == null ? 0 : distribution.p50();
    }
}
