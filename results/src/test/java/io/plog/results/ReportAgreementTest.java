package io.plog.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.results.cells.FigureData;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Recomputes what the report says from the raw samples, in another and simpler way than the report does. */
final class ReportAgreementTest {
    private static final long SEED = 97;
    private static final SyntheticRun RUN = SyntheticRun.of(900, SEED);

    private static JsonNode json;
    private static String terminal;

    @BeforeAll
    static void writeOnce() throws IOException {
        Results results = Analysis.results(RUN);
        terminal = TerminalSummary.of(results);
        json = new ObjectMapper().readTree(ResultsFile.json(results));
    }

    private static long[] counted(LongUnaryOperator value, Samples samples) {
        return LongStream.range(0, samples.count())
                .filter(i -> samples.get(Column.PHASE, i) == 0 && samples.get(Column.STATUS, i) == 0)
                .map(value)
                .sorted()
                .toArray();
    }

    private static Samples samples(JsonNode cell) {
        return RUN.samples(
                cell.path("target").textValue(), cell.path("payloadBytes").intValue());
    }

    private static long[] endToEnd(JsonNode cell) {
        Samples samples = samples(cell);
        return counted(i -> samples.get(Column.END_TO_END, i), samples);
    }

    private static long[] logging(JsonNode cell) {
        Samples samples = samples(cell);
        return counted(
                i -> samples.get(Column.WAITING, i)
                        + samples.get(Column.BATCH_WAIT, i)
                        + samples.get(Column.WRITE, i)
                        + samples.get(Column.FORCE, i),
                samples);
    }

    private static void agrees(JsonNode found, long[] sorted) {
        double mean = Arrays.stream(sorted).average().orElseThrow();
        double squares =
                Arrays.stream(sorted).mapToDouble(x -> (x - mean) * (x - mean)).sum();
        assertThat(found.path("mean").doubleValue()).isCloseTo(mean / 1000, within(0.001));
        assertThat(found.path("sd").doubleValue())
                .isCloseTo(Math.sqrt(squares / (sorted.length - 1)) / 1000, within(0.001));
        // 900 samples: rank 45 of 900 is the 5th percentile, and so on
        int[] ranks = {1, 45, 225, 450, 675, 855, 891, 900, 900};
        String[] names = {"min", "p5", "p25", "p50", "p75", "p95", "p99", "p999", "max"};
        for (int i = 0; i < names.length; i++) {
            assertThat(found.path(names[i]).doubleValue()).as(names[i]).isEqualTo(sorted[ranks[i] - 1] / 1000.0);
        }
    }

    @Test
    void everyDistributionInTheJsonIsThatOfTheSamples() {
        assertThat(json.path("cells")).hasSize(15);
        for (JsonNode cell : json.path("cells")) {
            assertThat(cell.path("count").intValue()).isEqualTo(900);
            assertThat(cell.path("warmup").intValue()).isEqualTo(50);
            agrees(cell.path("endToEndMicros"), endToEnd(cell));
            if (cell.path("target").textValue().equals("off")) {
                assertThat(cell.path("logMicros").isNull()).isTrue();
            } else {
                agrees(cell.path("logMicros"), logging(cell));
            }
        }
    }

