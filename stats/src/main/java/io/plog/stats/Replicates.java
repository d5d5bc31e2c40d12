package io.plog.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The samples of one cell as they were measured: trials, in each its blocks, in each the samples in the order of time.
 *
 * <p>Immutable as long as the arrays are not changed, which are not copied; safe for any thread.
 */
public final class Replicates {
    private final List<List<long[]>> trials;
    private final long[] ascending;

    private Replicates(List<List<long[]>> trials) {
        this.trials = trials;
        ascending = sorted(inTime());
    }

    /**
     * Of trials, of blocks, of samples in the order of time.
     *
     * @param trials at least one; at least one block in each; at least one sample in each block; no sample below 0
     * @throws IllegalArgumentException if something is empty or a sample is negative; the message says where
     */
    public static Replicates of(List<List<long[]>> trials) {
        if (trials.isEmpty()) {
            throw new IllegalArgumentException("no trials, expected at least 1");
        }
        List<List<long[]>> copy = new ArrayList<>();
        for (int t = 0; t < trials.size(); t++) {
            List<long[]> blocks = List.copyOf(trials.get(t));
            if (blocks.isEmpty()) {
                throw new IllegalArgumentException("trial " + t + " has no blocks, expected at least 1");
            }
            for (int b = 0; b < blocks.size(); b++) {
                check(blocks.get(b), "block " + b + " of trial " + t);
            }
            copy.add(blocks);
        }
        return new Replicates(List.copyOf(copy));
    }

    private static void check(long[] samples, String where) {
        if (samples.length == 0) {
            throw new IllegalArgumentException(where + " has no samples, expected at least 1");
        }
        for (long sample : samples) {
            if (sample < 0) {
                throw new IllegalArgumentException(where + " has a sample " + sample + ", expected at least 0");
            }
        }
    }

    private static long[] sorted(List<long[]> parts) {
        long[] all = new long[parts.stream().mapToInt(part -> part.length).sum()];
        int at = 0;
        for (long[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        Arrays.sort(all);
        return all;
    }

    /** Trials, of blocks, of samples in the order of time. Don't change the arrays. */
    public List<List<long[]>> trials() {
        return trials;
    }

    /** All blocks in the order of time. */
    List<long[]> inTime() {
        return trials.stream().flatMap(List::stream).toList();
    }

    /** All samples in ascending order; at least one. Don't change the array. */
    public long[] ascending() {
        return ascending;
    }

    /** How many samples there are. */
    public int count() {
        return ascending.length;
    }

    /** Whether both have equally many trials, with equally many blocks in each, so that blocks can be partners. */
    public boolean hasShapeOf(Replicates other) {
        return shape().equals(other.shape());
    }

    private List<Integer> shape() {
        return trials.stream().map(List::size).toList();
    }
}
