package io.plog.log;

import java.util.List;
import java.util.Locale;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends the threads of a log in bounded time. It waits while they make progress. If they do not, because a callback or an
 * operation on the disk does not return, it gives the log up: nothing more is written, and every append that still waits is
 * completed. For the thread that closes the log.
 */
final class BoundedClose {
    /** How often it looks whether they get on, in each bound. */
    private static final int LOOKS = 20;

    private final LogShutdown shutdown;
    private final LogThreads threads;
    private final LaneRunner runner;
    private final CallbackMonitor callbacks;
    private final CloseTimeouts timeouts;
    private @Nullable String givenUp;

    BoundedClose(AppendEngine engine, LaneRunner runner, CallbackMonitor callbacks, CloseTimeouts timeouts) {
        this.shutdown = engine.shutdown;
        this.threads = engine.threads;
        this.runner = runner;
        this.callbacks = callbacks;
        this.timeouts = timeouts;
    }

    /** Lets the lanes finish what was taken. */
    void endLanes() {
        shutdown.begin();
        String reason = await(runner::join, shutdown::progress);
        if (reason != null && givenUp == null) {
            giveUp(reason);
        }
    }

    private void giveUp(String reason) {
        LogFailedException unknown = new LogFailedException(
                "the log was given up while it was closed, since " + reason
                        + "; the outcome of what was being appended is unknown. Open it again to recover",
                null,
                true);
        List<AppendNotifier.Pending> rest = shutdown.giveUp(unknown);
        new PendingNotifier(rest, threads, timeouts.callback().toNanos() / LOOKS).start();
        givenUp = reason;
    }

    /**
     * Waits for something else to end.
     *
     * @param join waits for so many nanoseconds; returns whether it came to its end
     * @return false if it did not end for too long
     */
    boolean ended(LongPredicate join) {
        String reason = await(join, () -> 0);
        if (reason != null && givenUp == null) {
            givenUp = reason;
        }
        return reason == null;
    }

    /** Whether no operation of the log runs on the disk, and none will begin. */
    boolean isDiskIdle() {
        return shutdown.isDiskIdle();
    }

    /** Who did not let the log end in order; null if it did. */
    @Nullable
    String reasonToGiveUp() {
        return givenUp;
    }

    /**
     * @param join waits for so many nanoseconds; returns whether it came to its end
     * @param progress a number that changes with each step forward
     * @return null when it came to its end; otherwise who did not get on
     */
    private @Nullable String await(LongPredicate join, LongSupplier progress) {
        long step = Math.max(
                1, Math.min(timeouts.callback().toNanos(), timeouts.disk().toNanos()) / LOOKS);
        long lastProgress = progress.getAsLong();
        long since = System.nanoTime();
        while (!join.test(step)) {
            long now = System.nanoTime();
            long current = progress.getAsLong();
            if (current != lastProgress) {
                lastProgress = current;
                since = now;
            }
            CallbackMonitor.Stall callback = callbacks.longest();
            boolean isCallback = callback.nanos() > 0 && shutdown.isDiskIdle();
            if (now - since >= (isCallback ? timeouts.callback() : timeouts.disk()).toNanos()) {
                return isCallback
                        ? String.format(
                                Locale.ROOT,
                                "a callback on thread %s has not returned for %.1f s",
                                callback.threadName(),
                                callback.nanos() / 1e9)
                        : String.format(Locale.ROOT, "the disk did not answer for %.1f s", (now - since) / 1e9);
            }
        }
        return null;
    }
}
