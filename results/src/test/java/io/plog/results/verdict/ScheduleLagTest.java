package io.plog.results.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScheduleLagTest {
    @ParameterizedTest(name = "lag: mean {0}, p99 {1}; latency: mean 200, median 100, p99 1000: {2}")
    @CsvSource({
        "1, 10, IN_TIME",
        "1, 11, NOTICEABLE", // a tenth of the median, not of the 99th percentile
        "20, 100, NOTICEABLE",
        "21, 10, TOO_MUCH", // few requests, but very late ones
        "1, 101, TOO_MUCH",
    })
    void aLagIsHeldAgainstMeanMedianAndTail(double lagMean, double lagP99, ScheduleLag expected) {
        assertThat(ScheduleLag.of(lagMean, lagP99, 200, 100, 1000)).isEqualTo(expected);
    }
}
