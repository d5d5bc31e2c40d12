package io.plog.server;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * An end that takes a bounded time as a whole, although each of its steps may hang: on a disk that does not answer, or on an event
 * loop that has ended. A step that hangs is left behind on a daemon thread, and reported.
 *
 * <p>Used by one thread.
 */
final class BoundedShutdown {
    /** What a step does; may throw. */
    interface Action {
        void run() throws Exception;
    }

    record Step(String what, FutureTask<?> task) {}

    private final Duration bound;
    private final long startNanos = System.nanoTime();
    private final List<String> undone = new ArrayList<>();
    private @Nullable IOException failure;

    BoundedShutdown(Duration bound) {
        this.bound = bound;
    }

    /** How much of this share of the whole time is left, in nanoseconds; 0 if none is. */
    long leftNanos(double share) {
        long end = (long) (bound.toNanos() * share);
        return Math.max(0, end - (System.nanoTime() - startNanos));
    }

    /** Begins a step on a thread of its own. */
    Step begin(String what, Action action) {
        FutureTask<?> task = new FutureTask<>(() -> {
            action.run();
            return null;
        });
        Thread thread = new Thread(task, "plog-close");
        thread.setDaemon(true);
        thread.start();
        return new Step(what, task);
    }

    /** Waits for a step until this share of the whole time is over. */
    void await(Step step, double share) {
        boolean interrupted = Thread.interrupted();
        try {
            while (!isOver(step, share)) {
                interrupted = true;
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns false if the wait was interrupted. */
    private boolean isOver(Step step, double share) {
        try {
            step.task.get(leftNanos(share), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return false;
        } catch (TimeoutException e) {
            undone(step.what);
        } catch (ExecutionException e) {
            Throwable thrown = e.getCause();
            failed(new IOException(
                    step.what + ": " + (thrown instanceof IOException ? thrown.getMessage() : thrown), thrown));
        }
        return true;
    }

    /** Does a step, and waits for it until this share of the whole time is over. */
    void run(String what, double share, Action action) {
        await(begin(what, action), share);
    }

    void undone(String what) {
        undone.add(what);
    }

    private void failed(IOException cause) {
        if (failure == null) {
            failure = cause;
        } else {
            failure.addSuppressed(cause);
        }
    }

    /** To be called last: throws if a step threw, or was not done in time. */
    void check() throws IOException {
        IOException thrown = failure;
        if (undone.isEmpty()) {
            if (thrown != null) {
                throw thrown;
            }
            return;
        }
        throw new IOException(
                "not everything could be closed within " + bound.toMillis() + " ms: left behind are "
                        + String.join(", ", undone)
                        + ". What was acknowledged is safe; a request without a reply may be in the log or not"
                        + (thrown == null ? "" : ". Besides: " + thrown.getMessage()),
                thrown);
    }
}
