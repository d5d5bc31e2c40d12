package io.plog.log.segment;

import io.plog.log.file.Uninterruptibles;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that does one piece of a log's work, as long as the log is open. Tests open many thousands of logs; they supply
 * threads that are used again.
 */
public interface WorkThread {
    /** How long to wait for memory before the next try. */
    long SHORTAGE_NANOS = 1_000_000;

    /** Begins. Called once. */
    void start(Runnable work);

    /** Wakes it if it is parked. For any thread, after {@link #start}. */
    void unpark();

    /**
     * Waits until the work has ended, at most so many nanoseconds. An interrupt does not end the wait and stays set.
     *
     * @return whether it has ended, or never began
     */
    boolean join(long nanos);

    /** Whether the work is to return instead of waiting for more; then {@link #unpark} runs it again. */
    default boolean isShared() {
        return false;
    }

    /** The work has ended for good. Called by it, at its end. */
    default void end() {}

    /** A daemon thread of its own. */
    static WorkThread named(String name) {
        return new WorkThread() {
            private final Thread thread = new Thread(this::run, name);
            private volatile Runnable work = () -> {};

            private void run() {
                work.run();
            }

            @Override
            public void start(Runnable work) {
                this.work = work;
                thread.setDaemon(true);
                thread.start();
            }

            @Override
            public void unpark() {
                LockSupport.unpark(thread);
            }

            @Override
            public boolean join(long nanos) {
                return Uninterruptibles.join(thread, nanos);
            }
        };
    }
}
