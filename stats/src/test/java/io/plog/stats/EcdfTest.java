package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plog.stats.numbers.Longs;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class EcdfTest {
    @Test
    void fewSamplesAreAllKnots() {
        Ecdf ecdf = Ecdf.of(Longs.of(3, 5, 5, 8), 100);
        assertThat(ecdf.values()).containsExactly(3, 5, 8);
        assertThat(ecdf.ranks()).containsExactly(1, 3, 4);
    }

    @Test
    void everyKnotIsExactAndTheTailsHaveEverySample() {
        long[] samples = LongStream.range(0, 10_000).map(i -> i * i).toArray();
        Ecdf ecdf = Ecdf.of(Longs.of(samples), 100);
        assertThat(ecdf.values()).hasSizeLessThanOrEqualTo(100);
        for (int i = 0; i < ecdf.values().length; i++) {
            assertThat(ecdf.ranks()[i]).isEqualTo(Quantiles.countAtMost(Longs.of(samples), ecdf.values()[i]));
        }
        assertThat(ecdf.values()).startsWith(0, 1, 4, 9).endsWith(9998L * 9998, 9999L * 9999);
        assertThat(ecdf.ranks()).isSorted().doesNotHaveDuplicates().endsWith(9_999, 10_000);
    }

    /** Else one request in a thousand would have no place in a figure of millions. */
    @Test
    void eachDecadeOfATailHasKnots() {
        long[] samples = LongStream.range(0, 20_000_000).toArray();
        Ecdf ecdf = Ecdf.of(Longs.of(samples), 400);
        assertThat(ecdf.values()).hasSizeLessThanOrEqualTo(400);
        assertThat(ecdf.ranks()).isSorted().doesNotHaveDuplicates();
        for (long above = 100; above <= 1_000_000; above *= 10) {
            long from = 20_000_000 - 10 * above;
            long to = 20_000_000 - above;
            assertThat(LongStream.of(ecdf.ranks()).filter(rank -> rank > from && rank <= to))
                    .as("knots that %s to %s samples are above", above, 10 * above)
                    .hasSizeGreaterThanOrEqualTo(8);
        }
    }

    @Test
    void equalSamplesAreOneKnot() {
        Ecdf ecdf = Ecdf.of(Longs.of(LongStream.generate(() -> 7).limit(1000).toArray()), 50);
        assertThat(ecdf.values()).containsExactly(7);
        assertThat(ecdf.ranks()).containsExactly(1000);
    }

    /** Half widths of Massart (1990), 1.358 by the root of the number. */
    @Test
    void theBandIsThatOfMassart() {
        assertThat(Ecdf.band(1_000, 0.95)).isCloseTo(0.043, within(0.0005));
        assertThat(Ecdf.band(100_000, 0.95)).isCloseTo(0.0043, within(0.00005));
    }
}
