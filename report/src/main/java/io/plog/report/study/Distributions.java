package io.plog.report.study;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Latency;
import io.plog.report.study.StudyResults.Point;
import io.plog.stats.Ecdf;
import io.plog.stats.Estimates;
import io.plog.stats.Quantiles;
import io.plog.stats.Replicates;
import io.plog.stats.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** From the samples of a cell's trials to the figures of a distribution, in microseconds. Stateless. */
final class Distributions {
    private static final int MOST_POINTS = 200;
    private static final double NANOS_PER_MICRO = 1_000;

    /** A duration of one sample, in nanoseconds. */
    @FunctionalInterface
    interface Duration {
        long nanos(Samples samples, int index);
    }

    private Distributions() {}

    /** From sending to the reply. */
    static long latency(Samples samples, int index) {
        return samples.get(Column.END_TO_END, index);
    }

    /** From the intended time of sending to the reply. */
    static long fromIntended(Samples samples, int index) {
        return samples.get(Column.END_TO_END, index)
                + Math.max(0, samples.get(Column.SENT, index) - samples.get(Column.INTENDED, index));
    }

    /** The trials and blocks of a duration; empty if nothing counts. Blocks and trials without samples are left out. */
    static Optional<Replicates> replicates(List<CellData> trials, Duration duration) {
        List<List<long[]>> all = new ArrayList<>();
        for (CellData trial : trials) {
            List<long[]> blocks = blocks(trial.samples(), duration);
            if (!blocks.isEmpty()) {
                all.add(blocks);
            }
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(Replicates.of(all));
    }

    private static List<long[]> blocks(Samples samples, Duration duration) {
        Map<Long, LongStream.Builder> blocks = new TreeMap<>();
        for (int i = 0; i < samples.count(); i++) {
            blocks.computeIfAbsent(samples.get(Column.BLOCK, i), block -> LongStream.builder())
                    .add(Math.max(0, duration.nanos(samples, i)));
        }
        return blocks.values().stream().map(block -> block.build().toArray()).toList();
    }

    /** The figures of a latency. */
    static Latency latency(Replicates samples) {
        Summary summary = Summary.of(samples.ascending());
        Estimates estimates = Estimates.of(samples);
        return new Latency(
                summary.count(),
                micros(estimates.mean()),
                micros(summary.p5()),
                micros(estimates.quantile(0.5)),
                micros(Quantiles.of(samples.ascending(), 0.9)),
                micros(estimates.quantile(0.95)),
                micros(summary.p99()),
                micros(summary.p999()),
                micros(summary.min()),
                micros(summary.max()));
    }

    /** Points of the distribution function, exact at its ends. */
    static List<Point> ecdf(Replicates samples) {
        Ecdf ecdf = Ecdf.of(samples.ascending(), MOST_POINTS);
        return IntStream.range(0, ecdf.values().length)
                .mapToObj(i -> new Point(
                        micros(ecdf.values()[i]), StudyEstimates.rounded((double) ecdf.ranks()[i] / ecdf.count(), 6)))
                .toList();
    }

    static double micros(double nanos) {
        return StudyEstimates.rounded(nanos / NANOS_PER_MICRO, 3);
    }

    private static double micros(long nanos) {
        return micros((double) nanos);
    }

    static Estimate micros(io.plog.stats.Estimate nanos) {
        // No duration is below 0, whatever the arithmetic of an interval says of few samples.
        return StudyEstimates.of(nanos.map(value -> Math.max(0, value / NANOS_PER_MICRO)));
    }
}
