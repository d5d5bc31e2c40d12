package io.plog.client;

import io.plog.protocol.Status;
import io.plog.protocol.Welcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends each call until it is acknowledged, refused for good, or out of time. A call is in one of three places: it is
 * {@code ready} to be sent, {@code inFlight}, or in a pause of its own after a refusal, known only to its timer.
 *
 * <p>For one thread: the one that its {@link Wire} tells everything on.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of whenComplete, whose outcome is handled in it
final class Retransmitter {
    private final Wire wire;
    private final RetryOptions options;
    private final long clientId;
    private final DoubleSupplier chance;
    private final RetryListener listener;

    /** All that are not finished, in the order of their numbers. */
    private final Map<Long, Call> unfinished = new LinkedHashMap<>();

    /** Lowest number first, so that first transmissions keep the order of numbers, and repeated ones go before them. */
    private final TreeMap<Long, Call> ready = new TreeMap<>(Long::compareUnsigned);

    /** In the order of sending; finished ones stay until their reply or the end of the connection, as in the server. */
    private final LinkedHashMap<Long, Call> inFlight = new LinkedHashMap<>();

    private final List<CompletableFuture<Welcome>> waitingForServer = new ArrayList<>();

    private Wire.@Nullable Connection connection;
    private int window;
    private boolean connecting;
    private boolean closed;
    private long bytesSubmitted;
    private int connectionsMade;
    private int failedConnects;
    private long connectNotBefore;
    private @Nullable RpcException connectFailure;
    private boolean reconnectScheduled;
    private boolean watching;
    private boolean pumping;

    /**
     * @param chance takes away up to half of a pause; 0 to 1
     */
    Retransmitter(Wire wire, RetryOptions options, long clientId, DoubleSupplier chance, RetryListener listener) {
        this.wire = wire;
        this.options = options;
        this.clientId = clientId;
        this.chance = chance;
        this.listener = listener;
        this.connectNotBefore = wire.nanoTime();
    }

    /** Takes a call. Calls come in the order of their numbers. */
    void submit(Call call) {
        if (closed) {
            fail(call, new NoReplyException("the client is closed", false), "");
            return;
        }
        call.bytesBefore = bytesSubmitted;
        bytesSubmitted += call.payload.remaining();
        unfinished.put(call.number, call);
        ready.put(call.number, call);
        call.deadlineTimer = wire.schedule(() -> expire(call), call.deadlineNanos - wire.nanoTime());
        pump();
    }

    /** Completes with what the server says of itself as soon as one is there, or fails when time is up. */
    void server(CompletableFuture<Welcome> welcome, long deadlineNanos) {
        if (closed) {
            welcome.completeExceptionally(new NoReplyException("the client is closed", false));
        } else if (connection != null) {
            welcome.complete(connection.welcome());
        } else {
            waitingForServer.add(welcome);
            wire.schedule(() -> noServer(welcome), deadlineNanos - wire.nanoTime());
            pump();
        }
    }

    private void noServer(CompletableFuture<Welcome> welcome) {
        RpcException why = connectFailure;
        welcome.completeExceptionally(why != null ? why : new NoReplyException("no server answered in time", false));
    }

    /** Gives a call up. */
    void abandon(Call call, String why) {
        if (!call.reply.isDone()) {
            fail(call, lastFailure(call), why);
        }
    }

    /** Fails whatever is unfinished. */
    void close() {
        closed = true;
        failAll(new NoReplyException("the client was closed", false));
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }

    /** Sends what can be sent, or sees to a connection. */
    private void pump() {
        if (pumping) {
            return; // whoever is at it looks again after each call
        }
        pumping = true;
        try {
            Wire.Connection current = connection;
            while (current != null && sendNext(current)) {
                current = connection;
            }
        } finally {
            pumping = false;
        }
        waitingForServer.removeIf(CompletableFuture::isDone);
        if (connection == null && !closed && !(unfinished.isEmpty() && waitingForServer.isEmpty())) {
            connect();
        }
    }

