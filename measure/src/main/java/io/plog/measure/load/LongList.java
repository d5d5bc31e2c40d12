package io.plog.measure.load;

import java.util.Arrays;

/** Numbers that grow in number. Not thread-safe. */
final class LongList {
    private long[] values = new long[1024];
    private int count;

    void add(long value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, count * 2);
        }
        values[count++] = value;
    }

    int count() {
        return count;
    }

    long get(int at) {
        return values[at];
    }

    /** Ascending. */
    long[] sorted() {
        long[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted;
    }
}
