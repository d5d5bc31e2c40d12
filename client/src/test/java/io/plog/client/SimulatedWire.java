package io.plog.client;

import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A world in which time passes only when it is asked to, with a server that does with each request as the test says. One
 * thread.
 */
final class SimulatedWire implements Wire {
    /** What the server does; a test answers, drops, refuses, or keeps silent through the {@link Arrival}. */
    interface Server {
        /** A request arrived. */
        void arrived(Arrival arrival);

        /** Whether a connection can be made now; null if so. */
        default @Nullable RpcException refusesConnection() {
            return null;
        }
    }

    private record Event(long time, long order, Runnable task) {}

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.time != b.time ? Long.compare(a.time, b.time) : Long.compare(a.order, b.order));
    private final Server server;
    private final Welcome welcome;
    private long now = Long.MAX_VALUE - 1_000_000_000; // a clock may overflow on the way
    private final long start = now;
    private long order;

    /** How long it takes until a connection that the client closes has ended. */
    long closeDelayMillis;

    /** What the next attempt to connect throws. */
    @Nullable
    Error connectThrows;

    final List<Arrival> arrivals = new ArrayList<>();
    final List<Long> connectedMillis = new ArrayList<>();

    @Nullable
    SimulatedConnection current;

    SimulatedWire(Server server) {
        this(server, 100, Map.of());
    }

    SimulatedWire(Server server, int maxOutstanding, Map<String, String> targetFacts) {
        this.server = server;
        this.welcome = new Welcome(
                1_000, maxOutstanding, Map.of(), List.of(new TargetDescription(3, "a", "fdatasync", targetFacts)));
    }

    /** A request at the server. */
    final class Arrival {
        final SimulatedConnection connection;
        final long number;
        final int target;
        final byte[] payload;
        final CompletableFuture<Reply> reply = new CompletableFuture<>();
        final long millis = millis();

        Arrival(SimulatedConnection connection, int target, long number, byte[] payload) {
            this.connection = connection;
            this.target = target;
            this.number = number;
            this.payload = payload;
        }

        void answer() {
            connection.outstanding.remove(number);
            reply.complete(new Reply(number, number, 1, 1, 1, 1, 1, 1, 1, 1, payload));
        }

        void refuse(Status status) {
            connection.outstanding.remove(number);
            reply.completeExceptionally(new RefusedException(status.code(), "refused with " + status));
        }

        void fail(RpcException failure) {
            connection.outstanding.remove(number);
            reply.completeExceptionally(failure);
        }

        void drop() {
            connection.end("the connection broke");
        }
    }

    final class SimulatedConnection implements Connection {
        long partOfReplyNanos = now;
        private final Consumer<RpcException> ended;
        final Map<Long, Arrival> outstanding = new LinkedHashMap<>();
        boolean open = true;

        SimulatedConnection(Consumer<RpcException> ended) {
            this.ended = ended;
        }

        @Override
        public Welcome welcome() {
            return welcome;
        }

        @Override
        public CompletableFuture<Reply> send(int targetId, long requestNumber, ByteBuffer payload) {
            byte[] copy = new byte[payload.remaining()];
            payload.duplicate().get(copy);
            Arrival arrival = new Arrival(this, targetId, requestNumber, copy);
            if (!open) {
                arrival.reply.completeExceptionally(new NoReplyException("the request was not sent", false));
                return arrival.reply;
            }
            if (outstanding.put(requestNumber, arrival) != null) {
                throw new AssertionError("number " + requestNumber + " is outstanding already");
            }
            if (outstanding.size() > welcome.maxOutstanding()) {
                throw new AssertionError(outstanding.size() + " are outstanding");
            }
            schedule(
                    () -> {
                        if (open) {
                            arrivals.add(arrival);
                            server.arrived(arrival);
                        }
                    },
                    0);
            return arrival.reply;
        }

        @Override
        public void close() {
            if (closeDelayMillis == 0) {
                end("closed by the client");
            } else {
                scheduleMillis(closeDelayMillis, () -> end("closed by the client"));
            }
        }

        @Override
        public long partOfReplyNanos() {
            return partOfReplyNanos;
        }

        void end(String why) {
            if (open) {
                open = false;
                NoReplyException failure = new NoReplyException(why + "; the request may have been executed", true);
                ended.accept(failure);
                outstanding.values().forEach(arrival -> arrival.reply.completeExceptionally(failure));
                outstanding.clear();
            }
        }
    }

    @Override
    public long nanoTime() {
        return now;
    }

    long millis() {
        return (now - start) / 1_000_000;
    }

    @Override
    public Runnable schedule(Runnable task, long delayNanos) {
        Event event = new Event(now - start + Math.max(0, delayNanos), order++, task);
        events.add(event);
        return () -> events.remove(event);
    }

    void scheduleMillis(long delay, Runnable task) {
        schedule(task, delay * 1_000_000);
    }

    @Override
    public CompletableFuture<Connection> connect(Consumer<RpcException> ended) {
        connectedMillis.add(millis());
        Error thrown = connectThrows;
        connectThrows = null;
        if (thrown != null) {
            throw thrown;
        }
        CompletableFuture<Connection> made = new CompletableFuture<>();
        schedule(
                () -> {
                    RpcException refusal = server.refusesConnection();
                    if (refusal != null) {
                        made.completeExceptionally(refusal);
                    } else {
                        SimulatedConnection connection = new SimulatedConnection(ended);
                        current = connection;
                        made.complete(connection);
                    }
                },
                0);
        return made;
    }

    /** Lets time pass until nothing is left to happen. */
    void run() {
        runUntil(Long.MAX_VALUE / 1_000_000);
    }

    /** Lets time pass up to this many milliseconds from the beginning. */
    void runUntil(long millis) {
        for (int steps = 0; !events.isEmpty() && events.element().time <= millis * 1_000_000; steps++) {
            Event next = events.remove();
            now = start + next.time;
            next.task.run();
            if (steps > 10_000_000) {
                throw new AssertionError("it does not come to an end");
            }
        }
    }
}
