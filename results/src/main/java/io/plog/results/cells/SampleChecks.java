package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Moments;
import io.plog.stats.Quantiles;
import io.plog.stats.numbers.Longs;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What the samples of a cell say about themselves.
 *
 * @param impossible requests whose server durations add up to more than they can: logging beyond the residence, or the
 *     residence beyond end to end
 * @param shared requests that shared their force with others
 * @param unanswered requests after the warm-up that ended without a reply
 * @param lagMeanNanos mean of how much later than intended requests were sent; 0 in a closed loop
 * @param lagP99Nanos 99th percentile of how much later than intended requests were sent; 0 in a closed loop
 * @param steadiness null if nothing was counted
 * @param worstBlock null if there are too few blocks
 */
public record SampleChecks(
        long impossible,
        long shared,
        long unanswered,
        double lagMeanNanos,
        long lagP99Nanos,
        @Nullable Steadiness steadiness,
        @Nullable WorstBlock worstBlock) {
    static SampleChecks of(Samples samples, Longs counted, Groups blocks) {
        long impossible = 0;
        long shared = 0;
        for (long at = 0; at < counted.count(); at++) {
            long i = counted.get(at);
            long residence = samples.get(Column.RESIDENCE, i);
            if (samples.loggingNanos(i) > residence || residence > samples.get(Column.END_TO_END, i)) {
                impossible++;
            }
            if (samples.get(Column.BATCH_RECORDS, i) > 1) {
                shared++;
            }
        }
        long unanswered = LongStream.range(0, samples.count())
                .filter(i -> samples.get(Column.PHASE, i) == 0 && samples.get(Column.STATUS, i) == Samples.NO_REPLY)
                .count();
        Longs lag = counted.map(i ->
                        samples.get(Column.SENT, i) - samples.get(Column.INTENDED, i) - samples.get(Column.HELD, i))
                .sorted();
        return new SampleChecks(
                impossible,
                shared,
                unanswered,
                Moments.mean(lag),
                lag.count() == 0 ? 0 : Quantiles.of(lag, 0.99),
                Steadiness.of(samples, counted),
                WorstBlock.of(samples, blocks));
    }

    /**
     * The block of a cell that makes its mean larger than any other.
     *
     * @param trial from 0
     * @param block of the trial, from 0
     * @param share what the mean would be without the block, by what it is
     */
    public record WorstBlock(long trial, long block, double share) {
        /** Without a block the mean should be no less than this share of what it is. */
        private static final double LEAST_WITHOUT = 2.0 / 3;

        /** With fewer blocks each of them decides. */
        private static final int LEAST_BLOCKS = 5;

        /** Whether it decides the mean, as a stall does that medians do not show. */
        public boolean decides() {
            return share < LEAST_WITHOUT;
        }

        /**
         * Of the latencies of a cell's counted requests.
         *
         * @return null if there are fewer than five blocks
         */
        public static @Nullable WorstBlock of(Samples samples) {
            return of(samples, BlockSeries.blocks(samples));
        }

        static @Nullable WorstBlock of(Samples samples, Groups blocks) {
            if (blocks.numbers().length < LEAST_BLOCKS) {
                return null;
            }
            double[] sums = new double[blocks.numbers().length];
            double all = 0;
            for (int block = 0; block < sums.length; block++) {
                Longs members = blocks.of(block);
                for (long i = 0; i < members.count(); i++) {
                    sums[block] += samples.get(Column.END_TO_END, members.get(i));
                }
                all += sums[block];
            }
            WorstBlock worst = new WorstBlock(0, 0, Double.POSITIVE_INFINITY);
            for (int block = 0; block < sums.length; block++) {
                long count = blocks.members().count();
                double share = (all - sums[block]) / (count - blocks.of(block).count()) / (all / count);
                if (share < worst.share) {
                    long number = blocks.numbers()[block];
                    worst = new WorstBlock(number >> 32, number & 0xffff_ffffL, share);
                }
            }
            return worst;
        }
    }
}
