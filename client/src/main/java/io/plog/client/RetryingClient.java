package io.plog.client;

import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import io.plog.protocol.Welcome;
import java.io.Closeable;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A client for services: each call is sent until it is acknowledged or its deadline passes. When the connection is lost,
 * when no reply comes, or when the server cannot take the request now, the client pauses, longer each time, connects again
 * if it must, and sends the <em>same number</em> again; the server executes a number once, however often it arrives, also
 * across its restarts.
 *
 * <p>Numbers rise by themselves, from 1 by default. Several calls may be outstanding; first transmissions keep
 * the order of numbers, but a request that has to be sent again is overtaken by later ones. A caller that needs the order waits
 * for each acknowledgement. A client's id belongs to one client at a time; one that continues under the id of another that
 * has ended must continue above the other's highest number.
 *
 * <p>Safe for any number of threads, with one thread of its own in all. Futures complete on that thread: what is chained to
 * them must be quick, and must not call a blocking form.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of whenComplete, whose outcome is handed on
public final class RetryingClient implements Closeable {
    private final EventLoop loop = Link.newLoop();
    private final Wire wire;
    private final Retransmitter retransmitter;
    private final RetryOptions options;
    private final long clientId;

    // Guarded by this: numbers are given out in the order in which calls are handed to the loop.
    private long nextNumber;
    private int queued;
    private long queuedBytes;

    private RetryingClient(
            List<InetSocketAddress> servers,
            long firstNumber,
            ClientOptions clientOptions,
            RetryOptions options,
            RetryListener listener) {
        this.wire = wire(loop, servers, clientOptions, options.replyTimeout);
        this.options = options;
        this.clientId = clientOptions.clientId();
        this.nextNumber = firstNumber;
        SplittableRandom random = new SplittableRandom();
        this.retransmitter = new Retransmitter(wire, options, clientId, random::nextDouble, listener);
    }

    private static Wire wire(
            EventLoop loop, List<InetSocketAddress> servers, ClientOptions options, Duration patience) {
        List<NettyWire> wires = servers.stream()
                .map(server -> new NettyWire(loop, server.getHostString(), server.getPort(), options))
                .toList();
        if (wires.size() == 1) {
            return wires.get(0);
        }
        List<String> names = servers.stream().map(RetryingClient::nameOf).toList();
        if (names.isEmpty() || Set.copyOf(names).size() < names.size()) {
            throw new IllegalArgumentException("servers are " + names + ": expected at least one, and none twice");
        }
        return new FailoverWire(names, wires, patience.toNanos());
    }

    private static String nameOf(InetSocketAddress server) {
        return NetUtil.toSocketAddressString(server.getHostString(), server.getPort());
    }

    /** A client that connects when it has something to send. */
    public static RetryingClient of(String host, int port, ClientOptions clientOptions, RetryOptions options) {
        InetSocketAddress server = InetSocketAddress.createUnresolved(host, port);
        return of(List.of(server), 1, clientOptions, options, RetryListener.NONE);
    }

    /**
     * A client of one server, or of several of which one serves, such as the holder of a replicated log and its standbys. The client stays
     * with the server that serves, and goes to the next in the list when that cannot be reached, ends the connection, is silent
     * for too long, or says that it does not serve. It sends what is not acknowledged again, under the same numbers.
     *
     * @param servers with host and port, resolved or not; at least one, none twice
     * @param firstNumber the first call's number, a u64
     * @param listener learns what is tried again, and why
     * @throws IllegalArgumentException if there is none, or one twice
     */
    public static RetryingClient of(
            List<InetSocketAddress> servers,
            long firstNumber,
            ClientOptions clientOptions,
            RetryOptions options,
            RetryListener listener) {
        return new RetryingClient(servers, firstNumber, clientOptions, options, listener);
    }

    public long clientId() {
        return clientId;
    }

