package io.plog.host.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatenessHistogramTest {
    @Test
    void quantilesOfWhatCameBetweenAreAtMostAQuarterHigh() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        LatenessHistogram lateness = new LatenessHistogram();
        for (int i = 0; i < 1_000; i++) {
            lateness.record(1_000_000_000); // before, and in none of the quantiles
        }
        List<Long> before = lateness.counts();
        long[] late = new long[5_000];
        for (int i = 0; i < late.length; i++) {
            late[i] = 1_024 + (long) Math.exp(random.nextDouble() * 18);
            lateness.record(late[i]);
        }
        Arrays.sort(late);
        for (double q : new double[] {0.01, 0.5, 0.9, 0.99, 0.999, 1}) {
            long exact = late[(int) Math.max(1, Math.ceil(q * late.length)) - 1];
            assertThat(LatenessHistogram.quantileNanos(before, lateness.counts(), q))
                    .as("quantile %s", q)
                    .isBetween(exact, exact + exact / 4 + 1);
        }
    }

    @Test
    void extremesHaveAPlaceAndNothingHasNoQuantile() {
        LatenessHistogram lateness = new LatenessHistogram();
        List<Long> before = lateness.counts();
        assertThat(LatenessHistogram.quantileNanos(before, before, 0.99)).isEqualTo(-1);
        lateness.record(0);
        assertThat(LatenessHistogram.quantileNanos(before, lateness.counts(), 1))
                .isEqualTo(1_024);
        lateness.record(Long.MAX_VALUE);
        assertThat(LatenessHistogram.quantileNanos(before, lateness.counts(), 1))
                .isGreaterThan(1_000_000_000_000L);
    }
}
