package io.plog.host.events;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts how late a thread came to run, in four buckets for each factor of two from 1 µs to about 18 minutes. One thread
 * counts, any may read.
 */
public final class LatenessHistogram {
    private static final int PER_OCTAVE = 4;
    private static final int SHIFT = 10; // what is below 1024 ns is in the first bucket
    private static final int OCTAVES = 30;
    private static final int BUCKETS = OCTAVES * PER_OCTAVE + 1;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

    void record(long nanos) {
        counts.lazySet(bucket(nanos), counts.get(bucket(nanos)) + 1);
    }

    List<Long> counts() {
        List<Long> copy = new ArrayList<>(BUCKETS);
        for (int i = 0; i < BUCKETS; i++) {
            copy.add(counts.get(i));
        }
        return copy;
    }

    private static int bucket(long nanos) {
        if (nanos < 1L << SHIFT) {
            return 0;
        }
        int octave = 63 - Long.numberOfLeadingZeros(nanos);
        int quarter = (int) (nanos >> (octave - 2)) & (PER_OCTAVE - 1);
        return Math.min(BUCKETS - 1, (octave - SHIFT) * PER_OCTAVE + quarter + 1);
    }

    /** Where a bucket ends; whatever it holds was below. */
    private static long endNanos(int bucket) {
        if (bucket == 0) {
            return 1L << SHIFT;
        }
        int octave = (bucket - 1) / PER_OCTAVE + SHIFT;
        int quarter = (bucket - 1) % PER_OCTAVE;
        return (1L << octave) + ((quarter + 1L) << (octave - 2));
    }

    /**
     * The quantile of what was counted between two moments, rounded up to its bucket's end: at most a quarter too high.
     *
     * @param before counts at the first moment
     * @param after counts at the second
     * @param q from 0 to 1; 1 asks for the greatest
     * @return -1 if nothing was counted between them
     */
    public static long quantileNanos(List<Long> before, List<Long> after, double q) {
        int buckets = Math.min(before.size(), after.size());
        long total = 0;
        for (int i = 0; i < buckets; i++) {
            total += after.get(i) - before.get(i);
        }
        if (total <= 0) {
            return -1;
        }
        long rank = Math.max(1, (long) Math.ceil(q * total));
        long seen = 0;
        int bucket = -1;
        while (seen < rank) {
            bucket++;
            seen += after.get(bucket) - before.get(bucket);
        }
        return endNanos(bucket);
    }
}
