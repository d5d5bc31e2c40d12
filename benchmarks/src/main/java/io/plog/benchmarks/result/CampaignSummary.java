package io.plog.benchmarks.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a campaign found, over its rounds: for each cell and contestant the median of each figure.
 *
 * @param cells in the order of the table
 */
public record CampaignSummary(List<CellSummary> cells) {
    /**
     * One cell.
     *
     * @param limitPerSecond the median of the rounds' limits
     * @param rows the contestants, in the order of the table
     */
    public record CellSummary(Cell cell, double limitPerSecond, List<Row> rows) {
        /** The fastest of a kind, if one took part. */
        public Optional<Row> best(String kind) {
            return rows.stream().filter(row -> row.kind().equals(kind)).max(Comparator.comparingDouble(Row::ofLimit));
        }

        /** The row of a contestant, if it took part. */
        public Optional<Row> row(String contestant) {
            return rows.stream()
                    .filter(row -> row.contestant().equals(contestant))
                    .findFirst();
        }
    }

    /**
     * One contestant in one cell: medians over the rounds.
     *
     * @param ofLimit the median of the rounds' ratios to the limit of the same round
     */
    public record Row(
            String contestant,
            String kind,
            double appendsPerSecond,
            double ofLimit,
            double p50Micros,
            double p99Micros,
            double p999Micros,
            @Nullable Double cpuMicrosPerAppend,
            @Nullable Double allocatedBytesPerAppend,
            @Nullable Double flushesPerAppend,
            @Nullable Double deviceBytesPerPayloadByte,
            List<Double> latencyMicros) {}

    /** Sums a campaign up. The limit of a round is the best of the contestants of kind {@code LIMIT} in it. */
    public static CampaignSummary of(CampaignResults results) {
        List<CellSummary> cells = new ArrayList<>();
        for (Cell cell : results.cells()) {
            List<Measurement> measured = results.measurements().stream()
                    .filter(measurement -> measurement.cell().equals(cell.label()))
                    .toList();
            Map<Integer, Double> limits = limits(results, measured);
            List<Row> rows = new ArrayList<>();
            for (Map.Entry<String, String> kind : results.kinds().entrySet()) {
                List<Measurement> own = measured.stream()
                        .filter(measurement -> measurement.contestant().equals(kind.getKey()))
                        .toList();
                if (!own.isEmpty()) {
                    rows.add(row(kind.getKey(), kind.getValue(), own, limits));
                }
            }
            double limit = limits.isEmpty()
                    ? Double.NaN
                    : SampleQuantiles.median(
                            limits.values().stream().mapToDouble(x -> x).toArray());
            cells.add(new CellSummary(cell, limit, rows));
        }
        return new CampaignSummary(cells);
    }

    private static Map<Integer, Double> limits(CampaignResults results, List<Measurement> measured) {
        Map<Integer, Double> limits = new LinkedHashMap<>();
        for (Measurement measurement : measured) {
            if ("LIMIT".equals(results.kinds().get(measurement.contestant()))) {
                limits.merge(measurement.round(), measurement.appendsPerSecond(), Math::max);
            }
        }
        return limits;
    }

    private static Row row(String contestant, String kind, List<Measurement> own, Map<Integer, Double> limits) {
        return new Row(
                contestant,
                kind,
                median(own, Measurement::appendsPerSecond),
                median(
                        own,
                        measurement ->
                                measurement.appendsPerSecond() / limits.getOrDefault(measurement.round(), Double.NaN)),
                median(own, Measurement::p50Micros),
                median(own, Measurement::p99Micros),
                median(own, Measurement::p999Micros),
                medianIfKnown(own, Measurement::cpuMicrosPerAppend),
                medianIfKnown(own, Measurement::allocatedBytesPerAppend),
                medianIfKnown(own, Measurement::flushesPerAppend),
                medianIfKnown(own, Measurement::deviceBytesPerPayloadByte),
                distribution(own));
    }

    private static double median(List<Measurement> own, Function<Measurement, Double> figure) {
        return SampleQuantiles.median(own.stream().mapToDouble(figure::apply).toArray());
    }

    private static @Nullable Double medianIfKnown(
            List<Measurement> own, Function<Measurement, @Nullable Double> figure) {
        double[] known = own.stream()
                .map(figure)
                .filter(Objects::nonNull)
                .mapToDouble(x -> x)
                .toArray();
        return known.length == 0 ? null : SampleQuantiles.median(known);
    }

    private static List<Double> distribution(List<Measurement> own) {
        List<Double> medians = new ArrayList<>();
        for (int i = 0; i < SampleQuantiles.SHARES.size(); i++) {
            int at = i;
            medians.add(median(own, measurement -> measurement.latencyMicros().get(at)));
        }
        return medians;
    }
}
