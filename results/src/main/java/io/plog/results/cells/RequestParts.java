package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.ForceLabel;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import io.plog.protocol.ServiceKind;
import io.plog.results.model.Results;
import io.plog.stats.Quantiles;
import io.plog.stats.numbers.Longs;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The parts of the latency of each request of a cell. */
final class RequestParts {
    /** Half of the width of the bands around the median and the 99th percentile, as a share of all requests. */
    private static final double AROUND_MEDIAN = 0.05;

    private static final double AROUND_P99 = 0.005;

    /** What a target says that executes nothing during its force. */
    private static final String AFTER_FORCE = "after the force";

    private final Samples samples;
    private final boolean executesOnPath;
    private final boolean open;
    private final boolean unread;

    /**
     * Reads nothing yet.
     *
     * @param open whether requests had intended times
     * @param unread whether requests may wait unread for an event loop that blocks
     */
    RequestParts(RunInfo.Target target, Samples samples, boolean open, boolean unread) {
        this.samples = samples;
        this.open = open;
        this.unread = unread;
        executesOnPath = target.forceLabel().equals(ForceLabel.OFF)
                || ServiceKind.ofLabel(target.facts().getOrDefault("service", ""))
                        .filter(ServiceKind::isOrdered)
                        .isPresent()
                || target.facts().getOrDefault("executes", "").equals(AFTER_FORCE);
    }

    List<String> names() {
        return LatencyPart.names(unread);
    }

    /** When the request began: its intended time if there are any, else when it was sent. */
    long beginNanos(long sample) {
        return samples.get(open ? Column.INTENDED : Column.SENT, sample);
    }

    /** When its reply had arrived. */
    long endNanos(long sample) {
        return samples.get(Column.SENT, sample) + samples.get(Column.END_TO_END, sample);
    }

    long latencyNanos(long sample) {
        return endNanos(sample) - beginNanos(sample);
    }

    /** In the order of {@link LatencyPart}; their sum is {@link #latencyNanos}. */
    long[] of(long sample) {
        return LatencyPart.nanos(samples, sample, beginNanos(sample), executesOnPath);
    }

    /**
     * Where the latency of these requests goes: at the mean, around the median and around the 99th percentile.
     *
     * @param ascending their latencies
     */
    Results.Components components(Longs counted, Longs ascending) {
        double latency = 0;
        double execution = 0;
        for (long i = 0; i < counted.count(); i++) {
            latency += ascending.get(i);
            execution += samples.get(Column.EXECUTION, counted.get(i));
        }
        return new Results.Components(
                Micros.ofNanos(latency / counted.count()),
                Micros.ofNanos(execution / counted.count()),
                mean(counted, Long.MIN_VALUE, Long.MAX_VALUE),
                around(0.5, AROUND_MEDIAN, counted, ascending),
                around(0.99, AROUND_P99, counted, ascending));
    }

    /** The requests from one quantile of the latency to another, both included. */
    private List<Results.Part> around(double q, double half, Longs counted, Longs ascending) {
        return mean(counted, Quantiles.of(ascending, q - half), Quantiles.of(ascending, q + half));
    }

    private List<Results.Part> mean(Longs counted, long from, long to) {
        long[] sums = new long[LatencyPart.values().length];
        long members = 0;
        for (long at = 0; at < counted.count(); at++) {
            long sample = counted.get(at);
            long latency = latencyNanos(sample);
            if (latency >= from && latency <= to) {
                long[] one = of(sample);
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += one[i];
                }
                members++;
            }
        }
        return named(sums, members);
    }

    /** The parts of one request. */
    List<Results.Part> components(long sample) {
        return named(of(sample), 1);
    }

    /** @param sums each part's nanoseconds in so many requests */
    private List<Results.Part> named(long[] sums, long requests) {
        double total = Arrays.stream(sums).sum();
        long[] means = means(sums, requests);
        List<Results.Part> parts = new ArrayList<>();
        for (int i = 0; i < sums.length; i++) {
            double share = total == 0 ? 0 : Units.rounded(sums[i] / total, 5);
            parts.add(new Results.Part(names().get(i), Micros.ofNanos(means[i]), share));
        }
        return List.copyOf(parts);
    }

    /**
     * The means as whole numbers that add up to the mean of the total, each off by less than 1: what is cut off most is
     * rounded up first. In whole numbers throughout, since a double holds those of damaged samples no more.
     */
    private static long[] means(long[] sums, long requests) {
        long[] means =
                Arrays.stream(sums).map(sum -> Math.floorDiv(sum, requests)).toArray();
        long cutOff =
                Arrays.stream(sums).map(sum -> Math.floorMod(sum, requests)).sum();
        long roundedUp = (2 * cutOff + requests) / (2 * requests);
        IntStream.range(0, sums.length)
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> -Math.floorMod(sums[i], requests)))
                .limit(roundedUp)
                .forEach(i -> means[i]++);
        return means;
    }
}
