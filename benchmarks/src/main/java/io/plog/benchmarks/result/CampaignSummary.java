package io.plog.benchmarks.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
            @Nullable Double allocatedBytesPerAppend) {
        private String text() {
            return Stream.of(appendsPerSecond, ofLimit, p50Micros, p99Micros)
                    .map(MarkdownTable::number)
                    .collect(Collectors.joining("; "));
        }
    }

    /** Sums a campaign up. The limit of a round is the best of the contestants of kind {@code LIMIT} in it. */
    public static CampaignSummary of(CampaignResults results) {
        List<CellSummary> cells = new ArrayList<>();
        for (Cell cell : results.cells()) {
            List<Measurement> measured = results.measurements().stream()
                    .filter(measurement -> measurement.cell().equals(cell.label()))
                    .toList();
            Map<Integer, Double> limits = new LinkedHashMap<>();
            measured.stream()
                    .filter(each -> "LIMIT".equals(results.kinds().get(each.contestant())))
                    .forEach(each -> limits.merge(each.round(), each.appendsPerSecond(), Math::max));
            List<Row> rows = new ArrayList<>();
            results.kinds().forEach((contestant, kind) -> {
                List<Measurement> own = measured.stream()
                        .filter(measurement -> measurement.contestant().equals(contestant))
                        .toList();
                if (!own.isEmpty()) {
                    rows.add(row(contestant, kind, own, limits));
                }
            });
            cells.add(new CellSummary(cell, known(Medians.of(limits.values(), limit -> limit)), rows));
        }
        return new CampaignSummary(cells);
    }

    private static Row row(String contestant, String kind, List<Measurement> own, Map<Integer, Double> limits) {
        return new Row(
                contestant,
                kind,
                known(Medians.of(own, Measurement::appendsPerSecond)),
                known(Medians.of(own, each -> each.appendsPerSecond() / limits.getOrDefault(each.round(), Double.NaN))),
                known(Medians.of(own, Measurement::p50Micros)),
                known(Medians.of(own, Measurement::p99Micros)),
                known(Medians.of(own, Measurement::p999Micros)),
                Medians.of(own, Measurement::cpuMicrosPerAppend),
                Medians.of(own, Measurement::allocatedBytesPerAppend));
    }

    private static double known(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }

    /** As Markdown: a table with a column for each contestant, and where it ran. */
    public String markdown(CampaignResults results) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT, "`%s`, %d rounds, seed %d.%n%n", results.command(), results.rounds(), results.seed()));
        List<String> headings = new ArrayList<>(List.of("appends/s; of the limit; p50 µs; p99 µs"));
        headings.addAll(results.kinds().keySet());
        MarkdownTable table = new MarkdownTable(headings.toArray(String[]::new));
        for (CellSummary cell : cells) {
            List<Object> row = new ArrayList<>(List.of(cell.cell().label()));
            results.kinds()
                    .keySet()
                    .forEach(contestant ->
                            row.add(cell.row(contestant).map(Row::text).orElse("-")));
            table.row(row.toArray());
        }
        text.append(table).append('\n');
        results.environment().forEach((name, value) -> text.append("- " + name + ": " + value + "\n"));
        results.absent().forEach((name, why) -> text.append("- " + name + " did not take part: " + why + "\n"));
        return text.toString();
    }
}
