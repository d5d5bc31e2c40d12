package io.plog.measure.samples;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One number of each sample. A compact column takes the room that its numbers need: none while all are 0, four bytes each while
 * they fit, then eight. A run of many minutes has tens of millions of samples, and most of their columns are 0 or small.
 */
final class SampleColumn {
    private int @Nullable [] narrow; // both null: all are 0
    private long @Nullable [] wide;
    private int capacity;

    private SampleColumn(int capacity) {
        this.capacity = capacity;
    }

    /** Sets in the same time whatever it holds, and allocates only to grow. */
    static SampleColumn wide(int capacity) {
        SampleColumn column = new SampleColumn(capacity);
        column.wide = new long[capacity];
        return column;
    }

    static SampleColumn compact(int capacity) {
        return new SampleColumn(capacity);
    }

    int capacity() {
        return capacity;
    }

    void grow(int larger) {
        capacity = larger;
        if (wide != null) {
            wide = Arrays.copyOf(wide, larger);
        } else if (narrow != null) {
            narrow = Arrays.copyOf(narrow, larger);
        }
    }

    long get(int sample) {
        if (wide != null) {
            return wide[sample];
        }
        return narrow == null ? 0 : narrow[sample];
    }

    void set(int sample, long value) {
        if (wide == null && value != (int) value) {
            widen();
        }
        if (wide != null) {
            wide[sample] = value;
            return;
        }
        if (narrow == null && value != 0) {
            narrow = new int[capacity];
        }
        if (narrow != null) {
            narrow[sample] = (int) value;
        }
    }

    private void widen() {
        long[] all = new long[capacity];
        for (int i = 0; narrow != null && i < capacity; i++) {
            all[i] = narrow[i];
        }
        wide = all;
        narrow = null;
    }

    /** Puts the numbers into this order of their places. */
    void reorder(int[] order) {
        if (wide != null) {
            long[] all = wide;
            wide = Arrays.copyOf(IntStream.of(order).mapToLong(i -> all[i]).toArray(), capacity);
        } else if (narrow != null) {
            int[] all = narrow;
            narrow = Arrays.copyOf(IntStream.of(order).map(i -> all[i]).toArray(), capacity);
        }
    }

    long[] copy(int from, int to) {
        long[] values = new long[to - from];
        for (int i = from; i < to; i++) {
            values[i - from] = get(i);
        }
        return values;
    }
}
