package io.plog.measure.disk;

/** Every group of a cell: how long the write took and how long the force, in nanoseconds. For one thread. */
public final class Timings {
    private final LongSeries write = new LongSeries();
    private final LongSeries force = new LongSeries();

    public void add(long writeNanos, long forceNanos) {
        write.add(writeNanos);
        force.add(forceNanos);
    }

    public int count() {
        return write.count();
    }

    public long[] write() {
        return write.toArray();
    }

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
