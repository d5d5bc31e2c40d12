package io.plog.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * {@link Figures} as the page embeds them, in about half of the space: what ascends is given as differences to the value before,
 * the limits of a run as differences to each other. {@code series.js} and {@code main.js} add them up again.
 */
@SuppressWarnings("ArrayRecordComponent") // plain data on its way to JSON; nobody compares two of them
record EmbeddedFigures(
        Figures.@Nullable Bins logging, Figures.@Nullable Bins endToEnd, List<Curve> curves, List<Lane> lanes) {

    /**
     * A curve.
     *
     * @param ecdf values in nanoseconds and ranks, each less the one before
     */
    record Curve(
            String target, int payloadBytes, String measure, long count, long[] counts, long[][] ecdf, Series series) {}

    /**
     * Runs of requests.
     *
     * @param first each less the one before
     * @param min nanoseconds
     * @param median above the least
     * @param max above the median
     * @param start milliseconds, each less the one before; empty for logging, which is that of end to end
     * @param length milliseconds
     */
    record Series(int[] first, long[] min, long[] median, long[] max, int[] start, int[] length) {}

    /** Events of a kind: start, less the one before, and length, in tenths of a millisecond. */
    record Lane(String side, String kind, long[] start, long[] length) {}

    static EmbeddedFigures of(Figures figures) {
        return new EmbeddedFigures(
                figures.logging(),
                figures.endToEnd(),
                figures.curves().stream().map(EmbeddedFigures::curve).toList(),
                figures.lanes().stream().map(EmbeddedFigures::lane).toList());
    }

    private static Curve curve(Figures.Drawn drawn) {
        return new Curve(
                drawn.target(),
                drawn.payloadBytes(),
                drawn.measure(),
                drawn.count(),
                drawn.counts(),
                new long[][] {steps(drawn.ecdf()[0]), steps(drawn.ecdf()[1])},
                series(drawn.series(), drawn.isLogging()));
    }

    private static Series series(TimeSeries series, boolean logging) {
        int[] lengths = less(series.endMillis(), series.startMillis());
        return new Series(
                steps(series.first()),
                series.min(),
                less(series.median(), series.min()),
                less(series.max(), series.median()),
                logging ? new int[0] : steps(series.startMillis()),
                logging ? new int[0] : lengths);
    }

    private static Lane lane(Figures.Lane lane) {
        return new Lane(lane.side(), lane.kind(), steps(tenths(lane.startMillis())), tenths(lane.lengthMillis()));
    }

    private static long[] tenths(double[] millis) {
        return Arrays.stream(millis).mapToLong(value -> Math.round(value * 10)).toArray();
    }

    private static long[] steps(long[] values) {
        return IntStream.range(0, values.length)
                .mapToLong(i -> i == 0 ? values[0] : values[i] - values[i - 1])
                .toArray();
    }

    private static int[] steps(int[] values) {
        return IntStream.range(0, values.length)
                .map(i -> i == 0 ? values[0] : values[i] - values[i - 1])
                .toArray();
    }

    private static long[] less(long[] from, long[] what) {
        return IntStream.range(0, from.length).mapToLong(i -> from[i] - what[i]).toArray();
    }

    private static int[] less(int[] from, int[] what) {
        return IntStream.range(0, from.length).map(i -> from[i] - what[i]).toArray();
    }
}
