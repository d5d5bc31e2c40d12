package io.plog.results.cells;

import io.plog.stats.numbers.Longs;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * Samples in groups, groups in ascending order, in each the samples in theirs.
 *
 * @param numbers of the groups
 * @param ends where the first begins, and where each ends
 * @param members the samples, group after group
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Groups(long[] numbers, long[] ends, Longs members) {
    /**
     * Puts samples into groups.
     *
     * @param samples their numbers
     * @param group of a sample
     */
    static Groups of(Longs samples, LongUnaryOperator group) {
        Map<Long, long[]> counts = new TreeMap<>();
        boolean inOrder = true;
        long last = Long.MIN_VALUE;
        long[] count = new long[1];
        for (long i = 0; i < samples.count(); i++) {
            long number = group.applyAsLong(samples.get(i));
            if (number != last || i == 0) {
                inOrder &= i == 0 || number > last;
                count = counts.computeIfAbsent(number, none -> new long[1]);
                last = number;
            }
            count[0]++;
        }
        long[] numbers = counts.keySet().stream().mapToLong(Long::longValue).toArray();
        long[] ends = new long[numbers.length + 1];
        int at = 0;
        for (long[] each : counts.values()) {
            ends[at + 1] = ends[at] + each[0];
            each[0] = at++; // from here on its place
        }
        return new Groups(numbers, ends, inOrder ? samples : grouped(samples, group, counts));
    }

    /** Sorted by the place of the group, then by their own. */
    private static Longs grouped(Longs samples, LongUnaryOperator group, Map<Long, long[]> places) {
        long all = samples.count();
        return Longs.of(all, i -> places.getOrDefault(group.applyAsLong(samples.get(i)), new long[1])[0] * all + i)
                .sorted()
                .map(key -> samples.get(key % all));
    }

    /** The samples of one group. */
    Longs of(int place) {
        return members.part(ends[place], ends[place + 1]);
    }
}
