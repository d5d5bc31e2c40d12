package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Comparison;
import io.plog.stats.Replicates;
import io.plog.stats.numbers.Longs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
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

    private BlockSeries only(Collection<Long> some) {
        int[] places = IntStream.range(0, numbers.length)
                .filter(at -> some.contains(numbers[at]))
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

    /** The trials that have samples, by number. */
    Map<Integer, BlockSeries> byTrial() {
        Map<Integer, BlockSeries> trials = new TreeMap<>();
        for (int from = 0, to = 0; from < numbers.length; from = to) {
            int trial = (int) (numbers[from] >> 32);
            while (to < numbers.length && numbers[to] >> 32 == trial) {
                to++;
            }
            long begin = ends[from];
            trials.put(
                    trial,
                    new BlockSeries(
                            Arrays.copyOfRange(numbers, from, to),
                            Arrays.stream(ends, from, to + 1)
                                    .map(end -> end - begin)
                                    .toArray(),
                            values.part(begin, ends[to])));
        }
        return trials;
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
        List<Long> both = Arrays.stream(treated.numbers)
                .filter(number -> Arrays.binarySearch(control.numbers, number) >= 0)
                .boxed()
                .toList();
        return both.isEmpty()
                ? apart(treated, control)
                : Comparison.of(
                        treated.only(both).replicates(), control.only(both).replicates(), true);
    }

    /** Whether no sample counts. */
    public boolean isEmpty() {
        return numbers.length == 0;
    }

    /** As the statistics take it; there must be a sample. Made once. */
    public Replicates replicates() {
        Replicates known = replicates;
        if (known == null) {
            List<long[]> trials = new ArrayList<>();
            long begin = 0;
            for (BlockSeries trial : byTrial().values()) {
                long from = begin;
                trials.add(Arrays.stream(trial.ends).map(end -> from + end).toArray());
                begin += trial.values.count();
            }
            known = Replicates.of(trials, values);
            replicates = known;
        }
        return known;
    }
}
