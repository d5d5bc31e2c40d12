package io.plog.client;

import io.plog.protocol.Status;
import io.plog.protocol.Welcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleSupplier;

/**
 * Sends each call until it is acknowledged, refused for good, or out of time. A call is in one of three places: it is
 * {@code ready} to be sent, {@code inFlight}, or in a pause of its own after a refusal, known only to its timer.
 *
 * <p>For one thread: that on which its {@link Wire} reports everything.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of whenComplete, whose outcome is handled in it
final class Retransmitter {
    private final Wire wire;
    private final RetryOptions options;
    private final long clientId;
    private final DoubleSupplier chance;
    private final RetryListener listener;
    private final Reconnector reconnector;

    /** All that are not finished, in the order of their numbers. */
    private final Map<Long, Call> unfinished = new LinkedHashMap<>();

    /** Lowest number first, so that first transmissions keep the order of numbers, and repeated ones go before them. */
    private final TreeMap<Long, Call> ready = new TreeMap<>(Long::compareUnsigned);

    /** In the order of sending; finished ones stay until their reply or the end of the connection, as in the server. */
    private final LinkedHashMap<Long, Call> inFlight = new LinkedHashMap<>();

    private final List<CompletableFuture<Welcome>> waitingForServer = new ArrayList<>();

    private int window;
    private boolean closed;
    private long bytesSubmitted;
    private boolean watching;
    private boolean pumping;

    /** @param chance takes away up to half of a pause; 0 to 1 */
    Retransmitter(Wire wire, RetryOptions options, long clientId, DoubleSupplier chance, RetryListener listener) {
        this.wire = wire;
        this.options = options;
        this.clientId = clientId;
        this.chance = chance;
        this.listener = harmless(listener);
        this.reconnector = new Reconnector(wire, options, chance, this.listener, this);
    }

    /** What it throws is reported, and holds nothing up. */
    private static RetryListener harmless(RetryListener listener) {
        return (why, pause) -> {
            try {
                listener.retrying(why, pause);
            } catch (RuntimeException | Error e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        };
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
        Wire.Connection current = reconnector.connection();
        if (closed) {
            welcome.completeExceptionally(new NoReplyException("the client is closed", false));
        } else if (current != null) {
            welcome.complete(current.welcome());
        } else {
            waitingForServer.add(welcome);
            wire.schedule(() -> noServer(welcome), deadlineNanos - wire.nanoTime());
            pump();
        }
    }

    private void noServer(CompletableFuture<Welcome> welcome) {
        RpcException why = reconnector.failure();
        welcome.completeExceptionally(why != null ? why : new NoReplyException("no server answered in time", false));
    }

    void abandon(Call call, String why) {
        if (!call.reply.isDone()) {
            fail(call, lastFailure(call), why);
        }
    }

    void close() {
        closed = true;
        failAll(new NoReplyException("the client was closed", false));
        reconnector.close();
    }

    /** Sends what can be sent, or sees to a connection. */
    private void pump() {
        if (pumping) {
            return; // the thread that is at it looks again after each call
        }
        pumping = true;
        try {
            Wire.Connection current = reconnector.connection();
            while (current != null && sendNext(current)) {
                current = reconnector.connection();
            }
        } finally {
            pumping = false;
        }
        waitingForServer.removeIf(CompletableFuture::isDone);
        if (!(unfinished.isEmpty() && waitingForServer.isEmpty())) {
            reconnector.connect();
        }
    }

    private boolean sendNext(Wire.Connection current) {
        int most = Math.min(options.maxOutstanding, current.welcome().maxOutstanding());
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
        return next.number - oldest.number >= Math.min(options.maxOutstanding, window)
                || (next != oldest && bytes > options.maxOutstandingBytes);
    }

    private void transmit(Wire.Connection current, Call call) {
        Welcome welcome = current.welcome();
        int target = call.targetOn(welcome);
        if (target < 0) {
            int status = Status.UNKNOWN_TARGET.code();
            fail(call, new RefusedException(status, ConnectionFailures.noTarget(call.targetName, welcome)), "");
            return;
        }
        if (call.payload.remaining() > welcome.maxPayloadBytes()) {
            int status = Status.TOO_LARGE.code();
            fail(call, new RefusedException(status, ConnectionFailures.tooLong(call.payload.remaining(), welcome)), "");
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
                    failed(current, call, failure);
                }
                pump();
            }
        });
    }

    private void failed(Wire.Connection current, Call call, Throwable thrown) {
        RpcException failure = thrown instanceof RpcException rpc
                ? rpc
                : new NoReplyException("the client failed: " + thrown, true, thrown);
        call.lastFailure = failure;
        call.unknown |= failure.mayHaveBeenExecuted();
        if (!unfinished.containsKey(call.number)) {
            return; // was given up meanwhile
        }
        if (failure instanceof NoReplyException) {
            again(call);
            if (reconnector.connection() == current) {
                giveUp(failure, false); // it is about to say that it has ended
            }
        } else if (failure instanceof RefusedException refused
                && isForAnother(refused.status())
                && reconnector.connection() == current
                && wire.hasOthers()) {
            again(call);
            giveUp(failure, false);
            reconnector.pause(++call.fruitless, failure);
        } else if (failure instanceof RefusedException refused && isTemporary(refused.status())) {
            pause(call, failure);
        } else {
            fail(call, failure, "");
        }
    }

    /**
     * Whether another server that has the same log may do what this one cannot any more. One whose log failed may have been fenced by
     * that server: it continues to say so of what was under way then.
     */
    private static boolean isForAnother(int code) {
        return code == Status.NOT_SERVING.code() || code == Status.LOG_FAILED.code();
    }

    /** Whether the same request under the same number may fare better later. */
    private static boolean isTemporary(int code) {
        Status status = Status.ofCode(code);
        if (status == null) {
            return false; // whatever it means, it is not known to pass
        }
        return switch (status) {
            case OVERLOADED, LOG_FULL, LOG_FAILED, LOG_UNAVAILABLE, SHUTTING_DOWN, FAILED, NOT_SERVING, NO_QUORUM ->
                true;
            case OK, UNKNOWN_TARGET, TOO_LARGE, UNSUPPORTED, OUTDATED, CONFLICT, NOT_ALLOWED -> false;
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

    // ---- What becomes of the connection ----

    void connected(Wire.Connection connection) {
        window = Services.window(connection.welcome());
        List.copyOf(waitingForServer).forEach(waiting -> waiting.complete(connection.welcome()));
        pump();
    }

    /** The connection has ended. What was in flight may have been executed, and is sent again on the next connection. */
    void lost(RpcException why) {
        int fruitless = 0;
        for (Call call : inFlight.values()) {
            call.unknown = true;
            call.lastFailure = why;
            fruitless = Math.max(fruitless, ++call.fruitless);
            again(call);
        }
        inFlight.clear();
        if (fruitless > 0) {
            reconnector.pause(fruitless, why);
        }
        pump();
    }

    private void giveUp(RpcException why, boolean silent) {
        Wire.Connection given = reconnector.detach();
        wire.leave(why, silent);
        lost(why);
        if (given != null) {
            given.close();
        }
    }

    /** There is none after a pause: is there still a need for one? */
    void mayConnect() {
        pump();
    }

    /** The process at that address will never be what is needed. */
    void impossible(RpcException why) {
        failAll(why);
    }

    /** Sees to it that no transmission is without a reply, or a part of one, for longer than the options allow. */
    private void watch() {
        if (watching || inFlight.isEmpty()) {
            return;
        }
        watching = true;
        wire.schedule(this::look, patienceEndsNanos() - wire.nanoTime());
    }

    /** For the oldest transmission. On a slow network parts of replies come for a while. */
    private long patienceEndsNanos() {
        long since = inFlight.values().iterator().next().sentNanos;
        Wire.Connection connection = reconnector.connection();
        if (connection != null && connection.partOfReplyNanos() - since > 0) {
            since = connection.partOfReplyNanos();
        }
        return since + options.replyTimeout.toNanos();
    }

    private void look() {
        watching = false;
        if (!inFlight.isEmpty() && wire.nanoTime() - patienceEndsNanos() >= 0) {
            RpcException why = new NoReplyException(
                    "no reply within " + options.replyTimeout.toMillis() + " ms; the request may have been executed",
                    true);
            giveUp(why, true);
        }
        watch();
    }

    private void expire(Call call) {
        fail(call, lastFailure(call), "without an acknowledgement in time");
    }

    private RpcException lastFailure(Call call) {
        RpcException notConnected = reconnector.failure();
        RpcException last = notConnected != null ? notConnected : call.lastFailure;
        return last != null ? last : ConnectionFailures.noReply(call.transmissions > 0);
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
        call.reply.completeExceptionally(ConnectionFailures.callFailed(clientId, call, last, how, unknown));
        pump();
    }

    /** Sends nothing more of a call whose future somebody has completed. */
    void release(Call call) {
        forget(call);
        pump();
    }

    private void forget(Call call) {
        unfinished.remove(call.number, call);
        ready.remove(call.number, call);
        call.deadlineTimer.run();
        call.pauseTimer.run();
    }
}
