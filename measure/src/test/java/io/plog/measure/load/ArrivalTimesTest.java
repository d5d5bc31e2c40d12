package io.plog.measure.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.measure.Resumption;
import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.LoadMode;
import io.plog.measure.plan.Loop;
import io.plog.stats.text.Labelled;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ArrivalTimesTest {
    private static long[] times(Arrivals kind, double rate, long seed, int count) {
        Load plan = Load.on("127.0.0.1:" + 1, "a")
                .loop(new Loop.Open(1, rate, kind))
                .seed(seed);
        ArrivalTimes arrivals = new ArrivalTimes(plan, Resumption.begin(Path.of("none")), 0);
        return LongStream.generate(arrivals::take).limit(count).toArray();
    }

    @Test
    void constantArrivalsAreExactAndDoNotDrift() {
        // 2300/s has no whole number of nanoseconds between two.
        long[] times = times(Arrivals.CONSTANT, 2300, 1, 2_300_001);
        assertThat(times[0]).isZero();
        assertThat(times[1]).isEqualTo(434_782);
        assertThat(times[2300]).isBetween(999_999_999L, 1_000_000_000L);
        assertThat(times[2_300_000]).isBetween(999_999_999_999L, 1_000_000_000_000L);
    }

    /** Mean and variance of counts, and Kolmogorov and Smirnov's distance of the gaps from the exponential distribution. */
    @Test
    void poissonArrivalsHaveExponentialGaps() {
        int n = 100_000;
        double meanNanos = 1e9 / 5_000;
        long[] times = times(Arrivals.POISSON, 5_000, 20_261_121, n);
        double[] gaps = new double[n];
        for (int i = 0; i < n; i++) {
            gaps[i] = times[i] - (i == 0 ? 0 : times[i - 1]);
        }
        double mean = Arrays.stream(gaps).average().orElseThrow();
        double variance =
                Arrays.stream(gaps).map(gap -> (gap - mean) * (gap - mean)).sum() / (n - 1);
        assertThat(mean / meanNanos).isBetween(0.99, 1.01);
        assertThat(variance / (meanNanos * meanNanos)).isBetween(0.97, 1.03);
        Arrays.sort(gaps);
        double distance = 0;
        for (int i = 0; i < n; i++) {
            double expected = 1 - Math.exp(-gaps[i] / meanNanos);
            distance = Math.max(distance, Math.max((i + 1.0) / n - expected, expected - (double) i / n));
        }
        // 1 % level for n this large; constant gaps, or uniform ones, are at 0.1 and more.
        assertThat(distance).isLessThan(1.63 / Math.sqrt(n));
    }

    @Test
    void aSeedRepeatsItsArrivals() {
        long[] one = times(Arrivals.POISSON, 100, 7, 50);
        assertThat(times(Arrivals.POISSON, 100, 7, 50)).isEqualTo(one);
        assertThat(times(Arrivals.POISSON, 100, 8, 50)).isNotEqualTo(one);
    }

    @Test
    void unknownWordsNameTheNearest() {
        assertThatThrownBy(() -> Labelled.of("arrivals", "poison", Arrivals.values()))
                .hasMessage("arrivals is 'poison' (did you mean 'poisson'?): expected constant, poisson");
        assertThatThrownBy(() -> Labelled.of("load", "partly_open", LoadMode.values()))
                .hasMessageContaining("did you mean 'partly-open'?");
    }
}
