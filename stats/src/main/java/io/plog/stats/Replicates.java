package io.plog.stats;

import io.plog.stats.numbers.Longs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one cell as they were measured: trials, in each its blocks, in each the samples in the order of time.
 *
 * <p>Immutable, and what was sorted once is kept; safe for any thread.
 */
public final class Replicates {
    private final Longs inTime;
    private final List<long[]> trials;
    private volatile @Nullable Longs ascending;
    private volatile @Nullable Batches batches;

    private Replicates(Longs inTime, List<long[]> trials) {
        this.inTime = inTime;
        this.trials = trials;
    }

    /**
     * Of trials, of blocks, of samples in the order of time.
     *
     * @param trials at least one; at least one block in each; at least one sample in each block; no sample below 0
     * @throws IllegalArgumentException if something is empty or a sample is negative; the message says where
     */
    public static Replicates of(List<List<long[]>> trials) {
        Longs.Builder samples = new Longs.Builder();
        List<long[]> ends = new ArrayList<>();
        for (List<long[]> blocks : trials) {
            long[] ofTrial = new long[blocks.size() + 1];
            ofTrial[0] = samples.count();
            for (int b = 0; b < blocks.size(); b++) {
                Arrays.stream(blocks.get(b)).forEach(samples::add);
                ofTrial[b + 1] = samples.count();
            }
            ends.add(ofTrial);
        }
        return of(ends, samples.build());
    }

    /**
     * Of samples block by block, and trial by trial.
     *
     * @param trials of each where it begins among the samples, and where each of its blocks ends
     * @param inTime at least one in each block; no sample below 0
     * @throws IllegalArgumentException if something is empty or a sample is negative; the message says where
     */
    public static Replicates of(List<long[]> trials, Longs inTime) {
        if (trials.isEmpty()) {
            throw new IllegalArgumentException("no trials, expected at least 1");
        }
        for (int t = 0; t < trials.size(); t++) {
            long[] ends = trials.get(t);
            if (ends.length == 1) {
                throw new IllegalArgumentException("trial " + t + " has no blocks, expected at least 1");
            }
            for (int b = 1; b < ends.length; b++) {
                check(inTime.part(ends[b - 1], ends[b]), "block " + (b - 1) + " of trial " + t);
            }
        }
        return new Replicates(inTime, List.copyOf(trials));
    }

    private static void check(Longs samples, String where) {
        if (samples.count() == 0) {
            throw new IllegalArgumentException(where + " has no samples, expected at least 1");
        }
        for (long i = 0; i < samples.count(); i++) {
            if (samples.get(i) < 0) {
                throw new IllegalArgumentException(where + " has a sample " + samples.get(i) + ", expected at least 0");
            }
        }
    }

    /** Of each trial where it begins among the samples, and where each of its blocks ends. Don't change the arrays. */
    List<long[]> trials() {
        return trials;
    }

    /** All samples in the order of time. */
    Longs inTime() {
        return inTime;
    }

    /** All samples in ascending order; at least one. */
    public Longs ascending() {
        Longs known = ascending;
        if (known == null) {
            known = inTime.sorted();
            ascending = known;
        }
        return known;
    }

    /** The parts that its intervals come from. */
    Batches batches() {
        Batches known = batches;
        if (known == null) {
            known = Batches.alone(this);
            batches = known;
        }
        return known;
    }

    /** How many samples there are. */
    public long count() {
        return inTime.count();
    }

    /** Whether both have equally many trials, with equally many blocks in each, so that blocks can be partners. */
    public boolean hasShapeOf(Replicates other) {
        return shape().equals(other.shape());
    }

    private List<Integer> shape() {
        return trials.stream().map(ends -> ends.length).toList();
    }
}
