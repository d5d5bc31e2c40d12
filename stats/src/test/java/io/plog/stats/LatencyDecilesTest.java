package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LatencyDecilesTest {
    @Test
    void inTheOrderOfSizesEachSeriesHasTwoAndAHalfBars() {
        long[] sizes = new long[1_000];
        Arrays.setAll(sizes, i -> 100 + i);
        LatencyDeciles found = LatencyDeciles.of(Longs.of(sizes), Longs.of(sizes));
        assertThat(found.series()).extracting(LatencyDeciles.Series::share).containsOnly(0.25);
        assertThat(found.shares().get(0)).containsExactly(1.0, 0.0, 0.0, 0.0);
        assertThat(found.shares().get(2)).containsExactly(0.5, 0.5, 0.0, 0.0);
        assertThat(found.shares().get(9)).containsExactly(0.0, 0.0, 0.0, 1.0);
    }

    @Test
    void aSizeIsNeverInTwoSeries() {
        long[] sizes = new long[100];
        Arrays.fill(sizes, 0, 60, 100);
        Arrays.fill(sizes, 60, 90, 1_000);
        Arrays.fill(sizes, 90, 100, 10_000);
        LatencyDeciles found = LatencyDeciles.of(Longs.of(sizes), Longs.of(sizes));
        assertThat(found.series())
                .containsExactly(
                        new LatencyDeciles.Series(100, 100, 0.6),
                        new LatencyDeciles.Series(1_000, 1_000, 0.3),
                        new LatencyDeciles.Series(10_000, 10_000, 0.1));
    }

    @Test
    void fourSizesOfEqualSharesAreFourSeries() {
        long[] sizes = new long[41];
        Arrays.setAll(sizes, i -> 1L << (i % 4));
        LatencyDeciles found = LatencyDeciles.of(Longs.of(sizes), Longs.of(sizes));
        assertThat(found.series()).extracting(LatencyDeciles.Series::fromBytes).containsExactly(1L, 2L, 4L, 8L);
        for (List<Double> decile : found.shares()) {
            assertThat(decile.stream().mapToDouble(share -> share).sum()).isCloseTo(1, within(1e-9));
        }
    }

    @Test
    void fewerThanTenResponsesHaveNoDeciles() {
        assertThatThrownBy(() -> LatencyDeciles.of(Longs.of(new long[9]), Longs.of(new long[9])))
                .hasMessageContaining("ten or more");
    }
}
