package io.plog.results.cells;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class TimeSeriesTest {
    @Test
    void aRunNeverReachesFromOneTurnIntoTheNext() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 50; round++) {
            int n = 1 + random.nextInt(3000);
            int turnLength = 4 + random.nextInt(400);
            long[] values =
                    LongStream.range(0, n).map(i -> random.nextLong(1_000_000)).toArray();
            // between two turns lies a second
            TimeSeries series = series(values, turnLength, i -> i * 1_000_000L + i / turnLength * 1_000_000_000L);
            assertThat(series.first()[0]).as("seed %d round %d", seed, round).isZero();
            for (int run = 0; run < series.first().length; run++) {
                int first = (int) series.first()[run];
                int next = run + 1 < series.first().length ? (int) series.first()[run + 1] : n;
                assertThat(first / turnLength)
                        .as("seed %d round %d run %d", seed, round, run)
                        .isEqualTo((next - 1) / turnLength);
                assertThat(series.endMillis()[run] - series.startMillis()[run]).isLessThan(1000);
                assertThat(series.max()[run])
                        .isEqualTo(Arrays.stream(values, first, next).max().orElseThrow());
            }
        }
    }

    private static TimeSeries series(long[] values, int turnLength, IntToLongFunction sent) {
        Samples samples = new Samples(values.length);
        for (int i = 0; i < values.length; i++) {
            samples.begin();
            samples.set(Column.BLOCK, i / turnLength);
            samples.set(Column.SENT, sent.applyAsLong(i));
            samples.set(Column.END_TO_END, 500_000);
        }
        return TimeSeries.of(Longs.of(values), samples, Longs.of(values.length, i -> i));
    }

    @Test
    void turnsThatChangeAllTheTimeMakeNoMoreRuns() {
        long[] each = LongStream.range(0, 5000).toArray();
        TimeSeries series = series(each, 1, i -> i);
        assertThat(series.first()).hasSizeLessThanOrEqualTo(200);
        assertThat(series.max()[series.max().length - 1]).isEqualTo(4999);
    }
}
