package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleQuantilesTest {
    @ParameterizedTest(name = "share {0} of 1 to {1} is {2}")
    @CsvSource({
        "0, 100, 1", // the smallest
        "0.01, 100, 1", // exactly one of a hundred does not exceed it
        "0.5, 100, 50",
        "0.501, 100, 51",
        "0.99, 100, 99",
        "0.999, 100, 100", // fewer samples than the share asks for: the largest
        "1, 100, 100",
        "0.5, 1, 1",
        "0.5, 3, 2"
    })
    void aQuantileIsTheSmallestSampleThatTheShareDoesNotExceed(double share, int count, long expected) {
        assertThat(SampleQuantiles.of(LongStream.rangeClosed(1, count).toArray(), share))
                .isEqualTo(expected);
    }

    @Test
    void theMedianOfAnOddNumberIsTheMiddleOne() {
        assertThat(SampleQuantiles.median(new double[] {9, 1, 5})).isEqualTo(5);
    }

    @Test
    void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
        assertThat(SampleQuantiles.median(new double[] {9, 1, 5, 6})).isEqualTo(5.5);
    }

    @Test
    void theMedianLeavesTheValuesInTheirOrder() {
        double[] values = {3, 1, 2};
        SampleQuantiles.median(values);
        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void thereIsNoMedianOfNothing() {
        assertThatThrownBy(() -> SampleQuantiles.median(new double[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theSharesAreWhatFioCanBeAskedFor() {
        assertThat(SampleQuantiles.SHARES)
                .hasSizeLessThanOrEqualTo(20)
                .isSorted()
                .contains(0.5, 0.99, 0.999, 1.0);
    }
}
