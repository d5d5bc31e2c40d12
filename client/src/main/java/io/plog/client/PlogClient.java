package io.plog.client;

import io.netty.channel.EventLoop;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection to a plog server that carries any number of requests at a time, up to the server's limit. Every reply is
 * checked before it counts: its length, its client, its number, and every byte if the target's service inverts.
 *
 * <p>Safe for any number of threads. Futures complete on the client's own event loop: what is chained to them must be
 * quick, and must not call the blocking form. {@link RetryingClient} sends again what got no reply; to measure one
 * request after the other, {@code MeasuringConnection} has the shorter path.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of whenComplete, whose outcome is handed on
public final class PlogClient implements Closeable {
    private final EventLoop loop;
    private final Link link;
    private final ClientOptions options;
    private final Semaphore room;

    private PlogClient(EventLoop loop, Link link, ClientOptions options) {
        this.loop = loop;
        this.link = link;
        this.options = options;
        this.room = new Semaphore(link.welcome().maxOutstanding());
    }

    /**
     * Connects and shakes hands.
     *
     * @param port 1 to 65535
     * @throws ServerUnavailableException if nobody is there, or the server takes no connection now
     * @throws IncompatibleServerException if it is not a plog server, or of another version
     */
    public static PlogClient connect(String host, int port, ClientOptions options) throws RpcException {
        EventLoop loop = Link.newLoop();
        try {
            Link link = Link.open(loop, host, port, options, why -> {}).get();
            return new PlogClient(loop, link, options);
        } catch (ExecutionException e) {
            Link.shutDown(loop);
            throw asRpc(e);
        } catch (InterruptedException e) {
            Link.shutDown(loop);
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException("interrupted while connecting to " + host + ":" + port, e);
        }
    }

    /** What the server said of itself: limits, facts, targets. */
    public Welcome server() {
        return link.welcome();
    }

    /** The target of this name, if the server has one. */
    public Optional<TargetDescription> target(String name) {
        return server().targets().stream().filter(t -> t.name().equals(name)).findFirst();
    }

    /**
     * Sends a request and returns at once. The future completes with the checked reply, or fails with an
     * {@link RpcException}; cancelling it takes nothing back.
     *
     * @param targetId the target's id, 0 to 65535
     * @param requestNumber the client's number for the request, a u64 that is not outstanding
     * @param payload copied, from its position to its limit; its position stays
     * @throws IllegalArgumentException if the payload is longer than the server takes; nothing was sent
     */
    public CompletableFuture<Reply> call(int targetId, long requestNumber, ByteBuffer payload) {
        if (payload.remaining() > server().maxPayloadBytes()) {
            throw new IllegalArgumentException(ConnectionFailures.tooLong(payload.remaining(), server()));
        }
        if (!room.tryAcquire()) {
            return CompletableFuture.failedFuture(new TooManyOutstandingException(server().maxOutstanding()));
        }
        // A future of its own: one that the caller completes or cancels must not free the room.
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        link.send(targetId, requestNumber, payload).whenComplete((answer, failure) -> {
            room.release();
            if (failure != null) {
                reply.completeExceptionally(failure);
            } else {
                reply.complete(answer);
            }
        });
        return reply;
    }

    /**
     * Sends a request and waits for its reply, up to the options' reply timeout.
     *
     * @throws NoReplyException if no reply came in time, or the connection ended
     * @throws RefusedException if the server answered with a status other than OK
     * @throws WrongReplyException if the reply is not the answer to the request
     * @throws TooManyOutstandingException if as many are outstanding as the server allows
     * @throws IllegalArgumentException as {@link #call}
     */
    public Reply callAndWait(int targetId, long requestNumber, ByteBuffer payload) throws RpcException {
        CompletableFuture<Reply> reply = call(targetId, requestNumber, payload);
        try {
            return reply.get(options.replyTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw asRpc(e);
        } catch (TimeoutException e) {
            throw new NoReplyException(
                    "no reply within " + options.replyTimeout().toMillis() + " ms; the request may have been executed",
                    true,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoReplyException(
                    "interrupted while waiting for the reply; the request may have been executed", true, e);
        }
    }

    private static RpcException asRpc(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof RpcException rpc) {
            return rpc;
        }
        if (cause instanceof IllegalArgumentException argument) {
            throw argument;
        }
        throw new IllegalStateException("a call failed in an unexpected way", cause);
    }

    /** Closes the connection. What is outstanding fails, but may be executed all the same. */
    @Override
    public void close() {
        link.close().awaitUninterruptibly();
        Link.shutDown(loop);
    }
}