    /**
     * One trial of 10 blocks of 90, so Student's interval with 9 degrees of freedom over the means of the blocks; on the side
     * of the skewness it reaches further.
     */
    @Test
    void theIntervalOfAMeanIsThatOverItsBlocks() {
        for (JsonNode cell : json.path("cells")) {
            Samples samples = samples(cell);
            double[] means = new double[10];
            LongStream.range(0, samples.count())
                    .filter(i -> samples.get(Column.PHASE, i) == 0)
                    .forEach(i -> means[(int) samples.get(Column.BLOCK, i)] +=
                            samples.get(Column.END_TO_END, i) / 90.0 / 1000);
            double mean = Arrays.stream(means).average().orElseThrow();
            double squares =
                    Arrays.stream(means).map(m -> (m - mean) * (m - mean)).sum();
            double error = Math.sqrt(squares / 9 / 10);
            double cubes = Arrays.stream(endToEnd(cell))
                    .mapToDouble(nanos -> Math.pow(nanos / 1000.0 - mean, 3))
                    .sum();
            double skewness = Math.max(-1, Math.min(1, cubes / Math.pow(900, 3) / Math.pow(error, 3)));
            JsonNode interval = cell.path("endToEndMicros").path("meanInterval");
            double near = 2.262157163 * error + 0.4 * skewness * error;
            double far = 2.262157163 * error + 1.447153 * skewness * error;
            assertThat(interval.path("high").doubleValue() - mean).isCloseTo(skewness > 0 ? far : near, within(0.002));
            assertThat(mean - interval.path("low").doubleValue())
                    .isCloseTo(2 * 2.262157163 * error - (skewness > 0 ? near : far), within(0.002));
        }
    }

    @Test
    void theRestOfACellIsThatOfTheSamples() {
        for (JsonNode cell : json.path("cells")) {
            long[] sorted = endToEnd(cell);
            long range = sorted[674] - sorted[224];
            JsonNode outliers = cell.path("endToEndOutliers");
            assertThat(outliers.path("severeHigh").longValue())
                    .isEqualTo(Arrays.stream(sorted)
                            .filter(x -> x > sorted[674] + 3 * range)
                            .count());
            assertThat(outliers.path("mildHigh").longValue()
                            + outliers.path("severeHigh").longValue())
                    .isEqualTo(Arrays.stream(sorted)
                            .filter(x -> x > sorted[674] + 1.5 * range)
                            .count());
            JsonNode quantiles = cell.path("endToEndMicros").path("quantiles");
            assertThat(quantiles).hasSize(9);
            for (JsonNode quantile : quantiles) {
                int rank = (int) Math.ceil(quantile.path("q").doubleValue() * 900 - 1e-9);
                assertThat(quantile.path("micros").doubleValue()).isEqualTo(sorted[rank - 1] / 1000.0);
            }
            assertThat(quantiles.get(8).path("interval").path("high").isNull())
                    .as("900 requests do not bound the 99.99th percentile")
                    .isTrue();
            assertThat(cell.path("endToEndPeaks").get(0).path("micros").doubleValue())
                    .isBetween(sorted[224] / 1000.0, sorted[674] / 1000.0);
            assertThat(cell.path("dependence").path("effectiveCount").doubleValue())
                    .isBetween(100.0, 900.0);
            JsonNode trial = cell.path("trials").get(0);
            assertThat(trial.path("count").intValue()).isEqualTo(900);
            assertThat(trial.path("endToEndMean"))
                    .isEqualTo(cell.path("endToEndMicros").path("mean"));
            assertThat(trial.path("logMedian"))
                    .isEqualTo(
                            cell.path("logMicros").isNull()
                                    ? NullNode.getInstance()
                                    : cell.path("logMicros").path("p50"));
        }
    }

    @Test
    void theComponentsAddUpToTheMeanEndToEnd() {
        assertThat(json.path("cells")).hasSize(15);
        for (int i = 0; i < 15; i++) {
            JsonNode components = json.path("cells").get(i).path("components");
            double sum = 0;
            double shares = 0;
            for (JsonNode part : components.path("parts")) {
                sum += part.path("micros").doubleValue();
                shares += part.path("share").doubleValue();
            }
            double mean = json.path("cells")
                    .get(i)
                    .path("endToEndMicros")
                    .path("mean")
                    .doubleValue();
            assertThat(sum).isCloseTo(mean, within(0.01));
            assertThat(shares).isCloseTo(1, within(0.001));
            Samples samples = samples(json.path("cells").get(i));
            double force = Arrays.stream(counted(k -> samples.get(Column.FORCE, k), samples))
                    .average()
                    .orElseThrow();
            assertThat(components.path("parts").get(5).path("name").textValue()).isEqualTo("force");
            assertThat(components.path("parts").get(5).path("micros").doubleValue())
                    .isCloseTo(force / 1000, within(0.001));
        }
    }

