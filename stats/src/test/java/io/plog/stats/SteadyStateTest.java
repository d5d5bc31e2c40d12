package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class SteadyStateTest {
    private static final int COUNT = 4_000;

    /** Log-normal noise of 20 % around a level, with a tail. */
    private static long[] series(long seed, IntToDoubleFunction level) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] samples = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            double gauss = random.doubles(12).sum() - 6;
            double tail = random.nextInt(500) == 0 ? 50 : 1;
            samples[i] = (long) (level.applyAsDouble(i) * Math.exp(0.2 * gauss) * tail);
        }
        return samples;
    }

    private static long mser(double... values) {
        return SteadyState.mser(Longs.of(
                Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray()));
    }

    @Test
    void theWorkedExampleOfTheRule() {
        // Of the rest behind the cut the sums of squares are 102.8, 0 and 0; over n squared the first 0 with most
        // values wins.
        assertThat(mser(17, 1, 1, 1, 1, 1)).isEqualTo(1);
        assertThat(mser(1, 1, 1, 1, 1, 1)).isEqualTo(0);
        assertThat(mser(9, 9, 9, 1, 1, 1)).isEqualTo(3);
    }

    @Test
    void aSteadySeriesIsSteadyFromTheStart() {
        long warmUps = 0;
        for (long seed = 0; seed < 50; seed++) {
            SteadyState state = SteadyState.of(Longs.of(series(seed, i -> 100_000)));
            assertThat(state.verdict()).isEqualTo(SteadyState.Verdict.STEADY);
            warmUps += state.warmUp();
        }
        assertThat(warmUps / 50).isLessThan(COUNT / 10);
    }

    @Test
    void aWarmUpIsCutOffWhereItEnds() {
        for (long seed = 0; seed < 50; seed++) {
            SteadyState state = SteadyState.of(Longs.of(series(seed, i -> i < 600 ? 400_000 - 500 * i : 100_000)));
            assertThat(state.verdict()).isEqualTo(SteadyState.Verdict.STEADY);
            assertThat(state.warmUp()).isBetween(450L, 1_500L);
        }
    }

    @Test
    void aSeriesThatGetsSlowerAllTheTimeDrifts() {
        for (long seed = 0; seed < 50; seed++) {
            SteadyState state = SteadyState.of(Longs.of(series(seed, i -> 100_000 * (1 + 0.3 * i / COUNT))));
            assertThat(state.verdict()).isNotEqualTo(SteadyState.Verdict.STEADY);
            assertThat(state.drift()).isBetween(1.05, 1.35);
        }
    }

    /** The windows' middles are 19/20 of what lies behind the cut apart. */
    private static double behindTheCut(SteadyState state, double exponent) {
        return Math.exp(exponent * (1 - (double) state.warmUp() / COUNT) * 19 / 20);
    }

    @Test
    void aFallIsAFactorThatStaysAboveNothing() {
        for (long seed = 0; seed < 50; seed++) {
            for (double exponent : new double[] {-4, 4}) {
                SteadyState state =
                        SteadyState.of(Longs.of(series(seed, i -> 1_000_000 * Math.exp(exponent * i / COUNT))));
                double expected = behindTheCut(state, exponent);
                assertThat(state.drift() / expected).isBetween(0.9, 1.1);
                assertThat(state.driftsBeyond(5)).isTrue();
                assertThat(state.driftsBeyond(60)).isFalse();
            }
        }
    }

    @Test
    void theEndsOfATrendAreAsFarApartAsItsFirstAndLastWindow() {
        SteadyState state = SteadyState.of(Longs.of(series(3, i -> 100_000 * Math.exp(2.0 * i / COUNT))));
        double last = 100_000 * Math.exp(2 * (1 - (1 - (double) state.warmUp() / COUNT) / 40));
        assertThat(state.driftNanos() / (last - last / behindTheCut(state, 2))).isBetween(0.9, 1.1);
        assertThat(SteadyState.of(Longs.of(series(3, i -> 100_000))).driftNanos())
                .isLessThan(3_000);
    }

    @Test
    void aSeriesThatChangesLateIsNeverSteady() {
        long[] samples = series(1, i -> i < 3_000 ? 100_000 : 300_000);
        assertThat(SteadyState.of(Longs.of(samples)).verdict()).isNotEqualTo(SteadyState.Verdict.STEADY);
    }

    @Test
    void aFewSamplesSayNothing() {
        assertThat(SteadyState.of(Longs.of(Arrays.copyOf(series(1, i -> 100), 199)))
                        .verdict())
                .isEqualTo(SteadyState.Verdict.TOO_FEW);
    }
}
