package io.plog.measure.disk;

import io.plog.measure.samples.LongList;

/** Every group of a cell: how long the write took and how long the force, in nanoseconds. For one thread. */
public final class Timings {
    private final LongList write = new LongList();
    private final LongList force = new LongList();
    private long neighbourOperations;

    /** Adds a group: how long its write and its force took, in nanoseconds. */
    public void add(long writeNanos, long forceNanos) {
        write.add(writeNanos);
        force.add(forceNanos);
    }

    /** Adds what the neighbour did meanwhile. */
    void addNeighbourOperations(long operations) {
        neighbourOperations += operations;
    }

    /** How many operations the neighbour did while the groups were timed; 0 without one. */
    public long neighbourOperations() {
        return neighbourOperations;
    }

    /** How many groups were timed. */
    public int count() {
        return write.count();
    }

    /** The times of the writes in nanoseconds, in the order of measurement. */
    public long[] write() {
        return write.toArray();
    }

    /** The times of the forces in nanoseconds, in the order of measurement. */
    public long[] force() {
        return force.toArray();
    }

    /** Write and force of each group together. */
    public long[] both() {
        long[] both = write.toArray();
        long[] forces = force.toArray();
        for (int i = 0; i < both.length; i++) {
            both[i] += forces[i];
        }
        return both;
    }
}
