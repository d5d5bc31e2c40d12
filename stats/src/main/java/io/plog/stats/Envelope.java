package io.plog.stats;

import java.util.Arrays;

/**
 * A time series cut into runs of equally many samples, with the least, the middle and the greatest of each run: no
 * extreme is lost, as it would be if samples were left out.
 *
 * @param first index of each run's first sample
 * @param min least sample of each run
 * @param median median of each run
 * @param max greatest sample of each run
 */
@SuppressWarnings("ArrayRecordComponent") // plain data for a figure; two are never compared
public record Envelope(int[] first, long[] min, long[] median, long[] max) {

    /**
     * Of samples in the order of time.
     *
     * @param series may be empty
     * @param mostRuns at least 1
     */
    public static Envelope of(long[] series, int mostRuns) {
        int runs = Math.min(series.length, mostRuns);
        Envelope envelope = new Envelope(new int[runs], new long[runs], new long[runs], new long[runs]);
        for (int run = 0; run < runs; run++) {
            int from = (int) ((long) series.length * run / runs);
            int to = (int) ((long) series.length * (run + 1) / runs);
            long[] part = Arrays.copyOfRange(series, from, to);
            Arrays.sort(part);
            envelope.first[run] = from;
            envelope.min[run] = part[0];
            envelope.median[run] = Quantiles.of(part, 0.5);
            envelope.max[run] = part[part.length - 1];
        }
        return envelope;
    }
}
