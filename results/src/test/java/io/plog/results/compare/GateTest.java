package io.plog.results.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plog.stats.Estimate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GateTest {
    private record Row(
            String text,
            String figure,
            Map<String, String> where,
            boolean above,
            boolean inclusive,
            boolean relative,
            double limit) {}

    private static final Map<String, String> ANY = Map.of();

    private static final List<Row> TABLE = List.of(
            new Row("endToEnd.p99 > 1.1x", "endToEnd.p99", ANY, true, false, true, 1.1),
            new Row("  log.p99>1.1x  ", "log.p99", ANY, true, false, true, 1.1),
            new Row(
                    "log.p50@target=main,size=1k > 500us",
                    "log.p50",
                    Map.of("target", "main", "size", "1000"),
                    true,
                    false,
                    false,
                    500),
            new Row("endToEnd.mean >= +10%", "endToEnd.mean", ANY, true, true, true, 1.1),
            new Row("write.mean < -5%", "write.mean", ANY, false, false, true, 0.95),
            new Row("force.max <= 10ms", "force.max", ANY, false, true, false, 10_000),
            new Row("force.p999@size=64KiB > 1s", "force.p999", Map.of("size", "65536"), true, false, false, 1e6),
            new Row("log.p5 @ target = a b > 2.5 µs", "log.p5", Map.of("target", "a b"), true, false, false, 2.5),
            new Row("log.p95 > 500ns", "log.p95", ANY, true, false, false, 0.5),
            new Row("requestsPerSecond < 900", "requestsPerSecond", ANY, false, false, false, 900),
            new Row("fromIntended.p99 > 10ms", "fromIntended.p99", ANY, true, false, false, 10_000),
            new Row("maxRate < 5000", "maxRate", ANY, false, false, false, 5_000),
            new Row("refusedShare > 0.05", "refusedShare", ANY, true, false, false, 0.05),
            new Row("answeredPerSecond < -5%", "answeredPerSecond", ANY, false, false, true, 0.95),
            new Row("lag.p99 > 1ms", "lag.p99", ANY, true, false, false, 1000));

    @Test
    void everyPartOfTheGrammarIsUnderstood() {
        for (Row row : TABLE) {
            Gate gate = Gate.parse(row.text);
            assertThat(gate.text()).isEqualTo(row.text.strip());
            assertThat(gate.figure().name()).as(row.text).isEqualTo(row.figure);
            assertThat(gate.where()).as(row.text).isEqualTo(row.where);
            assertThat(gate.above()).as(row.text).isEqualTo(row.above);
            assertThat(gate.inclusive()).as(row.text).isEqualTo(row.inclusive);
            assertThat(gate.relative()).as(row.text).isEqualTo(row.relative);
            assertThat(gate.limit()).as(row.text).isCloseTo(row.limit, within(1e-9 * row.limit));
        }
    }

    @Test
    void whatIsWrongIsSaidWithWhatWouldBeRight() {
        refuses(
                "log.p98 > 1.1x",
                "there is no figure log.p98",
                "did you mean log.p90?",
                ".p99, .p999, .p9999, .max",
                "lag.p50");
        refuses("lgo.p99 > 1ms", "no figure lgo.p99", "did you mean log.p99?");
        refuses("p99 > 1ms", "no figure p99", "endToEnd, fromIntended, log, write, force with one of .mean");
        refuses("log.p99 1.1x", "expected FIGURE[@DIMENSION=VALUE,...]", "endToEnd.p99 > 1.1x");
        refuses("", "expected FIGURE");
        refuses("log.p99 == 1x", "expected FIGURE");
        refuses("log.p99@main > 1x", "'main' behind the @, expected DIMENSION=VALUE");
        refuses("log.p99@target=a,target=b > 1x", "target is named twice");
        refuses("log.p99@size= > 1x", "'size=' behind the @");
        refuses("log.p99 > 1.1", "limit '1.1' of log.p99", "1.1x or +10%", "500us");
        refuses("refusedShare > 1ms", "limit '1ms' of refusedShare", "number as 900");
        refuses("log.p99 > -1ms", "limit '-1ms'");
        refuses("log.p99 > +1.1x", "limit '+1.1x'");
        refuses("log.p99 > 0x", "limit '0x'", "above 0");
        refuses("log.p99 > -100%", "limit '-100%'");
        refuses("log.p99 > 10%", "limit '10%'", "expected +10%");
        refuses("log.p99 > NaNx", "limit 'NaNx'");
        refuses("log.p99 > 1e3us", "limit '1e3us'");
        refuses("log.p99@size=many > 1ms", "size 'many'", "64KiB");
        refuses("log.p99@size=99999999999 > 1ms", "size '99999999999'");
    }

    private static void refuses(String text, String... words) {
        assertThatThrownBy(() -> Gate.parse(text))
                .as(text)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words)
                .hasMessageStartingWith("gate '" + text + "'")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aConditionIsAGateTurnedRound() {
        condition("p99 < 10ms", "fromIntended.p99", true, 10_000);
        condition(" p99.9 <= 50ms ", "fromIntended.p999", false, 50_000);
        condition("p99.99 < 1s", "fromIntended.p9999", true, 1e6);
        condition("max < 1s", "fromIntended.max", true, 1e6);
        condition("log.p50 < 500us", "log.p50", true, 500);
        condition("refusedShare <= 0.01", "refusedShare", false, 0.01);
        assertThat(Gate.ofCondition("p99@size=1k < 10ms").where()).isEqualTo(Map.of("size", "1000"));
    }

    private static void condition(String text, String figure, boolean inclusive, double limit) {
        Gate gate = Gate.ofCondition(text);
        assertThat(gate.text()).isEqualTo(text.strip());
        assertThat(gate.figure().name()).isEqualTo(figure);
        assertThat(gate.above()).as("it fails above the limit").isTrue();
        assertThat(gate.inclusive()).as(text).isEqualTo(inclusive);
        assertThat(gate.limit()).isEqualTo(limit);
    }

    @Test
    void whatCannotBeKeptIsNoCondition() {
        for (String text : List.of("p99 > 10ms", "p99 < 1.1x", "p99 < +10%", "answeredPerSecond < 5", "maxRate < 5")) {
            assertThatThrownBy(() -> Gate.ofCondition(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("condition '" + text + "'", "then < or <=", "'p99 < 10ms'");
        }
        assertThatThrownBy(() -> Gate.ofCondition("p98 < 10ms")).hasMessageContaining("there is no figure p98");
        assertThatThrownBy(() -> Gate.ofCondition("p99 < 10")).hasMessageContaining("time as 500us or 10ms");
    }

    @Test
    void aRateWithAnIntervalFailsOnlyIfAllOfItIsBeyondTheLimit() {
        Estimate rate = new Estimate(4_870, 4_870.0, 5_110.0);
        assertThat(outcome("maxRate < 4800", rate)).isEqualTo(Assessment.Outcome.HOLDS);
        assertThat(outcome("maxRate < 5000", rate)).isEqualTo(Assessment.Outcome.UNDECIDED);
        assertThat(outcome("maxRate < 5200", rate)).isEqualTo(Assessment.Outcome.FAILS);
        Estimate atLeast = new Estimate(4_870, 4_870.0, null);
        assertThat(outcome("maxRate < 4800", atLeast)).isEqualTo(Assessment.Outcome.HOLDS);
        assertThat(outcome("maxRate < 5200", atLeast)).isEqualTo(Assessment.Outcome.UNDECIDED);
        assertThat(outcome("maxRate < 1", new Estimate(0, 0.0, 0.5))).isEqualTo(Assessment.Outcome.FAILS);
    }

    private static Assessment.Outcome outcome(String gate, Estimate rate) {
        return new GateCheck(Gate.parse(gate), Map.of()).ofValue(null, rate).outcome();
    }

    @Test
    void aFigureAtTheLimitIsBeyondItOnlyIfTheOperatorSaysSo() {
        assertThat(Gate.parse("log.p99 > 1ms").isBeyond(1000)).isFalse();
        assertThat(Gate.parse("log.p99 >= 1ms").isBeyond(1000)).isTrue();
        assertThat(Gate.parse("log.p99 < 1ms").isBeyond(1000)).isFalse();
        assertThat(Gate.parse("log.p99 <= 1ms").isBeyond(1000)).isTrue();
        assertThat(Gate.parse("log.p99 > 1ms").isBeyond(1001)).isTrue();
        assertThat(Gate.parse("log.p99 < 1ms").isBeyond(999)).isTrue();
        assertThat(Gate.parse("log.p99 < 1ms").isBeyond(1001)).isFalse();
    }
}
