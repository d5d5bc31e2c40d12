package io.plog.results.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.results.Analysis;
import io.plog.results.FilledResults;
import io.plog.results.SyntheticRun;
import io.plog.results.model.Results;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the figures of a run draw is what its results and its samples say. */
final class RunTablesTest {
    private static final SyntheticRun RUN = SyntheticRun.of(1000, 11);

    @SuppressWarnings("NullAway.Init")
    private static Results results;

    @SuppressWarnings("NullAway.Init")
    private static Map<String, Table> tables;

    @BeforeAll
    static void compute() throws IOException {
        Analysis.Outcome outcome = FilledResults.of(RUN);
        results = outcome.results();
        tables = RunTables.of(results, outcome.figures()).stream()
                .collect(Collectors.toMap(Table::name, Function.identity()));
    }

    /** The rows of a table's CSV, each by column; no field of these tables holds a comma. */
    private static List<Map<String, String>> rows(String name) {
        String[] lines =
                Objects.requireNonNull(tables.get(name), name).csv().strip().split("\n", -1);
        String[] columns = lines[0].split(",", -1);
        return Arrays.stream(lines)
                .skip(1)
                .map(line -> {
                    String[] fields = line.split(",", -1);
                    assertThat(fields).as(line).hasSameSizeAs(columns);
                    Map<String, String> row = new HashMap<>();
                    for (int i = 0; i < fields.length; i++) {
                        row.put(columns[i], fields[i]);
                    }
                    return row;
                })
                .toList();
    }

    private static double number(Map<String, String> row, String column) {
        return Double.parseDouble(Objects.requireNonNull(row.get(column), column));
    }

    private static String cellOf(Map<String, String> row) {
        return row.get("measure") + "/" + row.get("target") + "/" + row.get("payload bytes");
    }

    private static Results.Distribution distribution(Map<String, String> row) {
        Results.Cell cell = results.cells().stream()
                .filter(one ->
                        one.target().equals(row.get("target")) && one.payloadBytes() == number(row, "payload bytes"))
                .findFirst()
                .orElseThrow();
        Results.@Nullable Distribution found =
                Objects.equals(row.get("measure"), "logging") ? cell.logMicros() : cell.endToEndMicros();
        return Objects.requireNonNull(found);
    }

    @Test
    void theSharesOfADensityCoverItsRequests() {
        Map<String, Double> counted = new HashMap<>();
        rows("density").forEach(row -> counted.merge(cellOf(row), number(row, "requests"), Double::sum));
        assertThat(counted).hasSize(25);
        assertThat(counted.values()).allSatisfy(n -> assertThat(n).isBetween(990.0, 1000.0));
        assertThat(rows("density")).allSatisfy(row -> {
            double share = number(row, "requests") / 1000;
            assertThat(number(row, "share")).isCloseTo(share, within(1e-6));
            assertThat(number(row, "density per µs") * (number(row, "to µs") - number(row, "from µs")))
                    .isCloseTo(share, within(1e-5));
            assertThat(number(row, "density per unit of ln(latency)")
                            * Math.log(number(row, "to µs") / number(row, "from µs")))
                    .isCloseTo(share, within(1e-5));
        });
    }

    @Test
    void theMeansAreThoseOfTheResults() {
        assertThat(rows("means")).hasSize(25).allSatisfy(row -> {
            Results.Distribution d = distribution(row);
            assertThat(number(row, "mean µs")).isEqualTo(d.mean());
            assertThat(number(row, "sd µs")).isEqualTo(d.sd());
            assertThat(number(row, "median µs")).isEqualTo(d.p50());
            Results.Interval interval = Objects.requireNonNull(d.meanInterval());
            assertThat(number(row, "mean low µs")).isEqualTo(Objects.requireNonNull(interval.low()));
            assertThat(number(row, "mean high µs")).isEqualTo(Objects.requireNonNull(interval.high()));
        });
    }

    @Test
    void withoutIntervalsTheirColumnsAreEmpty() throws IOException {
        Analysis.Outcome plain = Analysis.of(RUN);
        Table means = RunTables.of(FilledResults.withoutMeanIntervals(plain.results()), plain.figures()).stream()
                .filter(table -> table.name().equals("means"))
                .findFirst()
                .orElseThrow();
        assertThat(means.csv().lines().skip(1)).allMatch(line -> line.contains(",,,"));
    }

