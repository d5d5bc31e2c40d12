package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.results.cells.FigureData.Curve;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Workload;
import io.plog.results.model.Results.WorkloadPart;
import io.plog.results.model.Wording;
import io.plog.stats.Comparison;
import io.plog.stats.Estimate;
import io.plog.stats.Estimates;
import io.plog.stats.Percentile;
import io.plog.stats.Replicates;
import io.plog.stats.Summary;
import io.plog.stats.numbers.Longs;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A mix of logged and read-only requests as the third study shows it: the latency and its components, waiting, service and network,
 * which add up to it.
 *
 * @param curves what the figures draw of each part
 */
record WorkloadFigures(Workload results, List<Curve> curves) {
    /** What the whole latency is called. */
    static final String LATENCY = "latency";

    /** The percentiles that the thesis gives as multiples of the median. */
    private static final List<Percentile> MULTIPLES = List.of(Percentile.P95, Percentile.P99, Percentile.P999);

    /**
     * The figures of one cell with requests that count.
     *
     * @param idleNetworkMicros what an exchange without load takes outside of the server; null if it is not known
     */
    static WorkloadFigures of(Samples samples, Longs counted, Groups blocks, @Nullable Double idleNetworkMicros) {
        LongUnaryOperator latency = i -> samples.get(Column.END_TO_END, i);
        Replicates whole = series(blocks, latency);
        List<WorkloadPart> parts = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
        parts.add(part(LATENCY, samples, counted, latency, whole, whole));
        curves.add(curve(LATENCY, samples, counted, latency, whole));
        for (LatencyPart.Group group : LatencyPart.OF_A_WORKLOAD) {
            LongUnaryOperator nanos = i -> group.nanos(samples, i);
            Replicates own = series(blocks, nanos);
            parts.add(part(group.name(true), samples, counted, nanos, own, whole));
            curves.add(curve(group.name(true), samples, counted, nanos, own));
        }
        return new WorkloadFigures(new Workload(parts, notes(parts, whole.count()), idleNetworkMicros), curves);
    }

    /** No duration is below 0, whatever a damaged file says. */
    private static Replicates series(Groups blocks, LongUnaryOperator nanos) {
        return BlockSeries.of(blocks, i -> Math.max(0, nanos.applyAsLong(i))).replicates();
    }

    private static WorkloadPart part(
            String name, Samples samples, Longs counted, LongUnaryOperator nanos, Replicates own, Replicates latency) {
        return new WorkloadPart(
                name,
                CellStatistics.distribution(own),
                CellStatistics.peaks(own),
                share(own, latency),
                MULTIPLES.stream()
                        .map(percentile -> multiple(own, percentile.q()))
                        .toList(),
                VarianceShares.of(samples, counted, nanos));
    }

    /** Of the mean; that of nothing is 0. */
    private static Estimate share(Replicates part, Replicates latency) {
        if (Summary.of(latency.ascending()).max() == 0) {
            return new Estimate(0, null, null);
        }
        return Summary.of(part.ascending()).max() == 0
                ? new Estimate(0, 0.0, 0.0)
                : StudentInterval.of(Comparison.of(part, latency, true).ratioOfMeans());
    }

    /** A quantile by the median. Their errors count as independent; they are not quite, which makes the interval wider than needed. */
    private static Estimate multiple(Replicates samples, double q) {
        Estimate tail = Estimates.of(samples).quantile(q);
        Estimate median = Estimates.of(samples).quantile(0.5);
        if (median.value() <= 0) {
            return new Estimate(0, null, null);
        }
        double value = tail.value() / median.value();
        return StudentInterval.of(new Estimate(
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

    /** Its series is that of the first trial: a page that shows one after another shows when they were made. */
    private static Curve curve(String name, Samples samples, Longs counted, LongUnaryOperator nanos, Replicates own) {
        long trial = samples.get(Column.TRIAL, counted.first());
        Longs ofFirst = counted.filter(i -> samples.get(Column.TRIAL, i) == trial);
        Longs values = ofFirst.map(i -> Math.max(0, nanos.applyAsLong(i)));
        return Curve.of(name, own.ascending(), TimeSeries.of(values, samples, ofFirst), Curve.STUDY_KNOTS);
    }

    /** What the study names: the tail as multiples of the median, the extremes as possible anomalies, and what makes the spread. */
    private static List<String> notes(List<WorkloadPart> parts, long count) {
        Distribution latency = parts.get(0).micros();
        double p999 = latency.at(Percentile.P999).micros();
        return List.of(
                String.format(
                        Locale.ROOT,
                        "p95, p99 and p99.9 are %.1f, %.1f and %.1f times the median.",
                        latency.at(Percentile.P95).micros() / latency.p50(),
                        latency.p99() / latency.p50(),
                        p999 / latency.p50()),
                String.format(
                        Locale.ROOT,
                        "The slowest of %,d requests took %,.0f µs, %.0f times the median%s",
                        count,
                        latency.max(),
                        latency.max() / latency.p50(),
                        latency.max() > 10 * p999 ? ": possibly an anomaly of this run." : "."),
                "Of the latency's variance, "
                        + parts.stream()
                                .skip(1)
                                .map(part -> part.name() + " makes "
                                        + Wording.of(part.shareOfVariance(), Units::wholePercent))
                                .collect(Collectors.joining(", "))
                        + ".");
    }
}
