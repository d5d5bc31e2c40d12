package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class LogBinsTest {
    private static final long SEED = 20261120;

    private static long[] logNormal(int count, double median, double sigma) {
        SplittableRandom random = new SplittableRandom(SEED);
        long[] samples = new long[count];
        Arrays.setAll(samples, i -> Math.round(median * Math.exp(sigma * random.nextGaussian())));
        return samples;
    }

    private static Summary summary(long[] samples) {
        long[] sorted = samples.clone();
        Arrays.sort(sorted);
        return Summary.of(Longs.of(sorted));
    }

    @Test
    void theWidthIsFreedmanAndDiaconisOnTheLogarithm() {
        Summary curve = new Summary(1000, 0, 0, 1, 100, 300, 1, 1);
        assertThat(LogBins.freedmanDiaconis(curve)).isCloseTo(2 * Math.log(3) / 10, within(1e-12));
    }

    @Test
    void binsCoverTheSamplesUpToThe999thPermille() {
        long[] samples = logNormal(10_000, 100_000, 0.2);
        LogBins bins = LogBins.forCurves(List.of(summary(samples)));
        long counted =
                Arrays.stream(bins.counts(new LogHistogram(Longs.of(samples)))).sum();
        assertThat(counted).as("seed %s", SEED).isBetween(9_990L, 10_000L);
        assertThat(bins.edge(0)).isLessThanOrEqualTo((double) summary(samples).min());
        assertThat(bins.edge(bins.bins()))
                .isGreaterThanOrEqualTo((double) summary(samples).p999());
    }

    @Test
    void aFewSlowRequestsDoNotExplodeTheNumberOfBins() {
        long[] samples = logNormal(100_000, 300_000, 0.2);
        for (int i = 0; i < 300; i++) {
            samples[i * 300] = 50_000_000;
        }
        LogBins bins = LogBins.forCurves(List.of(summary(samples)));
        assertThat(bins.bins()).as("seed %s", SEED).isBetween(50, 400);
    }

    @Test
    void equalSamplesStillHaveABin() {
        long[] samples = new long[100];
        Arrays.fill(samples, 5_000);
        LogBins bins = LogBins.forCurves(List.of(summary(samples)));
        assertThat(bins.counts(new LogHistogram(Longs.of(samples)))).containsExactly(100);
    }

    @Test
    void everyBinCountsTheSamplesBetweenItsEdges() {
        long[] samples = logNormal(5_000, 50_000, 0.5);
        LogBins bins = LogBins.forCurves(List.of(summary(samples)));
        long[] counts = bins.counts(new LogHistogram(Longs.of(samples)));
        for (int bin = 0; bin < bins.bins(); bin++) {
            double low = bins.edge(bin);
            double high = bins.edge(bin + 1);
            long expected =
                    Arrays.stream(samples).filter(x -> x >= low && x < high).count();
            assertThat(counts[bin]).as("bin %s, seed %s", bin, SEED).isEqualTo(expected);
        }
    }

    @Test
    void whatIsBeyondTheGridIsCountedAtItsEnds() {
        LogHistogram histogram = new LogHistogram(Longs.of(0, Long.MAX_VALUE));
        assertThat(histogram.count(0, 1)).isEqualTo(1);
        assertThat(histogram.count(0, Integer.MAX_VALUE)).isEqualTo(2);
    }
}
