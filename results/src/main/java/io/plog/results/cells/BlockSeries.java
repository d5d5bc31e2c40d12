package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Comparison;
import io.plog.stats.Replicates;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** One measure of a cell's counted requests by trial and block, in each block in the order of time. */
public final class BlockSeries {
    private final Map<Long, long[]> blocks;

    private BlockSeries(Map<Long, long[]> blocks) {
        this.blocks = blocks;
    }

    /**
     * Of these samples.
     *
     * @param counted which of them count
     * @param value what is looked at, of a sample
     */
    static BlockSeries of(Samples samples, int[] counted, IntToLongFunction value) {
        return new BlockSeries(grouped(counted, sample -> block(samples, sample), value));
    }

    /** The same of all samples that count. */
    public static BlockSeries of(Samples samples, IntToLongFunction value) {
        return of(
                samples,
                IntStream.range(0, samples.count()).filter(samples::isCounted).toArray(),
                value);
    }

    /** A number for a sample's block, in the order of trials and blocks. */
    static long block(Samples samples, int sample) {
        return (samples.get(Column.TRIAL, sample) << 32) + samples.get(Column.BLOCK, sample);
    }

    private Set<Long> numbers() {
        return blocks.keySet();
    }

    private BlockSeries only(Collection<Long> numbers) {
        TreeMap<Long, long[]> some = new TreeMap<>(blocks);
        some.keySet().retainAll(numbers);
        return new BlockSeries(some);
    }

    /** The trials that have samples, by number. */
    Map<Integer, BlockSeries> byTrial() {
        Map<Integer, BlockSeries> trials = new TreeMap<>();
        blocks.forEach((number, samples) -> trials.computeIfAbsent(
                        (int) (number >> 32), trial -> new BlockSeries(new TreeMap<>()))
                .blocks
                .put(number, samples));
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
        List<Long> both =
                treated.numbers().stream().filter(control.numbers()::contains).toList();
        return both.isEmpty()
                ? apart(treated, control)
                : Comparison.of(
                        treated.only(both).replicates(), control.only(both).replicates(), true);
    }

    /** Whether no sample counts. */
    public boolean isEmpty() {
        return blocks.isEmpty();
    }

    /** As the statistics take it; there must be a sample. */
    public Replicates replicates() {
        return Replicates.of(byTrial().values().stream()
                .map(trial -> List.copyOf(trial.blocks.values()))
                .toList());
    }

    /**
     * The values of each group, groups in ascending order, values in the order of the samples.
     *
     * @param samples their numbers
     * @param group of a sample
     * @param value of a sample
     */
    static SortedMap<Long, long[]> grouped(int[] samples, IntToLongFunction group, IntToLongFunction value) {
        Map<Long, int[]> counts = new HashMap<>();
        for (int sample : samples) {
            counts.computeIfAbsent(group.applyAsLong(sample), number -> new int[1])[0]++;
        }
        TreeMap<Long, long[]> groups = new TreeMap<>();
        for (int sample : samples) {
            long number = group.applyAsLong(sample);
            int[] left = Objects.requireNonNull(counts.get(number));
            long[] values = groups.computeIfAbsent(number, unused -> new long[left[0]]);
            values[values.length - left[0]--] = value.applyAsLong(sample);
        }
        return groups;
    }
}
