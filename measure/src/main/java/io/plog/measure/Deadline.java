package io.plog.measure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Bounds something that blocks, as a whole: the timeout of a socket is for each read, and a peer that sends byte by byte causes many.
 * Safe for any thread.
 */
final class Deadline implements AutoCloseable {
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /**
     * Begins.
     *
     * @param end ends what blocks, on another thread, unless this was closed before
     */
    Deadline(long millis, Runnable end) {
        var unused = over.orTimeout(millis, TimeUnit.MILLISECONDS).exceptionally(late -> {
            end.run();
            return null;
        });
    }

    boolean hasPassed() {
        return over.isCompletedExceptionally();
    }

    @Override
    public void close() {
        over.complete(null);
    }
}
