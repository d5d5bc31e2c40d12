package io.plog.protocol.events;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that has nothing to do but to come back on time, and notes when it did not: then, most likely, no other thread
 * of the process, or of the machine, came to run either. The idea is Gil Tene's jHiccup
 * (<a href="https://github.com/giltene/jHiccup">github.com/giltene/jHiccup</a>).
 */
final class HiccupThread implements AutoCloseable {
    static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Coming back later than this is an event; anything less is only counted. */
    static final long THRESHOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventStore store;
    private final Lateness lateness = new Lateness();
    private final Thread thread;
    private volatile boolean closed;

    HiccupThread(EventStore store) {
        this.store = store;
        this.thread = new Thread(this::run, "plog-hiccups");
        thread.setDaemon(true);
        thread.start();
    }

    Lateness lateness() {
        return lateness;
    }

    private void run() {
        while (!closed) {
            long due = System.nanoTime() + PERIOD_NANOS;
            LockSupport.parkNanos(PERIOD_NANOS);
            long late = System.nanoTime() - due;
            if (late >= 0) { // else it came back early, which parking may
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
