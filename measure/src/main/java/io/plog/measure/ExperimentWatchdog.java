package io.plog.measure;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Watches an experiment from a thread of its own, a few times a second: reports progress, and closes the connections when
 * no reply has come for too long, or for a short time after a stop.
 */
final class ExperimentWatchdog implements AutoCloseable {
    private static final long PERIOD_MILLIS = 250;

    private final LongSupplier done;
    private final Runnable report;
    private final Duration replyTimeout;
    private final Duration timeoutAfterStop;
    private final BooleanSupplier stopped;
    private final Runnable cut;
    private final Thread thread;
    private boolean closed;

    ExperimentWatchdog(
            LongSupplier done,
            Runnable report,
            Duration replyTimeout,
            Duration timeoutAfterStop,
            BooleanSupplier stopped,
            Runnable cut) {
        this.done = done;
        this.report = report;
        this.replyTimeout = replyTimeout;
        this.timeoutAfterStop = timeoutAfterStop;
        this.stopped = stopped;
        this.cut = cut;
        this.thread = new Thread(this::run, "plog-watchdog");
        thread.setDaemon(true);
        thread.start();
    }

    private synchronized void run() {
        long last = -1;
        long lastChange = System.nanoTime();
        try {
            while (!closed) {
                long now = System.nanoTime();
                long count = done.getAsLong();
                if (count != last) {
                    last = count;
                    lastChange = now;
                } else if (now - lastChange > (stopped.getAsBoolean() ? timeoutAfterStop : replyTimeout).toNanos()) {
                    cut.run();
                    return;
                }
                report.run();
                wait(PERIOD_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
