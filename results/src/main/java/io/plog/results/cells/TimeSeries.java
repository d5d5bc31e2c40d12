package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Envelope;
import java.util.Arrays;

/**
 * A cell's latencies in the order of time, as an {@link Envelope} whose runs end where the cell's turn in a block ends, and when
 * each run was. Between two turns other cells run, so a run across both would cover time that is not its own.
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
     * When each request was.
     *
     * @param turn which trial and block it belongs to
     * @param sent when it was sent, in nanoseconds since the start of the run
     * @param done when its reply had arrived
     */
    @SuppressWarnings("ArrayRecordComponent") // as above
    record Timing(long[] turn, long[] sent, long[] done) {
        static Timing of(Samples samples, int[] which) {
            return new Timing(
                    Arrays.stream(which)
                            .mapToLong(i -> BlockSeries.block(samples, i))
                            .toArray(),
                    Arrays.stream(which)
                            .mapToLong(i -> samples.get(Column.SENT, i))
                            .toArray(),
                    Arrays.stream(which)
                            .mapToLong(i -> samples.get(Column.SENT, i) + samples.get(Column.END_TO_END, i))
                            .toArray());
        }

        /** How many turns there are. */
        int turns() {
            int turns = 0;
            for (int i = 0; i < turn.length; i++) {
                turns += i == 0 || turn[i] != turn[i - 1] ? 1 : 0;
            }
            return turns;
        }

        /** Index after the last request of the turn that begins at {@code from}. */
        int endOfTurn(int from) {
            int end = from;
            while (end < turn.length && turn[end] == turn[from]) {
                end++;
            }
            return end;
        }
    }

    /**
     * About 200 runs, or one to a turn if there are more turns than that. Where turns change all the time, as with several
     * clients whose samples were merged, they are not heeded.
     */
    static TimeSeries of(long[] values, Timing timing) {
        int n = values.length;
        int turns = timing.turns();
        boolean heeded = turns <= MOST_TURNS;
        int[] first = new int[RUNS + (heeded ? turns : 1)];
        long[][] limits = new long[3][first.length];
        int runs = 0;
        for (int from = 0; from < n; ) {
            int to = heeded ? timing.endOfTurn(from) : n;
            int most = Math.max(1, (int) ((long) RUNS * (to - from) / n));
            Envelope part = Envelope.of(Arrays.copyOfRange(values, from, to), most);
            for (int run = 0; run < part.first().length; run++) {
                first[runs] = from + part.first()[run];
                limits[0][runs] = part.min()[run];
                limits[1][runs] = part.median()[run];
                limits[2][runs] = part.max()[run];
                runs++;
            }
            from = to;
        }
        return timed(Arrays.copyOf(first, runs), limits, timing);
    }

    private static TimeSeries timed(int[] first, long[][] limits, Timing timing) {
        int runs = first.length;
        int[] start = new int[runs];
        int[] end = new int[runs];
        for (int run = 0; run < runs; run++) {
            int last = (run + 1 < runs ? first[run + 1] : timing.sent().length) - 1;
            start[run] = (int) (timing.sent()[first[run]] / 1_000_000);
            end[run] = (int) (timing.done()[last] / 1_000_000);
        }
        return new TimeSeries(
                first,
                Arrays.copyOf(limits[0], runs),
                Arrays.copyOf(limits[1], runs),
                Arrays.copyOf(limits[2], runs),
                start,
                end);
    }
}
