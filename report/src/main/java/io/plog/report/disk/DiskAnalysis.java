package io.plog.report.disk;

import io.plog.log.Force;
import io.plog.measure.disk.DiskCell;
import io.plog.measure.disk.FileKind;
import io.plog.measure.disk.Timings;
import io.plog.measure.samples.ForceLabel;
import io.plog.report.results.Results;
import io.plog.report.verdict.StableStorageRules;
import io.plog.stats.Ecdf;
import io.plog.stats.Moments;
import io.plog.stats.QuantileInterval;
import io.plog.stats.Quantiles;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Computes distributions and the verdict of a directory from every group's times. Stateless. */
final class DiskAnalysis {
    private static final double CONFIDENCE = 0.95;

    /** Of a curve: enough for a panel of 200 pixels. */
    private static final int KNOTS = 80;

    private DiskAnalysis() {}

    /** The figures of one cell. */
    static DiskResults.Cell cell(DiskCell cell, Timings timings) {
        boolean drawn = cell.appends() == 1;
        DiskResults.Distribution both = distribution(timings.both(), drawn);
        boolean forcedByCall = cell.force() == Force.FDATASYNC || cell.force() == Force.FSYNC;
        return new DiskResults.Cell(
                cell.force().label(),
                cell.kind().label(),
                cell.bytes(),
                cell.appends(),
                cell.neighbour().label(),
                timings.neighbourOperations(),
                timings.count(),
                distribution(timings.write(), drawn),
                forcedByCall ? distribution(timings.force(), drawn) : null,
                both,
                both == null ? null : Units.rounded(both.p50() / cell.appends(), 3),
                both == null ? null : Units.rounded(both.mean() / cell.appends(), 3));
    }

    private static DiskResults.@Nullable Distribution distribution(long[] nanos, boolean drawn) {
        DiskResults.Distribution found = distribution(nanos);
        return found == null || drawn ? found : found.withoutCurve();
    }

    static DiskResults.@Nullable Distribution distribution(long[] nanos) {
        if (nanos.length == 0) {
            return null;
        }
        long[] ascending = nanos.clone();
        Arrays.sort(ascending);
        double mean = Moments.mean(ascending);
        return new DiskResults.Distribution(
                ascending.length,
                Micros.ofNanos(mean),
                Micros.ofNanos(Moments.sd(ascending, mean)),
                Micros.ofNanos(ascending[0]),
                Micros.ofNanos(Quantiles.of(ascending, 0.05)),
                Micros.ofNanos(Quantiles.of(ascending, 0.5)),
                Micros.ofNanos(Quantiles.of(ascending, 0.95)),
                Micros.ofNanos(Quantiles.of(ascending, 0.99)),
                Micros.ofNanos(ascending[ascending.length - 1]),
                Stream.of(0.05, 0.5, 0.95, 0.99)
                        .map(q -> quantile(ascending, q))
                        .toList(),
                curve(Ecdf.of(ascending, KNOTS)));
    }

    private static DiskResults.Curve curve(Ecdf ecdf) {
        return new DiskResults.Curve(
                Arrays.stream(ecdf.values()).mapToObj(Micros::ofNanos).toList(),
                Arrays.stream(ecdf.ranks()).boxed().toList());
    }

    private static Results.Quantile quantile(long[] ascending, double q) {
        QuantileInterval found = QuantileInterval.of(ascending, q, CONFIDENCE);
        return new Results.Quantile(
                q,
                Micros.ofNanos(found.value()),
                new Results.Interval(
                        found.hasLow() ? Micros.ofNanos(found.low()) : null,
                        found.hasHigh() ? Micros.ofNanos(found.high()) : null));
    }

    /**
     * The verdict on a directory: of its fastest way of forcing, at the smallest size, one append at a time. What one way
     * shows to be too fast is true of the disk.
     */
    static DiskResults.StableStorage stableStorage(Map<String, String> facts, List<DiskResults.Cell> cells) {
        List<DiskResults.Cell> single = cells.stream()
                .filter(cell -> cell.isSingle() && cell.bothMicros() != null)
                .toList();
        DiskResults.Cell fastest = single.stream()
                .filter(cell -> cell.forceLabel().forces())
                .min(Comparator.comparingInt(DiskResults.Cell::sizeBytes)
                        .thenComparing(DiskAnalysis::kind)
                        .thenComparingDouble(DiskAnalysis::p50))
                .orElse(null);
        Double pageCache = single.stream()
                .filter(cell -> cell.forceLabel().isPageCacheOnly()
                        && (fastest == null || cell.sizeBytes() == fastest.sizeBytes()))
                .min(Comparator.comparing(DiskAnalysis::kind))
                .map(DiskAnalysis::p50)
                .orElse(null);
        StableStorageRules.Finding finding = StableStorageRules.judge(new StableStorageRules.Evidence(
                fastest == null ? new ForceLabel(Force.FDATASYNC.label()) : fastest.forceLabel(),
                facts,
                fastest == null ? 0 : fastest.sizeBytes(),
                fastest == null ? null : p50(fastest),
                pageCache));
        return new DiskResults.StableStorage(
                finding.verdict().label(), finding.verdict().sentence(), finding.reasons());
    }

    private static double p50(DiskResults.Cell cell) {
        DiskResults.Distribution both = cell.bothMicros();
        return both == null ? Double.NaN : both.p50();
    }

    /** Initialised files first: there a force makes only data stable. */
    private static FileKind kind(DiskResults.Cell cell) {
        return FileKind.ofLabel(cell.file());
    }
}
