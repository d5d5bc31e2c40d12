package io.plog.app.recovery;

import io.plog.client.ClientOptions;
import io.plog.client.Reply;
import io.plog.client.RetryOptions;
import io.plog.client.RetryingClient;
import io.plog.measure.plan.Recovery;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client that always has the same number of requests under way and sends those that a dead server left without an answer again,
 * under the same numbers. For one thread; answers are counted on the client's own.
 */
final class RecoveryLoad implements Closeable {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final RetryingClient client;
    private final String target;
    private final ByteBuffer payload = ByteBuffer.allocate(Recovery.PAYLOAD_BYTES);

    // Guarded by this.
    private long acknowledged;
    private int underWay;
    private boolean ending;
    private boolean lost;
    private long firstAfterNanos;
    private @Nullable Throwable failure;

    /** Begins to send, as a client that the server does not know yet. */
    RecoveryLoad(int port, String target, long clientId) {
        RetryOptions options = RetryOptions.defaults()
                .withDeadline(PATIENCE)
                .withPauses(Duration.ofMillis(1), Duration.ofMillis(5))
                .withMaxOutstanding(Recovery.OUTSTANDING, Long.MAX_VALUE);
        this.target = target;
        client = RetryingClient.of(
                List.of(InetSocketAddress.createUnresolved("127.0.0.1", port)),
                clientId,
                ClientOptions.defaults(),
                options,
                (why, pause) -> lost());
        for (int i = 0; i < Recovery.OUTSTANDING; i++) {
            send();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // of whenComplete, whose outcome is counted
    private synchronized void send() {
        underWay++;
        client.call(target, payload.duplicate()).whenComplete(this::answered);
    }

    /** Something is tried again. If the server was killed, the next answer is a new server's. */
    private synchronized void lost() {
        lost = true;
    }

    /** Kills the server; returns when it was dead, by {@link System#nanoTime}. What was tried again before was for other reasons. */
    long kill(Runnable kill) {
        synchronized (this) {
            lost = false;
        }
        kill.run();
        synchronized (this) {
            firstAfterNanos = 0;
            return System.nanoTime();
        }
    }

    private synchronized void answered(@Nullable Reply reply, @Nullable Throwable why) {
        underWay--;
        if (why == null) {
            acknowledged++;
            firstAfterNanos = lost && firstAfterNanos == 0 ? System.nanoTime() : firstAfterNanos;
        } else {
            failure = failure == null ? why : failure;
        }
        if (!ending && failure == null) {
            send();
        }
        notifyAll();
    }

    /** Waits until so many requests are acknowledged; returns how many are. */
    synchronized long awaitAcknowledged(long requests) throws IOException, InterruptedException {
        while (acknowledged < requests && failure == null) {
            wait();
        }
        check();
        return acknowledged;
    }

    /** How many requests are acknowledged. */
    synchronized long acknowledged() {
        return acknowledged;
    }

    /** When the first answer came after the kill, by {@link System#nanoTime}; waits for it and for all under way. */
    synchronized long finish() throws IOException, InterruptedException {
        while ((firstAfterNanos == 0 || underWay > 0) && failure == null) {
            ending = firstAfterNanos != 0;
            wait();
        }
        check();
        return firstAfterNanos;
    }

    private void check() throws IOException {
        if (failure != null) {
            throw new IOException("a request failed: " + failure.getMessage(), failure);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
