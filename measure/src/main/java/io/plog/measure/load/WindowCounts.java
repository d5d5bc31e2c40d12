package io.plog.measure.load;

import io.plog.measure.samples.LongList;
import org.jspecify.annotations.Nullable;

/**
 * How much happened before each end of a stretch of time: moments, each with a weight. If the stretch is known from the start, only
 * sums are kept; else every moment, until the stretch is known. Not thread-safe.
 */
final class WindowCounts {
    private final long from;
    private final long to;
    private long beforeFrom;
    private long beforeTo;
    private final @Nullable LongList moments;
    private final @Nullable LongList weights;

    private WindowCounts(boolean known, long from, long to) {
        this.from = from;
        this.to = to;
        moments = known ? null : new LongList();
        weights = known ? null : new LongList();
    }

    /** Of this stretch. */
    static WindowCounts of(long from, long to) {
        return new WindowCounts(true, from, to);
    }

    /** Of a stretch that is known later. */
    static WindowCounts ofUnknown() {
        return new WindowCounts(false, 0, 0);
    }

    void add(long moment, long weight) {
        if (moments != null && weights != null) {
            moments.add(moment);
            weights.add(weight);
            return;
        }
        beforeFrom += moment < from ? weight : 0;
        beforeTo += moment < to ? weight : 0;
    }

    /** The weight of what happened before a moment, which is an end of the stretch if that was known. */
    long before(long moment) {
        if (moments == null || weights == null) {
            if (moment != from && moment != to) {
                throw new IllegalArgumentException(moment + " ns: expected " + from + " or " + to);
            }
            return moment == from ? beforeFrom : beforeTo;
        }
        long sum = 0;
        for (int i = 0; i < moments.count(); i++) {
            sum += moments.get(i) < moment ? weights.get(i) : 0;
        }
        return sum;
    }

    /** The weight of what happened in a stretch, which is the one that was known, if one was. */
    long within(long begin, long end) {
        return before(end) - before(begin);
    }
}
