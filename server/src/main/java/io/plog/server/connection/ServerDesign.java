package io.plog.server.connection;

import io.plog.server.net.EventLoopChooser;
import io.plog.server.options.DesignOption;
import java.util.concurrent.Executor;

/**
 * Where a server waits for the force of its log: which thread takes a request to its log, and which thread waits. Designs differ
 * in nothing else. One object serves all connections of a server; its methods may be called on every event loop.
 */
public interface ServerDesign {
    /** A design for one server. */
    static ServerDesign of(DesignOption option, EventLoopChooser chooser) {
        return switch (option.kind()) {
            case DEDICATED -> new DedicatedDesign(chooser);
            case INLINE -> new InlineDesign();
            // Each thread writes and forces its request itself, one after the other.
            case THREADS -> new ConnectionThreads(PendingRequest::appendAlone, option.threads());
            // One of those that wait, or a thread of the log, writes and forces for all of them.
            case THREADS_SHARED -> new ConnectionThreads(PendingRequest::appendAndWait, option.threads());
        };
    }

    /**
     * Begins to serve a connection that was accepted, and lets it be read with {@link Accepted#open}: now, or when there is
     * a thread for it. Called on its event loop.
     */
    Serving accept(Accepted connection);

    /** From now on requests that were not taken to their log yet are refused. No connection is read any more. */
    default void stop() {}

    /** Waits until every outcome was handed to its event loop. Called after {@link #stop}, when the logs are closed. */
    default void awaitEnd() throws InterruptedException {}

    /** A connection that was accepted and is not read yet. */
    interface Accepted {
        /** The connection is read from now on. Called on its event loop. */
        void open();

        /** Opens it on its event loop; called by any thread. */
        void openSoon();

        Executor loop();

        /** How many of its requests were taken and not answered yet. Called on its event loop. */
        int outstanding();

        /** The thread that serves the connection broke on one of its requests. Called on that thread. */
        void failed(Throwable cause);
    }

    /** What serves one connection. Called on its event loop. */
    interface Serving {
        /** Takes a request to its log, and sees to it that it is executed and answered. The requests come in order. */
        void take(PendingRequest request);

        /** Whether {@link #take} wants requests that are not logged, too; if not, the event loop executes them. */
        default boolean takesUnlogged() {
            return false;
        }

        default void ended() {}
    }
}
