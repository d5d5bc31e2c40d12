package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.results.model.Results;
import io.plog.stats.Quantiles;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Where the latency of a cell goes: at the mean, around the median and around the 99th percentile. Stateless. */
final class ComponentShares {
    /** Half of the width of the bands around the median and the 99th percentile, as a share of all requests. */
    private static final double AROUND_MEDIAN = 0.05;

    private static final double AROUND_P99 = 0.005;

    private ComponentShares() {}

    /** The shares of the counted requests of a cell. */
    static Results.Components of(Samples samples, int[] counted, RequestParts parts) {
        long[] ascending =
                Arrays.stream(counted).mapToLong(parts::latencyNanos).sorted().toArray();
        double execution = Arrays.stream(counted)
                .mapToLong(i -> samples.get(Column.EXECUTION, i))
                .average()
                .orElse(0);
        return new Results.Components(
                Micros.ofNanos(Arrays.stream(ascending).average().orElse(0)),
                Micros.ofNanos(execution),
                mean(parts, counted),
                mean(parts, around(0.5, AROUND_MEDIAN, parts, counted, ascending)),
                mean(parts, around(0.99, AROUND_P99, parts, counted, ascending)));
    }

    /** The requests from one quantile of the latency to another, both included. */
    private static int[] around(double q, double half, RequestParts parts, int[] counted, long[] ascending) {
        long from = Quantiles.of(ascending, q - half);
        long to = Quantiles.of(ascending, q + half);
        return Arrays.stream(counted)
                .filter(i -> parts.latencyNanos(i) >= from && parts.latencyNanos(i) <= to)
                .toArray();
    }

    private static List<Results.Part> mean(RequestParts parts, int[] members) {
        long[] sums = new long[LatencyPart.values().length];
        for (int sample : members) {
            long[] one = parts.of(sample);
            for (int i = 0; i < sums.length; i++) {
                sums[i] += one[i];
            }
        }
        return named(parts, sums, members.length);
    }

    /** The parts of one request. */
    static List<Results.Part> of(RequestParts parts, int sample) {
        return named(parts, parts.of(sample), 1);
    }

    /** @param sums each part's nanoseconds in so many requests */
    private static List<Results.Part> named(RequestParts of, long[] sums, int requests) {
        double total = Arrays.stream(sums).sum();
        long[] means = means(sums, requests);
        List<Results.Part> parts = new ArrayList<>();
        for (int i = 0; i < sums.length; i++) {
            double share = total == 0 ? 0 : Units.rounded(sums[i] / total, 5);
            parts.add(new Results.Part(of.names().get(i), Micros.ofNanos(means[i]), share));
        }
        return List.copyOf(parts);
    }

    /**
     * The means as whole numbers that add up to the mean of the total, each off by less than 1: what is cut off most is
     * rounded up first. In whole numbers throughout, since a double holds those of damaged samples no more.
     */
    private static long[] means(long[] sums, int requests) {
        long[] means =
                Arrays.stream(sums).map(sum -> Math.floorDiv(sum, requests)).toArray();
        long cutOff = Arrays.stream(sums)
                .map(sum -> Math.floorMod(sum, (long) requests))
                .sum();
        long roundedUp = (2 * cutOff + requests) / (2L * requests);
        IntStream.range(0, sums.length)
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> -Math.floorMod(sums[i], (long) requests)))
                .limit(roundedUp)
                .forEach(i -> means[i]++);
        return means;
    }
}
