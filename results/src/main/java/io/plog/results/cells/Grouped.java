package io.plog.results.cells;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/** A measure of samples by the group that they belong to, without an object for each: there may be tens of millions. */
final class Grouped {
    private Grouped() {}

    /**
     * The values of each group, groups in ascending order, values in the order of the samples.
     *
     * @param samples their numbers
     * @param group of a sample
     * @param value of a sample
     */
    static SortedMap<Long, long[]> of(int[] samples, IntToLongFunction group, IntToLongFunction value) {
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
