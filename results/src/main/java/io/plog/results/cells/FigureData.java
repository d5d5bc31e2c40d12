package io.plog.results.cells;

import io.plog.stats.LogBins;
import io.plog.stats.Summary;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the figures draw beyond the results, small enough to be embedded. Latencies are whole nanoseconds: shorter as
 * text than microseconds, and exact.
 *
 * @param logging the bins of all logging-latency densities; null if nothing was logged
 * @param endToEnd the bins of all end-to-end densities; null if nothing was counted
 * @param curves one for each cell and measure
 * @param parts one for each component of each workload of a study
 * @param lanes what interrupted client, server and machine, one for each side and kind; empty if nothing was recorded
 */
@SuppressWarnings("ArrayRecordComponent") // plain data on its way to JSON; never compared
public record FigureData(
        @Nullable Bins logging, @Nullable Bins endToEnd, List<Drawn> curves, List<PartCurve> parts, List<Lane> lanes) {
    public static final String LOGGING = "log";
    public static final String END_TO_END = "e2e";

    /** Of a directory's appends. */
    public static final String WRITE = "write";

    public static final String FORCE = "force";

    /** Edges in microseconds, one more than bins; every bin has the same width in ln x. */
    public record Bins(double[] edges) {}

    /**
     * A curve.
     *
     * @param dimensions what else distinguishes a directory's cell from others
     * @param measure {@code log} or {@code e2e}; of a directory's appends also {@code write} and {@code force}
     * @param counts samples in each bin of its measure; none of the parts of an append
     * @param ecdf values and ranks of the distribution function
     * @param series runs of consecutive requests
     */
    public record Drawn(
            String target,
            String force,
            int payloadBytes,
            Map<String, String> dimensions,
            String measure,
            long count,
            long[] counts,
            long[][] ecdf,
            TimeSeries series) {

        public double shareAtMost(int knot) {
            return (double) ecdf[1][knot] / count;
        }

        public boolean isLogging() {
            return measure.equals(LOGGING);
        }
    }

    /**
     * A component of a workload's latency, or the latency.
     *
     * @param dimensions what distinguishes the cell from others of the design
     * @param ecdf values and ranks of the distribution function
     * @param edges of its bins in microseconds, one more than bins
     * @param counts samples in each bin
     * @param series its first trial in the order of time
     */
    public record PartCurve(
            String target,
            Map<String, String> dimensions,
            String part,
            long count,
            long[][] ecdf,
            double[] edges,
            long[] counts,
            List<Stretch> series) {}

    /**
     * The requests that were sent in one of a hundred equal stretches of the counted time.
     *
     * @param fromSeconds where it begins, from the beginning of the counted time
     */
    public record Stretch(double fromSeconds, double medianMicros, double maxMicros) {}

    /**
     * What interrupted one side, event by event, to be drawn under the time series.
     *
     * @param side {@code client}, {@code server} or {@code machine}
     * @param kind such as {@code gc} or {@code hiccup}
     * @param startMillis when each began, in milliseconds since the start of the run, ascending
     * @param lengthMillis how long each lasted
     */
    public record Lane(String side, String kind, double[] startMillis, double[] lengthMillis) {}

    /** The data of all cells, in their order. */
    public static FigureData of(List<CellAnalysis.Found> cells, List<Lane> lanes) {
        LogBins logging = bins(cells.stream().map(CellAnalysis.Found::logging));
        LogBins endToEnd = bins(cells.stream().map(CellAnalysis.Found::endToEnd));
        List<Drawn> curves = cells.stream()
                .flatMap(cell -> Stream.of(
                                drawn(cell, cell.logging(), logging, LOGGING),
                                drawn(cell, cell.endToEnd(), endToEnd, END_TO_END),
                                cell.parts().stream()
                                        .flatMap(part -> drawn(
                                                cell,
                                                part,
                                                null,
                                                part.measure() == Curve.Measure.WRITE ? WRITE : FORCE)))
                        .flatMap(drawn -> drawn))
                .toList();
        return new FigureData(
                edges(logging),
                edges(endToEnd),
                curves,
                cells.stream().flatMap(cell -> cell.workload().stream()).toList(),
                lanes);
    }

    private static @Nullable LogBins bins(Stream<@Nullable Curve> curves) {
        List<Summary> summaries = curves.filter(Objects::nonNull)
                .map(curve -> Objects.requireNonNull(curve).summary())
                .toList();
        return summaries.isEmpty() ? null : LogBins.forCurves(summaries);
    }

    private static @Nullable Bins edges(@Nullable LogBins bins) {
        return bins == null
                ? null
                : new Bins(IntStream.rangeClosed(0, bins.bins())
                        .mapToDouble(i -> Units.rounded(bins.edge(i) / 1000, 4))
                        .toArray());
    }

    private static Stream<Drawn> drawn(
            CellAnalysis.Found cell, @Nullable Curve curve, @Nullable LogBins bins, String measure) {
        if (curve == null) {
            return Stream.empty();
        }
        return Stream.of(new Drawn(
                cell.cell().target(),
                cell.cell().force(),
                cell.cell().payloadBytes(),
                cell.cell().dimensions(),
                measure,
                curve.ecdf().count(),
                bins == null ? new long[0] : bins.counts(curve.histogram()),
                new long[][] {curve.ecdf().values(), curve.ecdf().ranks()},
                curve.series()));
    }
}
