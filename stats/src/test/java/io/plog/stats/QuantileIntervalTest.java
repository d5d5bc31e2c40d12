package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantileIntervalTest {
    /** Held against the sums of the binomial probabilities themselves: one rank less would leave out more than 2.5 %. */
    @ParameterizedTest
    @CsvSource({
        "100000, 0.5, 49690, 50311",
        "100000, 0.95, 94864, 95136",
        "100000, 0.99, 98938, 99062",
        "100000, 0.999, 99880, 99920",
        "100000, 0.9999, 99983, 99997",
        "72, 0.95, 64, 72",
        "71, 0.95, 63, 0",
        "368, 0.99, 360, 368",
        "367, 0.99, 359, 0",
        "3, 0.5, 0, 0"
    })
    void ranksAreThoseOfTheBinomialDistribution(int count, double q, int low, int high) {
        QuantileInterval interval =
                QuantileInterval.of(LongStream.rangeClosed(1, count).toArray(), q, 0.95);
        assertThat(interval.lowRank()).isEqualTo(low);
        assertThat(interval.highRank()).isEqualTo(high);
        assertThat(interval.low()).isEqualTo(low == 0 ? 1 : low);
        assertThat(interval.high()).isEqualTo(high == 0 ? count : high);
        assertThat(interval.value()).isEqualTo(Quantiles.rank(count, q));
    }

    @Test
    void itCoversTheTrueQuantileAsOftenAsItSays() {
        SplittableRandom random = new SplittableRandom(5);
        int covered = 0;
        int repetitions = 4000;
        for (int i = 0; i < repetitions; i++) {
            long[] samples = random.longs(400, 0, 1_000_000).sorted().toArray();
            QuantileInterval interval = QuantileInterval.of(samples, 0.9, 0.95);
            if (interval.low() <= 900_000 && 900_000 <= interval.high()) {
                covered++;
            }
        }
        assertThat((double) covered / repetitions).isBetween(0.945, 0.965);
    }

    @Test
    void whatIsOutOfRangeIsRefused() {
        assertThatThrownBy(() -> QuantileInterval.of(new long[] {1}, 1, 0.95))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("quantile 1.0");
        assertThatThrownBy(() -> QuantileInterval.of(new long[0], 0.5, 0.95))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
