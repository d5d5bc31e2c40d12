package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Moments;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
    static @Nullable WorstBlock of(Samples samples, int[] counted) {
        Map<Long, long[]> blocks = Grouped.of(
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
