package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.stats.numbers.Longs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QuantilesTest {
    @ParameterizedTest(name = "{3}")
    @CsvSource({
        "1,      0.5,   1,     a single sample is every quantile",
        "1,      0.999, 1,     a single sample is every quantile",
        "5,      0,     1,     the 0-quantile is the minimum",
        "5,      0.5,   3,     an odd count has a middle",
        "4,      0.5,   2,     of two middles the lower",
        "5,      0.2,   1,     exactly on a rank",
        "5,      0.21,  2,     just above a rank",
        "5,      1,     5,     the 1-quantile is the maximum",
        "100,    0.95,  95,    0.95 * 100 is 95 although not in binary",
        "1000,   0.999, 999,   0.999 * 1000 is 999 although not in binary",
        "100000, 0.99,  99000, 0.99 * 100000",
        "2000,   0.999, 1998,  0.999 * 2000"
    })
    void rankIsTheCeilingOfTheProduct(long count, double q, long rank, String reason) {
        assertThat(Quantiles.rank(count, q)).as(reason).isEqualTo(rank);
    }

    @Test
    void everyQuantileIsAMeasuredValue() {
        assertThat(Quantiles.of(Longs.of(10, 20, 30, 40), 0.51)).isEqualTo(30);
    }

    @ParameterizedTest(name = "at most {0}: {1}")
    @CsvSource({"0, 0", "1, 1", "4, 1", "5, 4", "6, 4", "9, 5", "10, 5"})
    void countsSamplesUpToAndIncludingTheLimit(long limit, int count) {
        assertThat(Quantiles.countAtMost(Longs.of(1, 5, 5, 5, 9), limit)).isEqualTo(count);
    }

    @Test
    void refusesNothingAndQuantilesOutOfRange() {
        assertThatThrownBy(() -> Quantiles.rank(0, 0.5)).hasMessageContaining("count 0");
        assertThatThrownBy(() -> Quantiles.rank(5, 1.01)).hasMessageContaining("1.01");
        assertThatThrownBy(() -> Quantiles.rank(5, Double.NaN)).hasMessageContaining("NaN");
    }
}
