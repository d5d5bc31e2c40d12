package io.plog.report.cells;

import io.plog.stats.Comparison;
import io.plog.stats.Estimate;
import io.plog.stats.Estimates;
import io.plog.stats.Replicates;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a cell that only the claims need, with intervals.
 *
 * @param loggedWithinLimit the share of requests logged within 1000 µs; null if nothing was logged
 * @param endToEndByLogging mean end to end by mean logging latency; null if nothing was logged
 */
public record CellEstimates(
        @Nullable Estimate loggedWithinLimit, @Nullable Estimate endToEndByLogging) {
    /** The limit of the published claim about most logging operations. */
    public static final double LOGGED_WITHIN_MICROS = 1000;

    static CellEstimates of(Replicates endToEnd, @Nullable Replicates logging) {
        if (logging == null) {
            return new CellEstimates(null, null);
        }
        long limitNanos = Math.round(LOGGED_WITHIN_MICROS * 1000);
        return new CellEstimates(
                Estimates.of(logging).share(limitNanos),
                // Both are measures of the same requests, so each block has its partner.
                Comparison.of(endToEnd, logging, true).ratioOfMeans());
    }
}
