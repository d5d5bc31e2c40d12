package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Quantiles;
import java.util.Arrays;
import java.util.stream.IntStream;

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
public record TimeSeries(int[] first, long[] min, long[] median, long[] max, int[] startMillis, int[] endMillis) {
    private static final int RUNS = 200;
    private static final int MOST_TURNS = 4 * RUNS;

    /**
     * About 200 runs, or one to a turn if there are more turns than that. Where turns change all the time, as with several
     * clients whose samples were merged, they are not heeded.
     *
     * @param values a latency for each of the requests
     * @param which numbers of the requests' samples
     */
    static TimeSeries of(long[] values, Samples samples, int[] which) {
        int n = which.length;
        int[] turns = IntStream.range(0, n)
                .filter(i -> i == 0 || BlockSeries.block(samples, which[i]) != BlockSeries.block(samples, which[i - 1]))
                .toArray();
        int[] starts = turns.length <= MOST_TURNS ? turns : new int[] {0};
        int[] first = IntStream.range(0, starts.length)
                .flatMap(turn -> cut(starts[turn], turn + 1 < starts.length ? starts[turn + 1] : n, n))
                .toArray();
        int runs = first.length;
        TimeSeries series =
                new TimeSeries(first, new long[runs], new long[runs], new long[runs], new int[runs], new int[runs]);
        for (int run = 0; run < runs; run++) {
            int next = run + 1 < runs ? first[run + 1] : n;
            long[] ascending = Arrays.copyOfRange(values, first[run], next);
            Arrays.sort(ascending);
            series.min[run] = ascending[0];
            series.median[run] = Quantiles.of(ascending, 0.5);
            series.max[run] = ascending[ascending.length - 1];
            series.startMillis[run] = (int) (samples.get(Column.SENT, which[first[run]]) / 1_000_000);
            int last = which[next - 1];
            series.endMillis[run] =
                    (int) ((samples.get(Column.SENT, last) + samples.get(Column.END_TO_END, last)) / 1_000_000);
        }
        return series;
    }

    /** Where the runs of a turn begin. */
    private static IntStream cut(int from, int to, int all) {
        long length = (long) to - from;
        int runs = (int) Math.min(length, Math.max(1, RUNS * length / all));
        return IntStream.range(0, runs).map(run -> from + (int) (length * run / runs));
    }
}
