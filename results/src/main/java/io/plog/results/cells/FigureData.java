package io.plog.results.cells;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.plog.measure.samples.ForceLabel;
import io.plog.results.model.Results;
import io.plog.stats.Ecdf;
import io.plog.stats.LogBins;
import io.plog.stats.LogHistogram;
import io.plog.stats.Summary;
import io.plog.stats.numbers.Longs;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the figures draw beyond the results, small enough to be embedded. Latencies are whole nanoseconds: shorter as
 * text than microseconds, and exact.
 *
 * @param curves one for each cell and measure
 * @param lanes what interrupted client, server and machine, one for each side and kind; empty if nothing was recorded
 */
@SuppressWarnings("ArrayRecordComponent") // plain data on its way to JSON; never compared
public record FigureData(List<Drawn> curves, List<Lane> lanes) {
    public static final String LOGGING = "log";
    public static final String END_TO_END = "e2e";

    /** Of a directory's appends. */
    public static final String WRITE = "write";

    public static final String FORCE = "force";

    private static final double CONFIDENCE = 0.95;

    /**
     * A curve.
     *
     * @param dimensions what else distinguishes a directory's or a design's cell from others
     * @param measure {@code log} or {@code e2e}; of a directory's appends also {@code write} and {@code force}; of a workload the
     *     latency and its components, by their names
     * @param edges of its bins in microseconds, one more than bins; every bin has the same width in ln x. Those of {@code log} and
     *     {@code e2e} are the same in all cells
     * @param counts samples in each bin
     * @param ecdf its distribution function, in nanoseconds
     * @param series runs of consecutive requests; of a workload's part those of its first trial
     */
    public record Drawn(
            String target,
            String force,
            int payloadBytes,
            Map<String, String> dimensions,
            String measure,
            @JsonIgnore double[] edges,
            @JsonIgnore long[] counts,
            @JsonIgnore Ecdf ecdf,
            @JsonIgnore TimeSeries series) {
        public boolean isOf(Results.Cell cell) {
            return target.equals(cell.target())
                    && force.equals(cell.force())
                    && payloadBytes == cell.payloadBytes()
                    && dimensions.equals(cell.dimensions());
        }

        /** How many requests it is of. */
        @JsonProperty
        public long count() {
            return ecdf.count();
        }

        public boolean isLogging() {
            return measure.equals(LOGGING);
        }

        /** How people call what is measured of a request. */
        @JsonProperty
        public String words() {
            return isLogging() ? "logging" : "end to end";
        }

        /** Whether its target logs. */
        @JsonProperty
        public boolean logged() {
            return new ForceLabel(force).isLogged();
        }

        /** The points of its distribution function. */
        public Stream<Knot> knots() {
            double band = Ecdf.band(count(), CONFIDENCE);
            return IntStream.range(0, ecdf.values().length).mapToObj(at -> {
                long rank = ecdf.ranks()[at];
                double share = (double) rank / count();
                return new Knot(
                        this,
                        ecdf.values()[at] / 1000.0,
                        share,
                        Math.max(0, share - band),
                        Math.min(1, share + band),
                        count() - rank,
                        (double) (count() - rank) / count());
            });
        }

        public Stream<Bin> bins() {
            return IntStream.range(0, counts.length).mapToObj(at -> {
                double share = (double) counts[at] / count();
                double from = edges[at];
                double to = edges[at + 1];
                return new Bin(this, from, to, counts[at], share, share / Math.log(to / from), share / (to - from));
            });
        }

        /** The runs of its series. */
        public Stream<Run> runs() {
            return IntStream.range(0, series.first().length)
                    .mapToObj(at -> new Run(
                            this,
                            series.first()[at] + 1,
                            series.startMillis()[at],
                            series.endMillis()[at],
                            Micros.ofNanos(series.min()[at]),
                            Micros.ofNanos(series.median()[at]),
                            Micros.ofNanos(series.max()[at])));
        }
    }

    /**
     * A point of a distribution function.
     *
     * @param shareAtMost of the requests, which took as long at most
     * @param bandLow lower end of the 95 % band of that share
     * @param slower requests that took longer
     */
    public record Knot(
            Drawn curve,
            double micros,
            double shareAtMost,
            double bandLow,
            double bandHigh,
            long slower,
            double shareSlower) {}

    /**
     * A bin, its ends in microseconds.
     *
     * @param perLn density by the logarithm of the latency
     * @param perMicro density by the latency
     */
    public record Bin(Drawn curve, double from, double to, long count, double share, double perLn, double perMicro) {}

    /**
     * Consecutive requests, with the extremes and the median of their latencies in microseconds.
     *
     * @param firstRequest from 1
     * @param startMillis since the start of the run
     */
    public record Run(
            Drawn curve, long firstRequest, long startMillis, long endMillis, double min, double median, double max) {
        /** When it began. */
        @JsonProperty
        public double startSeconds() {
            return startMillis / 1000.0;
        }
    }

    /**
     * What interrupted one side, event by event, to be drawn under the time series.
     *
     * @param side {@code client}, {@code server} or {@code machine}
     * @param kind such as {@code gc} or {@code hiccup}
     * @param startMillis when each began, in milliseconds since the start of the run, ascending
     * @param lengthMillis how long each lasted
     */
    public record Lane(String side, String kind, double[] startMillis, double[] lengthMillis) {}

    public static FigureData of(List<CellAnalysis.Found> cells, List<Lane> lanes) {
        Map<String, LogBins> ofAll = new HashMap<>();
        for (String measure : List.of(LOGGING, END_TO_END)) {
            List<Summary> summaries = cells.stream()
                    .flatMap(cell -> cell.curves().stream())
                    .filter(curve -> curve.measure().equals(measure))
                    .map(Curve::summary)
                    .toList();
            if (!summaries.isEmpty()) {
                ofAll.put(measure, LogBins.forCurves(summaries));
            }
        }
        return new FigureData(
                cells.stream()
                        .flatMap(cell -> cell.curves().stream().map(curve -> {
                            LogBins common = ofAll.get(curve.measure());
                            return drawn(
                                    cell, curve, common == null ? LogBins.forCurves(List.of(curve.summary())) : common);
                        }))
                        .toList(),
                lanes);
    }

    private static Drawn drawn(CellAnalysis.Found cell, Curve curve, LogBins bins) {
        return new Drawn(
                cell.cell().target(),
                cell.cell().force(),
                cell.cell().payloadBytes(),
                cell.cell().dimensions(),
                curve.measure(),
                IntStream.rangeClosed(0, bins.bins())
                        .mapToDouble(i -> Units.rounded(bins.edge(i) / 1000, 4))
                        .toArray(),
                bins.counts(curve.histogram()),
                curve.ecdf(),
                curve.series());
    }

    /**
     * One distribution of a cell, as the figures need it: small, whatever the number of samples.
     *
     * @param measure as {@link FigureData.Drawn} has it
     */
    record Curve(String measure, Summary summary, LogHistogram histogram, Ecdf ecdf, TimeSeries series) {
        /** About one knot to a pixel and a half. */
        static final int KNOTS = 400;

        /** Of a study's many curves. */
        static final int STUDY_KNOTS = 200;

        /** Of sorted samples, with the time series of these or of some of them. */
        static Curve of(String measure, Longs ascending, TimeSeries series, int knots) {
            return new Curve(
                    measure, Summary.of(ascending), new LogHistogram(ascending), Ecdf.of(ascending, knots), series);
        }
    }
}