    private boolean sendNext(Wire.Connection current) {
        int most = Math.min(options.maxOutstanding(), current.welcome().maxOutstanding());
        if (ready.isEmpty() || inFlight.size() >= most) {
            return false;
        }
        Call next = ready.firstEntry().getValue();
        if (isTooFarAhead(next)) {
            return false;
        }
        ready.remove(next.number);
        transmit(current, next);
        return true;
    }

    /** The server forgets answers that lie a window behind: no call may run so far ahead of one that may be repeated. */
    private boolean isTooFarAhead(Call next) {
        Call oldest = unfinished.values().iterator().next();
        long bytes = next.bytesBefore + next.payload.remaining() - oldest.bytesBefore;
        return next.number - oldest.number >= Math.min(options.maxOutstanding(), window)
                || (next != oldest && bytes > options.maxOutstandingBytes());
    }

    private void transmit(Wire.Connection current, Call call) {
        Welcome welcome = current.welcome();
        int target = call.targetOn(welcome);
        if (target < 0) {
            int status = Status.UNKNOWN_TARGET.code();
            fail(call, new RefusedException(status, Words.noTarget(call.targetName(), welcome)), "");
            return;
        }
        if (call.payload.remaining() > welcome.maxPayloadBytes()) {
            int status = Status.TOO_LARGE.code();
            fail(call, new RefusedException(status, Words.tooLong(call.payload.remaining(), welcome)), "");
            return;
        }
        inFlight.put(call.number, call);
        call.sentNanos = wire.nanoTime();
        int transmission = ++call.transmissions;
        watch();
        current.send(target, call.number, call.payload).whenComplete((reply, failure) -> {
            if (call.transmissions == transmission && inFlight.remove(call.number, call)) {
                if (failure == null) {
                    forget(call);
                    call.reply.complete(reply);
                } else {
                    failed(current, call, asRpc(failure));
                }
                pump();
            }
        });
    }

    private static RpcException asRpc(Throwable thrown) {
        Throwable failure =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        return failure instanceof RpcException rpc
                ? rpc
                : new NoReplyException("the client failed: " + failure, true, failure);
    }

    private void failed(Wire.Connection current, Call call, RpcException failure) {
        call.lastFailure = failure;
        call.unknown |= failure.mayHaveBeenExecuted();
        if (!unfinished.containsKey(call.number)) {
            return; // was given up meanwhile
        }
        if (failure instanceof NoReplyException) {
            // The connection is about to say that it has ended; nothing more goes there.
            again(call);
            if (connection == current) {
                lost(failure);
            }
        } else if (failure instanceof RefusedException refused && isTemporary(refused.status())) {
            pause(call, failure);
        } else {
            fail(call, failure, "");
        }
    }

    /** Whether the same request under the same number may fare better later. */
    private static boolean isTemporary(int code) {
        Status status = Status.ofCode(code);
        if (status == null) {
            return false; // whatever it means, it is not known to pass
        }
        return switch (status) {
            case OVERLOADED, LOG_FULL, LOG_FAILED, SHUTTING_DOWN, FAILED -> true;
            case OK, UNKNOWN_TARGET, TOO_LARGE, UNSUPPORTED, OUTDATED, CONFLICT -> false;
        };
    }

    private void pause(Call call, RpcException why) {
        long pause = options.pauseNanos(++call.fruitless, chance.getAsDouble());
        call.pauseTimer = wire.schedule(
                () -> {
                    again(call);
                    pump();
                },
                pause);
        listener.retrying(why, Duration.ofNanos(pause));
    }

    private void again(Call call) {
        if (unfinished.containsKey(call.number)) {
            ready.put(call.number, call);
        }
    }

    /** The connection is gone. What was in flight may have been executed, and is sent again on the next one. */
    private void lost(RpcException why) {
        connection = null;
        int fruitless = 0;
        for (Call call : inFlight.values()) {
            call.unknown = true;
            call.lastFailure = why;
            fruitless = Math.max(fruitless, ++call.fruitless);
            again(call);
        }
        inFlight.clear();
        if (fruitless > 0) {
            waitBeforeConnecting(fruitless, why);
        }
        pump();
    }

