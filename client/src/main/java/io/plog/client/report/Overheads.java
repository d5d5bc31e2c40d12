package io.plog.client.report;

import io.plog.client.stats.Moments;
import io.plog.client.stats.RatioBootstrap;
import io.plog.client.stats.RatioEstimate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What logging costs end to end: a logged cell against the cell of the same size without logging. */
final class Overheads {
    /** The published claim: less than 10 % more. */
    static final double MARGIN = 1.10;

    private Overheads() {}

    /**
     * Compares two cells of the same size. If only some blocks of the plan have both, those are compared.
     *
     * @param seed of the plan; the same run gives the same interval
     */
    static Results.Overhead compare(CellAnalysis.Found logged, CellAnalysis.Found off, long seed) {
        List<Long> both = logged.endToEndByBlock().keySet().stream()
                .filter(off.endToEndByBlock()::containsKey)
                .toList();
        boolean pair = both.size() > 1;
        List<long[]> above = blocks(logged.endToEndByBlock(), both, pair);
        List<long[]> below = blocks(off.endToEndByBlock(), both, pair);
        RatioBootstrap found =
                RatioBootstrap.compare(above, below, seed * 31 + logged.cell().payloadBytes());
        return new Results.Overhead(
                logged.cell().target(),
                logged.cell().payloadBytes(),
                mean(above),
                mean(below),
                ratio(found.means()),
                ratio(found.medians()),
                found.paired(),
                verdict(found.means()),
                null,
                null,
                List.of(),
                "");
    }

    static Results.Verdict verdict(RatioEstimate means) {
        if (means.high() < MARGIN) {
            return Results.Verdict.HOLDS;
        }
        return means.low() > MARGIN ? Results.Verdict.FAILS : Results.Verdict.UNDECIDED;
    }

    private static List<long[]> blocks(Map<Long, long[]> blocks, List<Long> both, boolean pair) {
        if (!pair) {
            return List.of(
                    blocks.values().stream().flatMapToLong(Arrays::stream).toArray());
        }
        return both.stream().map(blocks::get).toList();
    }

    private static double mean(List<long[]> blocks) {
        return Units.micros(
                Moments.mean(blocks.stream().flatMapToLong(Arrays::stream).toArray()));
    }

    private static Results.Ratio ratio(RatioEstimate estimate) {
        return new Results.Ratio(
                Units.rounded(estimate.ratio(), 4),
                Units.rounded(estimate.low(), 4),
                Units.rounded(estimate.high(), 4));
    }
}
