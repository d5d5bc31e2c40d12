package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Comparison;
import io.plog.stats.Replicates;
import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One measure of a cell's counted requests by trial and block, in each block in the order of time. */
public final class BlockSeries {
    private final long[] numbers;
    private final long[] ends;
    private final Longs values;
    private @Nullable Replicates replicates;

    private BlockSeries(long[] numbers, long[] ends, Longs values) {
        this.numbers = numbers;
        this.ends = ends;
        this.values = values;
    }

    /**
     * Of these samples.
     *
     * @param blocks those that count, by {@link #block}
     * @param value what is looked at, of a sample
     */
    static BlockSeries of(Groups blocks, LongUnaryOperator value) {
        return new BlockSeries(blocks.numbers(), blocks.ends(), blocks.members().map(value));
    }

    /** The same of all samples that count. */
    public static BlockSeries of(Samples samples, LongUnaryOperator value) {
        return of(blocks(samples), value);
    }

    /** The samples that count, by {@link #block}. */
    static Groups blocks(Samples samples) {
        return Groups.of(Longs.where(samples.count(), samples::isCounted), i -> block(samples, i));
    }

    /** A number for a sample's block, in the order of trials and blocks. */
    static long block(Samples samples, long sample) {
        return (samples.get(Column.TRIAL, sample) << 32) + samples.get(Column.BLOCK, sample);
    }

    /** The blocks that are among these, which ascend. */
    private BlockSeries only(long[] some) {
        int[] places = IntStream.range(0, numbers.length)
                .filter(at -> Arrays.binarySearch(some, numbers[at]) >= 0)
                .toArray();
        if (places.length == numbers.length) {
            return this;
        }
        Longs.Builder left = new Longs.Builder();
        long[] itsEnds = new long[places.length + 1];
        for (int i = 0; i < places.length; i++) {
            for (long at = ends[places[i]]; at < ends[places[i] + 1]; at++) {
                left.add(values.get(at));
            }
            itsEnds[i + 1] = left.count();
        }
        return new BlockSeries(IntStream.of(places).mapToLong(at -> numbers[at]).toArray(), itsEnds, left.build());
    }

    /** The places of the first block of each trial, and behind the last block. */
    private int[] trials() {
        return IntStream.rangeClosed(0, numbers.length)
                .filter(at -> at == 0 || at == numbers.length || numbers[at] >> 32 != numbers[at - 1] >> 32)
                .distinct()
                .toArray();
    }

    /** The values of each trial that has samples, by its number. */
    Map<Integer, Longs> byTrial() {
        Map<Integer, Longs> found = new TreeMap<>();
        int[] trials = trials();
        for (int i = 1; i < trials.length; i++) {
            found.put((int) (numbers[trials[i - 1]] >> 32), values.part(ends[trials[i - 1]], ends[trials[i]]));
        }
        return found;
    }

    /** Compares everything of both, which did not run next to each other. Both must have a sample. */
    public static Comparison apart(BlockSeries treated, BlockSeries control) {
        return Comparison.of(treated.replicates(), control.replicates(), false);
    }

    /**
     * Compares the blocks that both have, each with its partner, which ran next to it; everything, unpaired, if they have none in
     * common. Both must have a sample.
     */
    public static Comparison pair(BlockSeries treated, BlockSeries control) {
        BlockSeries both = treated.only(control.numbers);
        return both.isEmpty()
                ? apart(treated, control)
                : Comparison.of(both.replicates(), control.only(both.numbers).replicates(), true);
    }

    /** Whether no sample counts. */
    public boolean isEmpty() {
        return numbers.length == 0;
    }

    /** As the statistics take it; there must be a sample. Made once. */
    public Replicates replicates() {
        Replicates known = replicates;
        if (known == null) {
            int[] trials = trials();
            known = Replicates.of(
                    IntStream.range(1, trials.length)
                            .mapToObj(i -> Arrays.copyOfRange(ends, trials[i - 1], trials[i] + 1))
                            .toList(),
                    values);
            replicates = known;
        }
        return known;
    }
}
