package io.plog.results.verdict;

import io.plog.results.cells.BlockSeries;
import io.plog.results.cells.CellAnalysis;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results;
import io.plog.stats.Comparison;
import io.plog.stats.Comparison.NonInferiority;
import io.plog.stats.Estimate;
import io.plog.stats.Holm;
import io.plog.stats.Moments;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** What logging costs end to end: a logged cell against the cell of the same size without logging. */
public final class Overheads {
    /** The published claim: less than 10 % more. */
    static final double MARGIN = 1.10;

    private Overheads() {}

    /**
     * One size of one target.
     *
     * @param margin how surely the ratio of means lies below, or above, {@link #MARGIN}
     */
    public record Judged(Results.Overhead overhead, NonInferiority margin) {}

    /**
     * Compares two cells of the same size, both with samples. If only some blocks of the plan have both, those are compared. The
     * verdict is that of this size by itself; {@link #together} gives the final one.
     */
    public static Judged compare(CellAnalysis.Found logged, CellAnalysis.Found off) {
        Comparison found = BlockSeries.pair(
                Objects.requireNonNull(logged.endToEndBlocks()), Objects.requireNonNull(off.endToEndBlocks()));
        NonInferiority margin = found.nonInferiority(MARGIN);
        Verdict verdict = VerdictRules.atMost(found.ratioOfMeans(), MARGIN);
        return new Judged(row(logged, off, found, verdict, ""), margin);
    }

    /**
     * The row of two cells, both with samples.
     *
     * @param found the comparison of the two
     */
    public static Results.Overhead row(
            CellAnalysis.Found treated,
            CellAnalysis.Found control,
            Comparison found,
            Verdict verdict,
            String sentence) {
        return new Results.Overhead(
                treated.cell().target(),
                treated.cell().payloadBytes(),
                treated.cell().dimensions(),
                control.cell().target(),
                Micros.ofNanos(Moments.mean(found.treated().ascending())),
                Micros.ofNanos(Moments.mean(found.control().ascending())),
                ratio(found.ratioOfMeans()),
                ratio(found.ratioOfQuantiles(0.5)),
                found.isPaired(),
                verdict,
                found.differenceOfMeans().map(Micros::ofNanos),
                found.differenceOfQuantiles(0.5).map(Micros::ofNanos),
                Comparison.SHIFT_QUANTILES.stream()
                        .map(q -> shift(q, found.differenceOfQuantiles(q)))
                        .toList(),
                sentence);
    }

    /**
     * Judges all sizes of each target together, with Holm's adjustment. So a size has one verdict, on its card and in Z5 alike.
     * Sizes beyond the book's are a claim of their own and are judged by themselves.
     *
     * @param compared by {@link #compare}
     * @param valid whether the run is; else no size is judged
     * @return in the same order
     */
    public static List<Judged> together(List<Judged> compared, boolean valid) {
        IdentityHashMap<Judged, Verdict> verdicts = new IdentityHashMap<>();
        compared.stream()
                .filter(Overheads::isOfTheBook)
                .collect(Collectors.groupingBy(each -> each.overhead().target()))
                .values()
                .forEach(sizes -> {
                    double[] holds = Holm.adjusted(sizes.stream()
                            .mapToDouble(size -> size.margin().holdsError())
                            .toArray());
                    double[] fails = Holm.adjusted(sizes.stream()
                            .mapToDouble(size -> size.margin().failsError())
                            .toArray());
                    for (int i = 0; i < holds.length; i++) {
                        verdicts.put(
                                sizes.get(i),
                                Verdict.of(holds[i] < NonInferiority.ONE_SIDE, fails[i] < NonInferiority.ONE_SIDE));
                    }
                });
        return compared.stream()
                .map(each -> new Judged(
                        decided(
                                each.overhead(),
                                valid
                                        ? verdicts.getOrDefault(
                                                each, each.overhead().verdict())
                                        : Verdict.NOT_JUDGED),
                        each.margin()))
                .toList();
    }

    static boolean isOfTheBook(Judged judged) {
        return judged.overhead().payloadBytes() <= Claims.LARGEST_BYTES;
    }

    private static Results.Overhead decided(Results.Overhead row, Verdict verdict) {
        return new Results.Overhead(
                row.target(),
                row.payloadBytes(),
                row.dimensions(),
                row.against(),
                row.meanMicros(),
                row.offMeanMicros(),
                row.ratioOfMeans(),
                row.ratioOfMedians(),
                row.paired(),
                verdict,
                row.differenceOfMeansMicros(),
                row.differenceOfMediansMicros(),
                row.shift(),
                row.sentence());
    }

    private static Results.Shift shift(double q, Estimate nanos) {
        Estimate micros = nanos.map(Micros::ofNanos);
        return new Results.Shift(q, micros.value(), Results.Interval.of(micros));
    }

    private static Results.Ratio ratio(Estimate estimate) {
        Estimate rounded = estimate.map(value -> Units.rounded(value, 4));
        return new Results.Ratio(rounded.value(), rounded.low(), rounded.high());
    }
}
