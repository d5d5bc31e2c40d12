package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LevelChangeTest {
    private static final long SEED = 20_261_129;

    private static double[] noise(Random random, int length) {
        return IntStream.range(0, length)
                .mapToDouble(i -> 100 * Math.exp(random.nextGaussian()))
                .toArray();
    }

    @Test
    void aBurstIsFoundWithItsBeginningItsEndAndItsLevels() {
        double[] series = noise(new Random(SEED), 120);
        IntStream.range(40, 70).forEach(i -> series[i] *= 20);
        assertThat(LevelChange.of(series)).hasSize(2).satisfies(found -> {
            assertThat(found.get(0).at()).isBetween(37, 43);
            assertThat(found.get(1).at()).isBetween(67, 73);
            assertThat(found.get(0).before()).isBetween(60.0, 160.0);
            assertThat(found.get(0).after()).isBetween(1200.0, 3200.0);
            assertThat(found.get(1).after()).isBetween(60.0, 160.0);
        });
    }

    @Test
    void ofSeriesWithoutAChangeOneInAHundredHasOneAndShortOnesNone() {
        Random random = new Random(SEED);
        long alarms = IntStream.range(0, 2_000)
                .filter(i -> !LevelChange.of(noise(random, 60)).isEmpty())
                .count();
        assertThat(alarms).as("of 2,000, seed %d", SEED).isLessThanOrEqualTo(30);
        assertThat(LevelChange.of(new double[] {1, 1, 9, 9})).isEmpty();
        assertThat(LevelChange.of(new double[0])).isEmpty();
    }

    @Test
    void aChangeByLittleIsNone() {
        assertThat(LevelChange.of(IntStream.range(0, 60)
                        .mapToDouble(i -> i < 30 ? 100 : 110)
                        .toArray()))
                .isEmpty();
    }
}
