package io.plog.server;

import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The connections that are open. Safe for any thread. */
final class Connections {
    /** More than a farewell takes. */
    private static final int MOST_SECONDS_TO_CLOSE = 5;

    private final Set<Connection> open = ConcurrentHashMap.newKeySet();

    void add(Connection connection) {
        open.add(connection);
    }

    void remove(Connection connection) {
        open.remove(connection);
    }

    int count() {
        return open.size();
    }

    /** Does this to each connection on its event loop, and waits until it is done. Called by no event loop. */
    void onEach(Consumer<Connection> action) {
        List<Future<?>> done = new ArrayList<>();
        for (Connection connection : open) {
            try {
                done.add(connection.context().executor().submit(() -> action.accept(connection)));
            } catch (RejectedExecutionException e) {
                // Its event loop ended, and the connection with it.
            }
        }
        done.forEach(Future::awaitUninterruptibly);
    }

    /** A farewell closes each connection within its own time, so this ends. Called by no event loop. */
    void awaitClosed() {
        for (Connection connection : open) {
            connection.context().channel().closeFuture().awaitUninterruptibly(MOST_SECONDS_TO_CLOSE, TimeUnit.SECONDS);
        }
    }
}
