package io.plog.log;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that the logs of one process share, for an embedder that has many: a log that is opened with it
 * ({@link LogOptions#withRuntime}) has none of its own. A log takes a thread for one group of appends at a time. So the number of
 * threads bounds how many logs write and force at once, and a callback that does not return keeps one from all of them. RocksDB
 * shares its threads among column families in the same way.
 *
 * <p>For any thread. Close it when its logs are closed.
 */
public final class LogRuntime implements AutoCloseable {
    /** So many of the threads prepare segments. */
    private static final int PREPARING_SHARE = 4;

    private final ExecutorService working;
    private final ExecutorService preparing;
    private final ScheduledExecutorService watching;

    private LogRuntime(int threads) {
        int most = Math.max(1, threads / PREPARING_SHARE);
        preparing = Executors.newFixedThreadPool(most, daemons("plog-shared-prepare-"));
        watching = Executors.newSingleThreadScheduledExecutor(daemons("plog-shared-watch-"));
        working = Executors.newFixedThreadPool(threads - most - 1, daemons("plog-shared-log-"));
    }

    /**
     * Makes one.
     *
     * @param threads how many there are at most, 3 to 1024; more than a disk serves at once are of no use
     * @throws IllegalArgumentException if that is not in its range
     */
    public static LogRuntime ofThreads(int threads) {
        if (threads < 3 || threads > 1024) {
            throw new IllegalArgumentException("threads is " + threads + ": expected 3 to 1024");
        }
        return new LogRuntime(threads);
    }

    private static ThreadFactory daemons(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Writes and forces for a log. */
    ExecutorService working() {
        return working;
    }

    /** Makes segments for a log. */
    ExecutorService preparing() {
        return preparing;
    }

    /** Looks after a log now and then. */
    ScheduledExecutorService watching() {
        return watching;
    }

    /** Ends the threads when they have done what they are at. The logs are to be closed before. */
    @Override
    public void close() {
        working.shutdown();
        preparing.shutdown();
        watching.shutdownNow();
    }
}
