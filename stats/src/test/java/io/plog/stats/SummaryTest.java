package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class SummaryTest {
    @Test
    void summarisesAWorkedExample() {
        Summary summary = Summary.of(Longs.of(2, 4, 4, 4, 5, 5, 7, 9));
        assertThat(summary.mean()).isEqualTo(5);
        assertThat(summary.sd()).isCloseTo(Math.sqrt(32.0 / 7), within(1e-12)); // squares 9+1+1+1+0+0+4+16 = 32
        assertThat(summary.min()).isEqualTo(2);
        assertThat(summary.p25()).isEqualTo(4);
        assertThat(summary.p75()).isEqualTo(5);
        assertThat(summary.max()).isEqualTo(9);
    }

    @Test
    void aSingleSampleHasNoSpread() {
        assertThat(Summary.of(Longs.of(7)).sd()).isZero();
    }

    @Test
    void refusesNothing() {
        assertThatThrownBy(() -> Summary.of(Longs.of())).hasMessageContaining("at least 1");
    }

    @Test
    void theMeanLosesNothingNextToAHugeSample() {
        long[] samples = new long[1001];
        Arrays.fill(samples, 1);
        samples[0] = 1L << 60; // plain summation drops each 1 that follows
        assertThat(Moments.mean(Longs.of(samples)) * 1001).isCloseTo((double) ((1L << 60) + 1000), within(512.0));
    }

    @Test
    void countsWhatIsFarAboveTheMedian() {
        long[] samples = {10, 10, 10, 10, 20, 21, 51, 101, 1001};
        assertThat(Tail.of(Longs.of(Arrays.copyOf(samples, 7)))).isEqualTo(new Tail(2, 1, 0, 0));
        assertThat(Tail.of(Longs.of(LongStream.concat(LongStream.of(1, 1, 1), Arrays.stream(samples))
                        .sorted()
                        .toArray())))
                .isEqualTo(new Tail(4, 3, 2, 1));
    }
}
