package io.plog.server;

import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The connections that are open. Safe for any thread. */
final class Connections {
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();

    void add(Connection connection) {
        open.add(connection);
    }

    void remove(Connection connection) {
        open.remove(connection);
    }

    int count() {
        // Those that closed just now may still be in the set: their event loop tells it a moment later.
        return (int) open.stream()
                .filter(connection ->
                        !connection.context().channel().closeFuture().isDone())
                .count();
    }

    /**
     * Does this to each connection on its event loop, and waits until it is done. Called by no event loop.
     *
     * @param leftNanos how long it may go on waiting
     */
    void onEach(Consumer<Connection> action, LongSupplier leftNanos) {
        List<Future<?>> done = new ArrayList<>();
        for (Connection connection : open) {
            try {
                done.add(connection.context().executor().submit(() -> action.accept(connection)));
            } catch (RejectedExecutionException e) {
                // Its event loop ended, and the connection with it.
            }
        }
        done.forEach(each -> each.awaitUninterruptibly(leftNanos.getAsLong(), TimeUnit.NANOSECONDS));
    }

    /**
     * Waits until all are closed: a farewell closes each within its own time, unless its event loop has ended. Called by no event
     * loop.
     *
     * @param leftNanos how long it may go on waiting
     * @return how many are still open then
     */
    int awaitClosed(LongSupplier leftNanos) {
        for (Connection connection : open) {
            connection
                    .context()
                    .channel()
                    .closeFuture()
                    .awaitUninterruptibly(leftNanos.getAsLong(), TimeUnit.NANOSECONDS);
        }
        // Those that closed just now may still be in the set: their event loop tells it a moment later.
        return (int) open.stream()
                .filter(connection ->
                        !connection.context().channel().closeFuture().isDone())
                .count();
    }
}
