package io.plog.results.cells;

import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.stats.Comparison;
import io.plog.stats.Estimate;
import io.plog.stats.Estimates;
import io.plog.stats.Percentile;
import io.plog.stats.Replicates;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a cell that the claims are judged by, not rounded as those of the results are, with intervals. Null if nothing was
 * logged.
 *
 * @param meanEndToEnd in microseconds
 * @param meanLogging in microseconds
 * @param loggedWithinLimit the share of requests logged within 1000 µs
 * @param endToEndByLogging mean end to end by mean logging latency
 */
public record CellEstimates(
        Cell cell,
        Estimate meanEndToEnd,
        @Nullable Estimate meanLogging,
        @Nullable Estimate loggedWithinLimit,
        @Nullable Estimate endToEndByLogging) {
    /** The limit of the published claim about most logging operations. */
    public static final double LOGGED_WITHIN_MICROS = 1000;

    static CellEstimates of(Cell cell, Replicates endToEnd, @Nullable Replicates logging) {
        Estimate meanEndToEnd = micros(Estimates.of(endToEnd).mean());
        if (logging == null) {
            return new CellEstimates(cell, meanEndToEnd, null, null, null);
        }
        Estimates logged = Estimates.of(logging);
        return new CellEstimates(
                cell,
                meanEndToEnd,
                micros(logged.mean()),
                logged.share(Math.round(LOGGED_WITHIN_MICROS * 1000)),
                // Both are measures of the same requests, so each block has its partner.
                Comparison.of(endToEnd, logging, true).ratioOfMeans());
    }

    private static Estimate micros(Estimate nanos) {
        return nanos.map(value -> value / 1000);
    }

    public int bytes() {
        return cell.payloadBytes();
    }

    /** Of a cell that logs. */
    public Estimate logging(Percentile which) {
        return Objects.requireNonNull(cell.logMicros()).at(which).estimate();
    }

    public Distribution endToEnd() {
        return Objects.requireNonNull(cell.endToEndMicros());
    }
}