    private void waitBeforeConnecting(int attempts, RpcException why) {
        long pause = options.pauseNanos(attempts, chance.getAsDouble());
        connectNotBefore = wire.nanoTime() + pause;
        listener.retrying(why, Duration.ofNanos(pause));
    }

    private void connect() {
        if (connecting || reconnectScheduled) {
            return;
        }
        long wait = connectNotBefore - wire.nanoTime();
        if (wait > 0) {
            reconnectScheduled = true;
            wire.schedule(
                    () -> {
                        reconnectScheduled = false;
                        pump();
                    },
                    wait);
            return;
        }
        connecting = true;
        int attempt = ++connectionsMade;
        wire.connect(why -> {
                    // One that was given up before, for its silence, has nothing more to say.
                    if (attempt == connectionsMade && connection != null) {
                        lost(why);
                    }
                })
                .whenComplete((made, failure) -> {
                    connecting = false;
                    if (failure != null) {
                        notConnected(asRpc(failure));
                    } else {
                        connected(made);
                    }
                });
    }

    private void connected(Wire.Connection made) {
        if (closed) {
            made.close();
            return;
        }
        connection = made;
        window = Services.window(made.welcome());
        failedConnects = 0;
        connectFailure = null;
        waitingForServer.forEach(waiting -> waiting.complete(made.welcome()));
        pump();
    }

    private void notConnected(RpcException failure) {
        if (closed) {
            return;
        }
        if (failure instanceof IncompatibleServerException) {
            failAll(failure);
            return;
        }
        connectFailure = failure;
        waitBeforeConnecting(++failedConnects, failure);
        pump();
    }

    /** Sees to it that no transmission is without a reply for longer than the options allow. */
    private void watch() {
        if (watching || inFlight.isEmpty()) {
            return;
        }
        long oldest = inFlight.values().iterator().next().sentNanos;
        watching = true;
        wire.schedule(this::look, oldest + options.replyTimeout().toNanos() - wire.nanoTime());
    }

    private void look() {
        watching = false;
        Wire.Connection current = connection;
        Iterator<Call> sent = inFlight.values().iterator();
        if (current != null
                && sent.hasNext()
                && wire.nanoTime() - sent.next().sentNanos
                        >= options.replyTimeout().toNanos()) {
            RpcException silent = new NoReplyException(
                    "no reply within " + options.replyTimeout().toMillis() + " ms; the request may have been executed",
                    true);
            lost(silent);
            current.close();
        }
        watch();
    }

    private void expire(Call call) {
        fail(call, lastFailure(call), "without an acknowledgement in time");
    }

    private RpcException lastFailure(Call call) {
        RpcException last = connectFailure != null ? connectFailure : call.lastFailure;
        return last != null ? last : new NoReplyException("no reply came", call.transmissions > 0);
    }

    private void failAll(RpcException why) {
        pumping = true; // while only some have failed, nothing is to be done for the others
        try {
            for (Call call : List.copyOf(unfinished.values())) {
                fail(call, why, "");
            }
            List.copyOf(waitingForServer).forEach(waiting -> waiting.completeExceptionally(why));
        } finally {
            pumping = false;
        }
        pump();
    }

    /** Ends a call without an acknowledgement. */
    private void fail(Call call, RpcException last, String how) {
        // A transmission that is still under way may be executed any moment.
        boolean unknown = call.unknown || last.mayHaveBeenExecuted() || inFlight.get(call.number) == call;
        forget(call);
        call.reply.completeExceptionally(Words.callFailed(clientId, call, last, how, unknown));
        pump();
    }

    /** Sends nothing more of it; somebody has completed its future. */
    void forget(Call call) {
        unfinished.remove(call.number, call);
        ready.remove(call.number, call);
        call.deadlineTimer.run();
        call.pauseTimer.run();
    }
}
