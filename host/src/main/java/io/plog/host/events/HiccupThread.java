package io.plog.host.events;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that has nothing to do but to come back on time, and notes when it did not: then, most likely, no other thread
 * of the process, or of the machine, came to run either. The idea is Gil Tene's jHiccup
 * (<a href="https://github.com/giltene/jHiccup">github.com/giltene/jHiccup</a>).
 *
 * <p>Coming back costs a few microseconds of processor time on some machines and forty on others, most of all virtual and
 * busy ones. The thread measures its own and comes back as often as {@link #MOST_CPU_SHARE} allows, every 1 to 5 ms.
 */
final class HiccupThread implements AutoCloseable {
    private static final long LEAST_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long MOST_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Of one processor. */
    private static final double MOST_CPU_SHARE = 0.007;

    /** After so many rounds the period is set anew. */
    private static final int ROUNDS = 200;

    /** Coming back later than this is an event; anything less is only counted. */
    static final long THRESHOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventStore store;
    private final LatenessHistogram lateness = new LatenessHistogram();
    private final Thread thread;
    private volatile long periodNanos = LEAST_PERIOD_NANOS;
    private volatile boolean closed;
    private volatile @Nullable Long stoppedNanos;
    private long lookedNanos = System.nanoTime(); // the thread's own

    HiccupThread(EventStore store) {
        this.store = store;
        this.thread = new Thread(this::run, "plog-hiccups");
        thread.setDaemon(true);
        thread.start();
    }

    LatenessHistogram lateness() {
        return lateness;
    }

    /** How often it comes back at present. */
    long periodNanos() {
        return periodNanos;
    }

    /** Whether it notes from now on what makes it late; at first it does. */
    void note(boolean from) {
        stoppedNanos = from ? null : Long.valueOf(System.nanoTime());
    }

    private void run() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        boolean knowsCpu = threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
        while (!closed) {
            long before = knowsCpu ? threads.getCurrentThreadCpuTime() : 0;
            rounds(periodNanos);
            long perRound = knowsCpu ? (threads.getCurrentThreadCpuTime() - before) / ROUNDS : 0;
            periodNanos =
                    Math.max(LEAST_PERIOD_NANOS, Math.min(MOST_PERIOD_NANOS, Math.round(perRound / MOST_CPU_SHARE)));
        }
    }

    private void rounds(long period) {
        for (int round = 0; round < ROUNDS && !closed; round++) {
            boolean notes = stoppedNanos == null;
            long due = lookedNanos + period; // not from now: what held it up since then counts, too
            LockSupport.parkNanos(due - System.nanoTime());
            lookedNanos = System.nanoTime();
            Long stopped = stoppedNanos;
            long late = (stopped != null ? stopped : lookedNanos) - due;
            if (notes && late >= 0) { // else it came back early, which parking may, or was stopped before
                lateness.record(late);
                if (late > THRESHOLD_NANOS) {
                    store.add(Event.of(EventKind.HICCUP, due, late, ""));
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
