package io.plog.results.cells;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
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
            long[] turn = LongStream.range(0, n).map(i -> i / turnLength).toArray();
            // between two turns lies a second
            long[] sent = LongStream.range(0, n)
                    .map(i -> i * 1_000_000 + i / turnLength * 1_000_000_000)
                    .toArray();
            long[] done = LongStream.of(sent).map(at -> at + 500_000).toArray();
            TimeSeries series = TimeSeries.of(values, new TimeSeries.Timing(turn, sent, done));
            assertThat(series.first()[0]).as("seed %d round %d", seed, round).isZero();
            for (int run = 0; run < series.first().length; run++) {
                int next = run + 1 < series.first().length ? series.first()[run + 1] : n;
                assertThat(turn[series.first()[run]])
                        .as("seed %d round %d run %d", seed, round, run)
                        .isEqualTo(turn[next - 1]);
                assertThat(series.endMillis()[run] - series.startMillis()[run]).isLessThan(1000);
                assertThat(series.max()[run])
                        .isEqualTo(Arrays.stream(values, series.first()[run], next)
                                .max()
                                .orElseThrow());
            }
        }
    }

    @Test
    void turnsThatChangeAllTheTimeMakeNoMoreRuns() {
        long[] each = LongStream.range(0, 5000).toArray();
        TimeSeries series = TimeSeries.of(each, new TimeSeries.Timing(each, each, each));
        assertThat(series.first()).hasSizeLessThanOrEqualTo(200);
        assertThat(series.max()[series.max().length - 1]).isEqualTo(4999);
    }
}
