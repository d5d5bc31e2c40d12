package io.plog.report.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class GateTest {
    private record Row(
            String text,
            Measure measure,
            Statistic figure,
            String target,
            int payloadBytes,
            boolean above,
            boolean inclusive,
            boolean relative,
            double limit) {}

    private static final int ANY = -1;

    private static final List<Row> TABLE = List.of(
            new Row("p99 > 1.1x", Measure.END_TO_END, Statistic.P99, "", ANY, true, false, true, 1.1),
            new Row("  p99>1.1x  ", Measure.END_TO_END, Statistic.P99, "", ANY, true, false, true, 1.1),
            new Row(
                    "log.p50@main:1k > 500us",
                    Measure.LOGGING,
                    Statistic.P50,
                    "main",
                    1000,
                    true,
                    false,
                    false,
                    500_000),
            new Row("e2e.mean >= +10%", Measure.END_TO_END, Statistic.MEAN, "", ANY, true, true, true, 1.1),
            new Row("mean < -5%", Measure.END_TO_END, Statistic.MEAN, "", ANY, false, false, true, 0.95),
            new Row("max <= 10ms", Measure.END_TO_END, Statistic.MAX, "", ANY, false, true, false, 10_000_000),
            new Row("p999:64KiB > 1s", Measure.END_TO_END, Statistic.P999, "", 65_536, true, false, false, 1e9),
            new Row("p5@disk-2 > 2.5 µs", Measure.END_TO_END, Statistic.P5, "disk-2", ANY, true, false, false, 2_500),
            new Row("log.p95 > 0ns", Measure.LOGGING, Statistic.P95, "", ANY, true, false, false, 0),
            new Row("p95 @main :100 > 2x", Measure.END_TO_END, Statistic.P95, "main", 100, true, false, true, 2));

    @Test
    void everyPartOfTheGrammarIsUnderstood() {
        for (Row row : TABLE) {
            Gate gate = Gate.parse(row.text);
            assertThat(gate.text()).isEqualTo(row.text.strip());
            assertThat(gate.measure()).as(row.text).isEqualTo(row.measure);
            assertThat(gate.figure()).as(row.text).isEqualTo(row.figure);
            assertThat(gate.target().orElse("")).as(row.text).isEqualTo(row.target);
            assertThat(gate.payloadBytes().orElse(ANY)).as(row.text).isEqualTo(row.payloadBytes);
            assertThat(gate.above()).as(row.text).isEqualTo(row.above);
            assertThat(gate.inclusive()).as(row.text).isEqualTo(row.inclusive);
            assertThat(gate.relative()).as(row.text).isEqualTo(row.relative);
            assertThat(gate.limit()).as(row.text).isCloseTo(row.limit, within(1e-9 * row.limit));
        }
    }

    @Test
    void whatIsWrongIsSaidWithWhatWouldBeRight() {
        refuses("p98 > 1.1x", "there is no figure p98", "did you mean p95?", "mean, p5, p50, p95, p99, p999, max");
        refuses("lgo.p99 > 1ms", "no figure lgo.p99", "did you mean log.p99?");
        refuses("median > 1ms", "no figure median", "did you mean mean?");
        refuses("p99 1.1x", "expected FIGURE[@TARGET][:SIZE]", "p99 > 1.1x");
        refuses("", "expected FIGURE");
        refuses("p99 == 1x", "expected FIGURE");
        refuses("p99 > 1.1", "limit '1.1'", "1.1x or +10%", "500us");
        refuses("p99 > -1ms", "limit '-1ms'");
        refuses("p99 > +1.1x", "limit '+1.1x'");
        refuses("p99 > 0x", "limit '0x'", "above 0");
        refuses("p99 > -100%", "limit '-100%'");
        refuses("p99 > 10%", "limit '10%'", "expected +10%");
        refuses("p99 > NaNx", "limit 'NaNx'");
        refuses("p99 > 1e3us", "limit '1e3us'");
        refuses("p99:many > 1ms", "size 'many'", "64KiB");
        refuses("p99:99999999999 > 1ms", "size '99999999999'");
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
    void aFigureAtTheLimitIsBeyondItOnlyIfTheOperatorSaysSo() {
        assertThat(Gate.parse("p99 > 1ms").isBeyond(1e6)).isFalse();
        assertThat(Gate.parse("p99 >= 1ms").isBeyond(1e6)).isTrue();
        assertThat(Gate.parse("p99 < 1ms").isBeyond(1e6)).isFalse();
        assertThat(Gate.parse("p99 <= 1ms").isBeyond(1e6)).isTrue();
        assertThat(Gate.parse("p99 > 1ms").isBeyond(1e6 + 1)).isTrue();
        assertThat(Gate.parse("p99 < 1ms").isBeyond(1e6 - 1)).isTrue();
        assertThat(Gate.parse("p99 < 1ms").isBeyond(1e6 + 1)).isFalse();
    }
}
