package io.plog.results.cells;

import io.plog.results.model.Results;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Interval;
import io.plog.results.model.Results.Peak;
import io.plog.stats.Estimate;
import io.plog.stats.Estimates;
import io.plog.stats.Moments;
import io.plog.stats.Peaks;
import io.plog.stats.Percentile;
import io.plog.stats.Quantiles;
import io.plog.stats.Replicates;
import io.plog.stats.SerialDependence;
import io.plog.stats.Summary;
import io.plog.stats.numbers.Longs;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statistics of a cell in the names and units of the results. Stateless. */
public final class CellStatistics {
    private CellStatistics() {}

    static Distribution distribution(Replicates samples) {
        Summary nanos = Summary.of(samples.ascending());
        Estimates estimates = Estimates.of(samples);
        return new Distribution(
                Micros.ofNanos(nanos.mean()),
                Micros.ofNanos(nanos.sd()),
                Micros.ofNanos(nanos.min()),
                Micros.ofNanos(nanos.max()),
                Interval.of(estimates.mean().map(Micros::ofNanos)),
                Percentile.quantiles().stream().map(q -> quantile(estimates, q)).toList());
    }

    private static Results.Quantile quantile(Estimates estimates, double q) {
        Estimate micros = estimates.quantile(q).map(Micros::ofNanos);
        return new Results.Quantile(q, micros.value(), Interval.of(micros));
    }

    static List<Peak> peaks(Replicates samples) {
        return Peaks.of(samples).stream()
                .map(peak -> new Peak(Micros.ofNanos(peak.value()), Units.rounded(peak.share(), 4)))
                .toList();
    }

    static SerialDependence dependence(Replicates samples) {
        SerialDependence found = SerialDependence.of(samples);
        return new SerialDependence(Units.rounded(found.lag1(), 4), Units.rounded(found.effectiveCount(), 1));
    }

    /**
     * Each trial by itself.
     *
     * @param logging null if nothing was logged
     */
    static List<Results.TrialPart> trials(BlockSeries endToEnd, @Nullable BlockSeries logging) {
        Map<Integer, Longs> logged = logging == null ? Map.of() : logging.byTrial();
        List<Results.TrialPart> parts = new ArrayList<>();
        endToEnd.byTrial().forEach((trial, series) -> {
            Longs ascending = series.sorted();
            Longs ofLog = logged.get(trial);
            Longs log = ofLog == null ? Longs.of() : ofLog.sorted();
            parts.add(new Results.TrialPart(
                    trial,
                    ascending.count(),
                    Micros.ofNanos(Moments.mean(ascending)),
                    Micros.ofNanos(Quantiles.of(ascending, 0.5)),
                    ofLog == null ? null : Micros.ofNanos(Moments.mean(log)),
                    ofLog == null ? null : Micros.ofNanos(Quantiles.of(log, 0.5))));
        });
        return parts;
    }
}
