package io.plog.report.study;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.study.StudyCell;
import io.plog.report.cells.LatencyPart;
import io.plog.report.study.StudyResults.DensityBin;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Latency;
import io.plog.report.study.StudyResults.Peak;
import io.plog.report.study.StudyResults.Row;
import io.plog.report.study.StudyResults.Workload;
import io.plog.stats.Estimates;
import io.plog.stats.LogBins;
import io.plog.stats.LogHistogram;
import io.plog.stats.Peaks;
import io.plog.stats.Replicates;
import io.plog.stats.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A mix of logged and read-only requests as the third study shows it: the latency and its components, waiting, service and
 * network, which add up to it. Stateless.
 */
final class WorkloadAnalysis {
    /** What a row's latency is called. */
    static final String LATENCY = "latency";

    /** The percentiles that the thesis gives as multiples of the median. */
    private static final List<Double> MULTIPLES = List.of(0.95, 0.99, 0.999);

    static final String WAITING = LatencyPart.OF_A_WORKLOAD.get(0).name();
    static final String SERVICE = LatencyPart.OF_A_WORKLOAD.get(1).name();
    static final String NETWORK = LatencyPart.OF_A_WORKLOAD.get(2).name();

    private WorkloadAnalysis() {}

    /**
     * The figures of one mix; empty if no request of it was accepted.
     *
     * @param trials at least one
     */
    static Optional<Workload> of(List<CellData> trials) {
        Optional<Replicates> latency = Distributions.replicates(trials, Distributions::latency);
        if (latency.isEmpty()) {
            return Optional.empty();
        }
        double mean = Distributions.latency(latency.get()).mean().value();
        List<Row> rows = new ArrayList<>();
        StudyCell cell = trials.get(0).cell();
        rows.add(row(LATENCY, trials, Distributions::latency, latency.get(), mean));
        LatencyPart.OF_A_WORKLOAD.forEach(group ->
                rows.add(row(group.name(cell.design().forcesOnLoop()), trials, group::nanos, latency.get(), mean)));
        return Optional.of(new Workload(
                cell.workload(),
                cell.design().label(),
                cell.loggedShare(),
                StudyEstimates.rounded(
                        trials.stream()
                                .map(CellData::summary)
                                .mapToDouble(LoadSummary::answeredPerSecond)
                                .average()
                                .orElse(0),
                        3),
                rows,
                notes(rows, latency.get()),
                roundTrip(trials)));
    }

    private static Replicates of(List<CellData> trials, Distributions.Duration duration) {
        return Distributions.replicates(trials, duration).orElseThrow();
    }

    /**
     * The shortest of the exchanges that related the two clocks, which went on before and after the load. Their uncertainty is half
     * of a round trip.
     */
    private static @Nullable Double roundTrip(List<CellData> trials) {
        OptionalLong least = trials.stream()
                .flatMap(trial -> trial.events().stream())
                .filter(events -> events.side().equals(SideEvents.SERVER) && events.uncertaintyNanos() > 0)
                .mapToLong(events -> 2 * events.uncertaintyNanos())
                .min();
        return least.isEmpty() ? null : (Double) Distributions.micros((double) least.getAsLong());
    }

    private static Row row(
            String name,
            List<CellData> trials,
            Distributions.Duration duration,
            Replicates whole,
            double meanOfLatency) {
        Replicates samples = of(trials, duration);
        Latency latency = Distributions.latency(samples);
        return new Row(
                name,
                latency,
                meanOfLatency == 0 ? 0 : StudyEstimates.rounded(latency.mean().value() / meanOfLatency, 6),
                Peaks.of(samples).stream()
                        .map(peak ->
                                new Peak(Distributions.micros(peak.value()), StudyEstimates.rounded(peak.share(), 6)))
                        .toList(),
                Distributions.ecdf(samples),
                density(samples),
                meanOfLatency == 0
                        ? new Estimate(0, null, null)
                        : latency.max() == 0
                                ? new Estimate(0, 0.0, 0.0)
                                : StudyEstimates.of(io.plog.stats.Comparison.of(samples, whole, true)
                                        .ratioOfMeans()),
                MULTIPLES.stream().map(q -> multiple(samples, q)).toList(),
                VarianceShares.of(trials, duration),
                Stretches.of(trials.get(0), duration));
    }

    /** A quantile by the median. Their errors count as independent; they are not quite, which makes the interval wider than needed. */
    private static Estimate multiple(Replicates samples, double q) {
        io.plog.stats.Estimate tail = Estimates.of(samples).quantile(q);
        io.plog.stats.Estimate median = Estimates.of(samples).quantile(0.5);
        if (median.value() <= 0) {
            return new Estimate(0, null, null);
        }
        double value = tail.value() / median.value();
        return StudyEstimates.of(new io.plog.stats.Estimate(
                value,
                end(value, tail.value(), tail.low(), median.value(), median.high(), -1),
                end(value, tail.value(), tail.high(), median.value(), median.low(), 1)));
    }

    /** Zou and Donner (2008) on logarithms: an end of a ratio from the ends of both figures that move it that way. */
    private static @Nullable Double end(
            double value, double above, @Nullable Double aboveEnd, double below, @Nullable Double belowEnd, int side) {
        if (aboveEnd == null || belowEnd == null || aboveEnd <= 0 || belowEnd <= 0) {
            return null;
        }
        return value * Math.exp(side * Math.hypot(Math.log(aboveEnd / above), Math.log(belowEnd / below)));
    }

    private static List<DensityBin> density(Replicates samples) {
        LogBins bins = LogBins.forCurves(List.of(Summary.of(samples.ascending())));
        long[] counts = bins.counts(new LogHistogram(samples.ascending()));
        List<DensityBin> density = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            density.add(new DensityBin(
                    Distributions.micros(bins.edge(i)),
                    Distributions.micros(bins.edge(i + 1)),
                    StudyEstimates.rounded((double) counts[i] / samples.count(), 6)));
        }
        return density;
    }

    /** What the study names: the tail as multiples of the median, the extremes as possible anomalies, and what makes the spread. */
    private static List<String> notes(List<Row> rows, Replicates samples) {
        Latency latency = rows.get(0).latency();
        double median = latency.p50().value();
        List<String> notes = new ArrayList<>();
        notes.add(String.format(
                Locale.ROOT,
                "p95, p99 and p99.9 are %.1f, %.1f and %.1f times the median.",
                latency.p95().value() / median,
                latency.p99() / median,
                latency.p999() / median));
        notes.add(String.format(
                Locale.ROOT,
                "The slowest of %,d requests took %,.0f µs, %.0f times the median%s",
                samples.count(),
                latency.max(),
                latency.max() / median,
                latency.max() > 10 * latency.p999() ? ": possibly an anomaly of this run." : "."));
        notes.add("Of the latency's variance, "
                + rows.stream()
                        .skip(1)
                        .map(row -> row.component() + " makes " + VarianceShares.text(row.shareOfVariance()))
                        .collect(Collectors.joining(", "))
                + ".");
        return notes;
    }
}
