package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Moments;
import io.plog.stats.Quantiles;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.IntStream;
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
    static SampleChecks of(Samples samples, int[] counted) {
        long impossible = 0;
        long shared = 0;
        for (int i : counted) {
            long residence = samples.get(Column.RESIDENCE, i);
            if (samples.loggingNanos(i) > residence || residence > samples.get(Column.END_TO_END, i)) {
                impossible++;
            }
            if (samples.get(Column.BATCH_RECORDS, i) > 1) {
                shared++;
            }
        }
        long unanswered = IntStream.range(0, samples.count())
                .filter(i -> samples.get(Column.PHASE, i) == 0 && samples.get(Column.STATUS, i) == Samples.NO_REPLY)
                .count();
        long[] lag = IntStream.of(counted)
                .mapToLong(i ->
                        samples.get(Column.SENT, i) - samples.get(Column.INTENDED, i) - samples.get(Column.HELD, i))
                .sorted()
                .toArray();
        return new SampleChecks(
                impossible,
                shared,
                unanswered,
                lag.length == 0 ? 0 : Moments.mean(lag),
                lag.length == 0 ? 0 : Quantiles.of(lag, 0.99),
                Steadiness.of(samples, counted),
                WorstBlock.of(samples, counted));
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
        public static @Nullable WorstBlock of(Samples samples, int[] counted) {
            Map<Long, long[]> blocks = BlockSeries.grouped(
                    counted,
                    i -> samples.get(Column.TRIAL, i) << 32 | samples.get(Column.BLOCK, i),
                    i -> samples.get(Column.END_TO_END, i));
            if (blocks.size() < LEAST_BLOCKS) {
                return null;
            }
            double all = IntStream.of(counted)
                    .mapToDouble(i -> samples.get(Column.END_TO_END, i))
                    .sum();
            return blocks.entrySet().stream()
                    .map(block -> {
                        long[] nanos = block.getValue();
                        double others = (all - Moments.mean(nanos) * nanos.length) / (counted.length - nanos.length);
                        return new WorstBlock(
                                block.getKey() >> 32, block.getKey() & 0xffff_ffffL, others / (all / counted.length));
                    })
                    .min(Comparator.comparingDouble(WorstBlock::share))
                    .orElseThrow();
        }
    }
}
