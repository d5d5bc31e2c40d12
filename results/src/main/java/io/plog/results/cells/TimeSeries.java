package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Quantiles;
import io.plog.stats.numbers.Longs;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A cell's latencies in the order of time, cut into runs of about equally many requests, each with its least, middle and greatest: no
 * extreme is lost, as it would be if requests were left out. A run ends where the cell's turn in a block ends: between two turns other
 * cells run, so a run across both would cover time that is not its own.
 *
 * @param first index of each run's first request, from 0
 * @param min least latency of each run in nanoseconds
 * @param median median latency of each run
 * @param max greatest latency of each run
 * @param startMillis when the run's first request was sent, since the start of the run
 * @param endMillis when its last reply had arrived
 */
@SuppressWarnings("ArrayRecordComponent") // plain data for a figure; never compared
public record TimeSeries(long[] first, long[] min, long[] median, long[] max, int[] startMillis, int[] endMillis) {
    private static final int RUNS = 200;
    private static final int MOST_TURNS = 4 * RUNS;

    /**
     * About 200 runs, or one to a turn if there are more turns than that. Where turns change all the time, as with several
     * clients whose samples were merged, they are not heeded.
     *
     * @param values a latency for each of the requests
     * @param which numbers of the requests' samples
     */
    static TimeSeries of(Longs values, Samples samples, Longs which) {
        long n = which.count();
        Longs turns = Longs.where(
                n,
                i -> i == 0
                        || BlockSeries.block(samples, which.get(i)) != BlockSeries.block(samples, which.get(i - 1)));
        long[] starts = turns.count() <= MOST_TURNS ? turns.toArray() : new long[] {0};
        long[] first = IntStream.range(0, starts.length)
                .boxed()
                .flatMapToLong(turn -> cut(starts[turn], turn + 1 < starts.length ? starts[turn + 1] : n, n))
                .toArray();
        int runs = first.length;
        TimeSeries series =
                new TimeSeries(first, new long[runs], new long[runs], new long[runs], new int[runs], new int[runs]);
        for (int run = 0; run < runs; run++) {
            long next = run + 1 < runs ? first[run + 1] : n;
            Longs ascending = values.part(first[run], next).sorted();
            series.min[run] = ascending.first();
            series.median[run] = Quantiles.of(ascending, 0.5);
            series.max[run] = ascending.last();
            series.startMillis[run] = (int) (samples.get(Column.SENT, which.get(first[run])) / 1_000_000);
            long last = which.get(next - 1);
            series.endMillis[run] =
                    (int) ((samples.get(Column.SENT, last) + samples.get(Column.END_TO_END, last)) / 1_000_000);
        }
        return series;
    }

    /** Where the runs of a turn begin. */
    private static LongStream cut(long from, long to, long all) {
        long length = to - from;
        long runs = Math.min(length, Math.max(1, RUNS * length / all));
        return LongStream.range(0, runs).map(run -> from + length * run / runs);
    }
}
