package io.plog.client;

import io.plog.protocol.Welcome;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What retransmitting needs of the world: time and connections. A test has both in its hands. All calls come from one
 * thread, and everything is reported on that thread.
 */
interface Wire {
    /** A clock that only counts up, as {@link System#nanoTime}. Any thread may ask. */
    long nanoTime();

    /** Runs a task once after a while; running the result takes that back. */
    Runnable schedule(Runnable task, long delayNanos);

    /**
     * Opens a connection without blocking.
     *
     * @param ended receives once why a connection that was open has ended, before its requests fail
     */
    CompletableFuture<Connection> connect(Consumer<RpcException> ended);

    /** Whether there is another server than the one that is connected. */
    default boolean hasOthers() {
        return false;
    }

    /**
     * The server that is connected is of no use: the next connection goes to another, if there is one.
     *
     * @param silent whether it said nothing at all for so long that it may be cut off
     */
    default void leave(RpcException why, boolean silent) {}

    interface Connection {
        Welcome welcome();

        /** Sends a request; the future completes with its checked reply or fails with an {@link RpcException}. */
        CompletableFuture<Reply> send(int targetId, long requestNumber, ByteBuffer payload);

        /** When bytes of a reply that is not whole came last, by {@link Wire#nanoTime}; before that, when it was made. */
        long partOfReplyNanos();

        /** Closes it: what is outstanding fails. */
        void close();
    }
}
