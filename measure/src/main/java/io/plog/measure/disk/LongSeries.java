package io.plog.measure.disk;

import java.util.Arrays;

/** A list of longs that grows. For one thread. */
final class LongSeries {
    private long[] values = new long[256];
    private int count;

    void add(long value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = value;
    }

    int count() {
        return count;
    }

    /** A copy, in the order in which they came. */
    long[] toArray() {
        return Arrays.copyOf(values, count);
    }
}