    @Test
    void theSlowestRequestEndsEveryDistributionFunctionAndTheTailIsTheRestOfIt() {
        Map<String, Double> greatest = new HashMap<>();
        for (Map<String, String> row : rows("ecdf")) {
            greatest.merge(cellOf(row), number(row, "latency µs"), Math::max);
            assertThat(number(row, "share at most")).isBetween(number(row, "band low"), number(row, "band high"));
            assertThat(number(row, "share at most") + number(row, "share slower"))
                    .isCloseTo(1, within(1e-7));
            assertThat(number(row, "requests slower")).isCloseTo(1000 * number(row, "share slower"), within(1e-3));
        }
        assertThat(rows("means")).hasSize(25).allSatisfy(row -> {
            assertThat(greatest).containsEntry(cellOf(row), distribution(row).max());
            assertThat(number(row, "max µs")).isEqualTo(distribution(row).max());
            assertThat(number(row, "min µs")).isEqualTo(distribution(row).min());
        });
    }

    @Test
    void theTimeSeriesLosesNoExtreme() {
        Map<String, Double> greatest = new HashMap<>();
        rows("series").forEach(row -> greatest.merge(cellOf(row), number(row, "max µs"), Math::max));
        rows("means")
                .forEach(row -> assertThat(greatest)
                        .containsEntry(cellOf(row), distribution(row).max()));
    }

    @Test
    void everyEventLiesUnderTheRequestsThatItFellOn() {
        assertThat(rows("interruptions")).isNotEmpty().allSatisfy(row -> {
            assertThat(number(row, "from request")).isBetween(1.0, 1000.0);
            assertThat(number(row, "to request")).isBetween(number(row, "from request"), 1000.0);
        });
    }

    @Test
    void thePartsAreThoseOfTheResults() {
        Set<String> expected = new HashSet<>();
        for (Results.Cell cell : results.cells()) {
            Results.Components found = Objects.requireNonNull(cell.components());
            found.parts().forEach(part -> expected.add(key(cell, "mean", part)));
            found.atMedian().forEach(part -> expected.add(key(cell, "median", part)));
            found.atP99().forEach(part -> expected.add(key(cell, "p99", part)));
        }
        assertThat(rows("components").stream()
                        .map(row -> row.get("target")
                                + row.get("payload bytes")
                                + row.get("at")
                                + row.get("part")
                                + number(row, "time µs")))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static String key(Results.Cell cell, String at, Results.Part part) {
        return cell.target() + cell.payloadBytes() + at + part.name() + part.micros();
    }

    @Test
    void theShiftFunctionHasEveryQuantileWithItsInterval() {
        assertThat(rows("shift")).hasSize(10 * FilledResults.QUANTILES.size());
        assertThat(rows("shift").stream().filter(row -> number(row, "quantile") == 0.999))
                .allSatisfy(row -> assertThat(row.get("high µs")).isEmpty());
    }

    @Test
    void onlyDistributionsOfSeveralPeaksHaveAnyNamed() {
        assertThat(rows("peaks")).hasSize(30).allSatisfy(row -> assertThat(row).containsEntry("measure", "end to end"));
    }

    @Test
    void theMappingHasNoKeywordThatNothingReads() throws IOException {
        JsonNode kinds = TableMapping.JSON.readTree(TableMapping.class.getResourceAsStream("tables.json"));
        assertThat(kinds.valueStream().flatMap(JsonNode::valueStream))
                .hasSizeGreaterThan(30)
                .allSatisfy(table -> assertThat(List.of("keys", "rows", "several", "having", "columns"))
                        .containsAll(table.properties().stream()
                                .map(Map.Entry::getKey)
                                .toList()));
    }

    @Test
    void aRunOfOneCellHasTablesToo() throws IOException {
        Analysis.Outcome small = Analysis.of(SyntheticRun.of(3, 1, List.of("write"), List.of(100)));
        assertThat(RunTables.of(small.results(), small.figures()))
                .extracting(Table::name)
                .contains("density", "means", "ecdf", "series");
        assertThat(RunTables.words(small.results())).containsEntry("subject", "The cost of durable logging");
        assertThat(RunTables.words(FilledResults.overHttp(small.results())))
                .containsEntry("subject", "A service over HTTP under load");
    }

    @Test
    void aFieldWithACommaIsQuotedAndWhatIsNoNumberIsEmpty() {
        Table table = Table.of("t", 1, "name", "latency:µs", "share:share")
                .row("a,\"b\"", Double.NaN, 1e-7)
                .row("c", null, 12.50);
        assertThat(table.csv()).isEqualTo("name,latency µs,share\n\"a,\"\"b\"\"\",,0.0000001\nc,,12.5\n");
        assertThat(table.packed()).extractingByKey("groups").asString().contains("values=[[null], [1.0E-7]]");
        assertThatThrownBy(() -> table.row("too few"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("t has 3 columns, a row with 1 was given");
    }
}
