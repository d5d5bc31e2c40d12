package io.plog.measure.load;

/**
 * How long before an intended time to stop sleeping. A thread that waits in the kernel comes back late, by more on a busy or
 * virtual machine; this class learns by how much, so that the thread spins no longer than needed: the processor time may
 * belong to a server on the same machine. For one thread.
 */
final class AdaptiveSpin {
    private static final long LEAST_NANOS = 20_000;
    private static final long MOST_NANOS = 300_000;
    private static final int UP = 4;
    private static final int DOWN = 128;

    private long nanos = 80_000;

    long nanos() {
        return nanos;
    }

    /**
     * Learns from one wait: up fast, down slowly, so that about one in thirty waits is later than this.
     *
     * @param lateNanos how much later than asked for it ended; 0 if it ended early
     */
    void waited(long lateNanos) {
        if (lateNanos > nanos) {
            nanos = Math.min(MOST_NANOS, nanos + Math.max(1, (Math.min(lateNanos, MOST_NANOS) - nanos) / UP));
        } else {
            nanos = Math.max(LEAST_NANOS, nanos - nanos / DOWN);
        }
    }
}