    /**
     * Waits for a server and returns what it says of itself: limits, facts, targets.
     *
     * @throws ServerUnavailableException if none is there until the deadline
     * @throws IncompatibleServerException if what is there is no plog server, or of another version
     * @throws NoReplyException if nothing was heard until the deadline, or the client is closed
     */
    public Welcome server(Duration deadline) throws RpcException {
        RetryOptions.checkDeadline(deadline);
        checkNotOnLoop();
        CompletableFuture<Welcome> welcome = new CompletableFuture<>();
        long deadlineNanos = wire.nanoTime() + deadline.toNanos();
        try {
            loop.execute(() -> retransmitter.server(welcome, deadlineNanos));
            return welcome.get();
        } catch (RejectedExecutionException e) {
            throw new NoReplyException("the client is closed", false, e);
        } catch (ExecutionException e) {
            throw asRpc(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoReplyException("interrupted while waiting for the server", false, e);
        }
    }

    /** As {@link #call(String, ByteBuffer, Duration)} with the options' deadline. */
    public CompletableFuture<Reply> call(String target, ByteBuffer payload) {
        return call(target, payload, options.deadline);
    }

    /**
     * Sends a request until it is acknowledged, and returns at once. The future completes with the checked reply, or fails
     * with a {@link CallFailedException}. Cancelling it ends the sending and takes nothing back.
     *
     * @param target the target's name, looked up anew on each connection
     * @param payload copied, from its position to its limit; its position stays
     * @param deadline for all transmissions together, 1 ms to 24 h
     */
    public CompletableFuture<Reply> call(String target, ByteBuffer payload, Duration deadline) {
        return start(target, payload, deadline).reply;
    }

    /** As {@link #callAndWait(String, ByteBuffer, Duration)} with the options' deadline. */
    public Reply callAndWait(String target, ByteBuffer payload) throws CallFailedException {
        return callAndWait(target, payload, options.deadline);
    }

    /**
     * Sends a request until it is acknowledged, and waits for that.
     *
     * @throws CallFailedException if it was not acknowledged: it says whether the request may have been executed. Also if
     *     this thread is interrupted, whose flag is then set again
     */
    public Reply callAndWait(String target, ByteBuffer payload, Duration deadline) throws CallFailedException {
        checkNotOnLoop();
        Call call = start(target, payload, deadline);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return call.reply.get();
                } catch (InterruptedException e) {
                    // The loop knows what became of the transmissions; it answers at once.
                    interrupted = true;
                    abandon(call);
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CallFailedException failed) {
                throw failed;
            }
            throw new IllegalStateException("a call failed in an unexpected way", e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Call start(String target, ByteBuffer payload, Duration deadline) {
        RetryOptions.checkDeadline(deadline);
        byte[] copy = new byte[payload.remaining()];
        payload.duplicate().get(copy);
        long deadlineNanos = wire.nanoTime() + deadline.toNanos();
        synchronized (this) {
            Call call = new Call(target, nextNumber, ByteBuffer.wrap(copy), deadlineNanos);
            boolean full =
                    queued >= options.maxQueued || (queued > 0 && queuedBytes + copy.length > options.maxQueuedBytes);
            if (full) {
                refuse(call, new TooManyOutstandingException(queued, queuedBytes));
                return call;
            }
            try {
                loop.execute(() -> retransmitter.submit(call));
            } catch (RejectedExecutionException e) {
                refuse(call, new NoReplyException("the client is closed", false, e));
                return call;
            }
            nextNumber++;
            queued++;
            queuedBytes += copy.length;
            call.reply.whenComplete((reply, failure) -> ended(call, copy.length));
            return call;
        }
    }

    private void refuse(Call call, RpcException why) {
        call.reply.completeExceptionally(ConnectionFailures.callFailed(clientId, call, why, "", false));
    }

    private synchronized void ended(Call call, int bytes) {
        queued--;
        queuedBytes -= bytes;
        // Nothing new if the loop itself has completed it; but the caller may have, or have cancelled it.
        try {
            if (loop.inEventLoop()) {
                retransmitter.release(call);
            } else {
                loop.execute(() -> retransmitter.release(call));
            }
        } catch (RejectedExecutionException e) {
            // Closed: nothing is sent any more.
        }
    }

    private void abandon(Call call) {
        try {
            loop.execute(() -> retransmitter.abandon(call, "because its thread was interrupted,"));
        } catch (RejectedExecutionException e) {
            // Closed, which has failed the call, or is about to.
        }
    }

    private void checkNotOnLoop() {
        if (loop.inEventLoop()) {
            throw new IllegalStateException(
                    "a blocking call on the client's own thread would wait for itself; use the future");
        }
    }

    private static RpcException asRpc(ExecutionException e) {
        if (e.getCause() instanceof RpcException rpc) {
            return rpc;
        }
        throw new IllegalStateException("connecting failed in an unexpected way", e.getCause());
    }

    /** Closes the connection. What is unfinished fails, but may be executed all the same. */
    @Override
    public void close() {
        try {
            loop.execute(retransmitter::close);
        } catch (RejectedExecutionException e) {
            return; // closed before
        }
        Link.shutDown(loop);
    }

    /** The real world: the loop's clock and timers, and connections on it. */
    private record NettyWire(EventLoop loop, String host, int port, ClientOptions options) implements Wire {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Runnable schedule(Runnable task, long delayNanos) {
            var timer = loop.schedule(task, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
            return () -> timer.cancel(false);
        }

        @Override
        public CompletableFuture<Connection> connect(Consumer<RpcException> ended) {
            return Link.open(loop, host, port, options, ended).thenApply(link -> link);
        }
    }
}
