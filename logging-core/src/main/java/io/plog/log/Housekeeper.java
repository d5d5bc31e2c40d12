package io.plog.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs checks of an open log periodically, on a thread of its own, for conditions that the path of an append does not notice.
 * The checks run one after the other. A check that waits delays the other checks only.
 */
final class Housekeeper {
    /** The period of the checks, in nanoseconds. */
    static final long PERIOD_NANOS = 1_000_000_000L;

    /** The period of a log whose tests say when it is looked at, by {@link #look}. */
    static final long ON_DEMAND = 0;

    private final List<Runnable> checks = new CopyOnWriteArrayList<>();
    private final long periodNanos;
    private final Thread thread;
    private volatile boolean stopped;

    /** @param periodNanos the time between two looks; {@link #ON_DEMAND} for no thread */
    Housekeeper(long periodNanos) {
        this.periodNanos = periodNanos;
        this.thread = new Thread(this::run, "plog-watch");
        this.thread.setDaemon(true);
    }

    /** Adds a check. It must do little; what it throws is reported and ends neither it nor the others. */
    void add(Runnable check) {
        checks.add(check);
    }

    /** Called once, at most. */
    void start() {
        if (periodNanos != ON_DEMAND) {
            thread.start();
        }
    }

    /** Runs every check once, on the calling thread. */
    void look() {
        for (Runnable check : checks) {
            try {
                check.run();
            } catch (Throwable t) {
                GuardedListener.report(t);
            }
        }
    }

    private void run() {
        long next = System.nanoTime() + periodNanos;
        while (!stopped) {
            long left = next - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
                // The thread is private; should somebody interrupt it, that only makes it look again.
                Thread.interrupted();
            } else {
                look();
                next = System.nanoTime() + periodNanos;
            }
        }
    }

    /**
     * Starts no further check, and waits for the current one.
     *
     * @param nanos the longest to wait; a check of a disk that hangs hangs, too
     * @return whether no check runs any more
     */
    boolean stop(long nanos) {
        stopped = true;
        LockSupport.unpark(thread);
        return ThreadJoin.join(thread, nanos);
    }

    /** Whether the calling thread is the one that looks. */
    boolean isCurrentThread() {
        return Thread.currentThread().equals(thread);
    }
}
