package io.plog.report.verdict;

import io.plog.measure.samples.RunInfo;
import io.plog.report.cells.Facts;
import io.plog.report.results.Results;
import io.plog.report.results.Results.Cell;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Brings a run's targets before {@link StableStorageRules}: the smallest size of each, beside what only writes in the same run. */
public final class StableStorageVerdicts {
    private StableStorageVerdicts() {}

    /** A verdict for each logged target that has been measured or was to be. */
    public static List<Results.StableStorage> judge(List<RunInfo.Target> targets, List<Cell> cells) {
        return targets.stream()
                .filter(target -> !Facts.isOff(target))
                .map(target -> judge(target, cells))
                .toList();
    }

    /** The verdict for one logged target. */
    public static Results.StableStorage judge(RunInfo.Target target, List<Cell> cells) {
        Cell smallest = cells.stream()
                .filter(cell -> cell.target().equals(target.name()) && cell.writeMicros() != null)
                .min(Comparator.comparingInt(Cell::payloadBytes))
                .orElse(null);
        StableStorageRules.Finding finding = StableStorageRules.judge(new StableStorageRules.Evidence(
                target.forceLabel(),
                target.facts(),
                smallest == null ? 0 : smallest.payloadBytes(),
                smallest == null ? null : append(smallest),
                smallest == null ? null : pageCache(smallest.payloadBytes(), cells)));
        return new Results.StableStorage(target.name(), finding.verdict().label(), finding.reasons());
    }

    /** Medians do not add up exactly; where one of the two decides by far, as here, they do well enough. */
    private static double append(Cell cell) {
        return p50(cell.writeMicros()) + p50(cell.forceMicros());
    }

    /** The fastest write of this size that is not forced; it does not depend on the disk. */
    private static @Nullable Double pageCache(int bytes, List<Cell> cells) {
        return cells.stream()
                .filter(cell -> cell.forceLabel().isPageCacheOnly() && cell.payloadBytes() == bytes)
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
