package io.plog.measure;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs a task again and again, on a daemon thread of its own, until it is closed. An exception of the task ends it, too. */
public final class Periodic implements AutoCloseable {
    private final ScheduledExecutorService timer;

    /**
     * Starts with a first pause.
     *
     * @param millis between the beginnings of two runs, at least 1
     */
    public Periodic(String thread, long millis, Runnable task) {
        timer = Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory(thread, true));
        var unused = timer.scheduleAtFixedRate(task, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Lets the task run no more; one that runs is not interrupted, and may end a moment later. */
    @Override
    public void close() {
        timer.shutdown();
    }
}
