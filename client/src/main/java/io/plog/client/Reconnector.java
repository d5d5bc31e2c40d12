package io.plog.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection: makes it when it is needed, and pauses longer with each attempt that came to nothing. For the
 * thread of its {@link Wire}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of whenComplete, whose outcome is handled in it
final class Reconnector {
    private final Wire wire;
    private final RetryOptions options;
    private final DoubleSupplier chance;
    private final RetryListener listener;
    private final Retransmitter owner;

    private Wire.@Nullable Connection connection;
    private @Nullable RpcException failure;
    private boolean closed;
    private boolean busy;
    private int attempts;
    private int failedInARow;
    private long notBefore;

    /** @param chance takes away up to half of a pause; 0 to 1 */
    Reconnector(Wire wire, RetryOptions options, DoubleSupplier chance, RetryListener listener, Retransmitter owner) {
        this.wire = wire;
        this.options = options;
        this.chance = chance;
        this.listener = listener;
        this.owner = owner;
        this.notBefore = wire.nanoTime();
    }

    Wire.@Nullable Connection connection() {
        return connection;
    }

    /** What kept the last attempt from making a connection; null if it made one, or there was none. */
    @Nullable
    RpcException failure() {
        return failure;
    }

    /** Sees to it that there will be a connection, now or after the pause that is due. */
    void connect() {
        if (busy || closed || connection != null) {
            return;
        }
        busy = true;
        long wait = notBefore - wire.nanoTime();
        if (wait > 0) {
            wire.schedule(
                    () -> {
                        busy = false;
                        owner.mayConnect();
                    },
                    wait);
            return;
        }
        int attempt = ++attempts;
        open(attempt).whenComplete((made, failed) -> {
            busy = false;
            if (failed != null) {
                notConnected(ConnectionFailures.notConnected(failed));
            } else {
                connected(made);
            }
        });
    }

    /** What the attempt itself throws, such as that there is no thread for it, passes as other failures do. */
    private CompletableFuture<Wire.Connection> open(int attempt) {
        try {
            return wire.connect(why -> ended(attempt, why));
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void connected(Wire.Connection made) {
        if (closed) {
            made.close();
            return;
        }
        connection = made;
        failure = null;
        failedInARow = 0;
        owner.connected(made);
    }

    private void notConnected(RpcException why) {
        if (closed) {
            return;
        }
        if (why instanceof IncompatibleServerException) {
            owner.impossible(why);
            return;
        }
        failure = why;
        pause(++failedInARow, why);
        owner.mayConnect();
    }

    private void ended(int attempt, RpcException why) {
        // One that was given up before has nothing more to say.
        if (attempt == attempts && connection != null) {
            connection = null;
            owner.lost(why);
        }
    }

    /**
     * Gives the connection up: the owner is not notified of its end. To be closed when the owner has seen to what is outstanding,
     * because that fails then.
     */
    Wire.@Nullable Connection detach() {
        Wire.Connection current = connection;
        connection = null;
        return current;
    }

    /** Makes the next connection wait, after so many fruitless attempts in a row at whatever the connection was for. */
    void pause(int fruitless, RpcException why) {
        long pause = options.pauseNanos(fruitless, chance.getAsDouble());
        notBefore = wire.nanoTime() + pause;
        listener.retrying(why, Duration.ofNanos(pause));
    }

    /** Closes the connection and makes no other. */
    void close() {
        closed = true;
        Wire.Connection current = detach();
        if (current != null) {
            current.close();
        }
    }
}
