package io.plog.client.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class EcdfTest {
    @Test
    void fewSamplesAreAllKnots() {
        Ecdf ecdf = Ecdf.of(new long[] {3, 5, 5, 8}, 100);
        assertThat(ecdf.values()).containsExactly(3, 5, 8);
        assertThat(ecdf.ranks()).containsExactly(1, 3, 4);
    }

    @Test
    void everyKnotIsExactAndTheTailsHaveEverySample() {
        long[] samples = LongStream.range(0, 10_000).map(i -> i * i).toArray();
        Ecdf ecdf = Ecdf.of(samples, 100);
        assertThat(ecdf.values()).hasSizeLessThanOrEqualTo(100);
        for (int i = 0; i < ecdf.values().length; i++) {
            assertThat(ecdf.ranks()[i]).isEqualTo(Quantiles.countAtMost(samples, ecdf.values()[i]));
        }
        assertThat(ecdf.values()).startsWith(0, 1, 4, 9).endsWith(9998L * 9998, 9999L * 9999);
        assertThat(ecdf.ranks()).isSorted().doesNotHaveDuplicates().endsWith(9_999, 10_000);
    }

    @Test
    void equalSamplesAreOneKnot() {
        Ecdf ecdf = Ecdf.of(LongStream.generate(() -> 7).limit(1000).toArray(), 50);
        assertThat(ecdf.values()).containsExactly(7);
        assertThat(ecdf.ranks()).containsExactly(1000);
    }
}
