package io.plog.results.cells;

import io.plog.stats.numbers.Longs;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

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
        List<Longs> sorted = samples.map(group).sortedWith(samples);
        Longs groups = sorted.get(0);
        LongStream.Builder numbers = LongStream.builder();
        LongStream.Builder ends = LongStream.builder().add(0);
        for (long i = 1; i <= groups.count(); i++) {
            if (i == groups.count() || groups.get(i) != groups.get(i - 1)) {
                numbers.add(groups.get(i - 1));
                ends.add(i);
            }
        }
        return new Groups(numbers.build().toArray(), ends.build().toArray(), sorted.get(1));
    }

    /** The samples of one group. */
    Longs of(int place) {
        return members.part(ends[place], ends[place + 1]);
    }
}
