package io.plog.log;

import io.plog.log.file.Uninterruptibles;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

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
    private final ReentrantLock looks = new ReentrantLock(); // held while the checks run
    private final @Nullable ScheduledExecutorService shared;
    private final Thread thread;
    private volatile boolean stopped;
    private volatile @Nullable Future<?> looking;

    /**
     * @param periodNanos the time between two looks; {@link #ON_DEMAND} for no thread
     * @param shared whose thread looks; null for one of its own
     */
    Housekeeper(long periodNanos, @Nullable ScheduledExecutorService shared) {
        this.shared = shared;
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
        if (periodNanos == ON_DEMAND) {
            return;
        }
        if (shared == null) {
            thread.start();
        } else {
            looking = shared.scheduleWithFixedDelay(this::look, periodNanos, periodNanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Runs every check once, on the calling thread. */
    void look() {
        looks.lock();
        try {
            if (!stopped) {
                lookOnce();
            }
        } finally {
            looks.unlock();
        }
    }

    private void lookOnce() {
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
        Future<?> scheduled = looking;
        if (scheduled != null) {
            scheduled.cancel(false);
            return hasLooked(nanos);
        }
        LockSupport.unpark(thread);
        return Uninterruptibles.join(thread, nanos);
    }

    private boolean hasLooked(long nanos) {
        boolean ended = Uninterruptibles.await(nanos, left -> looks.tryLock(left, TimeUnit.NANOSECONDS));
        if (ended) {
            looks.unlock();
        }
        return ended;
    }
}