    @Test
    void theOverheadIsTheRatioOfTheCells() {
        assertThat(json.path("overhead")).hasSize(10);
        for (JsonNode overhead : json.path("overhead")) {
            JsonNode logged = cell(
                    overhead.path("target").textValue(),
                    overhead.path("payloadBytes").intValue());
            JsonNode off = cell("off", overhead.path("payloadBytes").intValue());
            for (String[] pair : new String[][] {{"ratioOfMeans", "mean"}, {"ratioOfMedians", "p50"}}) {
                double expected = logged.path("endToEndMicros").path(pair[1]).doubleValue()
                        / off.path("endToEndMicros").path(pair[1]).doubleValue();
                JsonNode ratio = overhead.path(pair[0]);
                assertThat(ratio.path("ratio").doubleValue()).isCloseTo(expected, within(0.001));
                assertThat(ratio.path("low").doubleValue())
                        .isLessThanOrEqualTo(ratio.path("ratio").doubleValue());
                assertThat(ratio.path("high").doubleValue())
                        .isGreaterThanOrEqualTo(ratio.path("ratio").doubleValue());
            }
            assertThat(overhead.path("paired").booleanValue()).isTrue();
        }
    }

    private static JsonNode cell(String target, int bytes) {
        for (JsonNode cell : json.path("cells")) {
            if (cell.path("target").textValue().equals(target)
                    && cell.path("payloadBytes").intValue() == bytes) {
                return cell;
            }
        }
        throw new AssertionError("no cell " + target + " " + bytes);
    }

    @Test
    void everyCurveOfTheFiguresIsThatOfTheSamples() throws IOException {
        Analysis.Outcome outcome = Analysis.of(RUN);
        assertThat(outcome.figures().curves()).hasSize(25);
        for (FigureData.Drawn curve : outcome.figures().curves()) {
            JsonNode cell = cell(curve.target(), curve.payloadBytes());
            long[] sorted = curve.isLogging() ? logging(cell) : endToEnd(cell);
            double low = curve.edges()[0] * 1000;
            double high = curve.edges()[curve.edges().length - 1] * 1000;
            assertThat(Arrays.stream(curve.counts()).sum())
                    .isEqualTo(Arrays.stream(sorted)
                            .filter(x -> x >= low - 1 && x < high)
                            .count());
            for (int knot = 0; knot < curve.ecdf().values().length; knot++) {
                long most = curve.ecdf().values()[knot];
                assertThat(curve.ecdf().ranks()[knot])
                        .isEqualTo(Arrays.stream(sorted).filter(x -> x <= most).count());
            }
            assertThat(Arrays.stream(curve.series().max()).max().orElseThrow()).isEqualTo(sorted[sorted.length - 1]);
        }
    }

    @Test
    void theTerminalTableShowsTheFiguresOfTheSamples() {
        String[] lines = terminal.lines().toArray(String[]::new);
        for (JsonNode cell : json.path("cells")) {
            StringBuilder row = new StringBuilder("900");
            boolean off = cell.path("target").textValue().equals("off");
            append(row, off ? new long[0] : logging(cell));
            append(row, endToEnd(cell));
            String expected = row.toString();
            assertThat(Arrays.stream(lines).map(line -> line.replaceAll("[*+]? +", " ")))
                    .as("a row with %s", expected)
                    .anyMatch(line -> line.contains(cell.path("target").textValue() + " " + expected));
        }
    }

    private static void append(StringBuilder row, long[] sorted) {
        if (sorted.length == 0) {
            row.append(" - - -");
            return;
        }
        double mean = Math.round(Arrays.stream(sorted).average().orElseThrow()) / 1000.0;
        for (double micros : new double[] {mean, sorted[449] / 1000.0, sorted[890] / 1000.0}) {
            row.append(' ').append(shown(micros));
        }
    }

    private static String shown(double micros) {
        int digits = micros >= 99.95 ? 0 : micros >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + digits + "f", micros);
    }
}
