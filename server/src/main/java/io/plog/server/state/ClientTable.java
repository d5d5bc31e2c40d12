package io.plog.server.state;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients that a target remembers, and what of them is kept: see {@link MemoryBounds}. Clients of each {@link ClientKind}
 * are remembered apart, so that none of one kind is ever forgotten for one of another.
 *
 * <p>{@link #session}, {@link #takePlace}, {@link #discardIfOver} and {@link #hasInFlight} are for any thread. Everything else needs the state
 * machine's lock.
 */
final class ClientTable {
    private final MemoryBounds bounds;
    private final HeapArrays arrays;
    private final ConcurrentMap<Long, Session> sessions = new ConcurrentHashMap<>();
    private final RememberedClients clients;
    private final RememberedClients connections; // to be found again, no more: they have no answers
    private final KeyTable keys;
    private final KeyRateLimiter keyRate;
    private final Object lock;

    /** @param lock the state machine's */
    ClientTable(MemoryBounds bounds, HeapArrays arrays, LongSupplier nanoClock, Object lock) {
        this.lock = lock;
        this.bounds = bounds;
        this.arrays = arrays;
        clients = new RememberedClients(
                bounds.clients(), bounds.answerBytes(), bounds.leastNanos(), nanoClock, this::forgotten);
        connections = new RememberedClients(bounds.clients(), 0, 0, nanoClock, this::forgotten);
        keys = new KeyTable(bounds.keys(), bounds.keyAnswerBytes(), arrays);
        keyRate = new KeyRateLimiter(bounds.keys(), bounds.leastNanos(), nanoClock);
    }

    /** The client's session, a new one if it has none. */
    Session session(long client) {
        return sessions.computeIfAbsent(client, this::newSession);
    }

    private Session newSession(long client) {
        ClientKind kind = ClientKind.of(client);
        return kind == ClientKind.HTTP_KEY
                ? new KeySession(client, keys, keyRate)
                : new ClientSession(client, kind == ClientKind.BINARY, bounds.window(), arrays);
    }

    private RememberedClients alike(ClientSession session) {
        return ClientKind.of(session.client()) == ClientKind.BINARY ? clients : connections;
    }

    /** Lets go of a session that neither is remembered nor has requests in flight. */
    void discardIfOver(Session session) {
        if (session.isOver()) {
            sessions.remove(session.client(), session);
            if (session instanceof ClientSession client && client.hasPlace) {
                synchronized (lock) {
                    clients.returnPlace(client);
                }
            }
        }
    }

    /** Whether the client of a request that is in flight may be remembered, without its costing another one's least time. */
    boolean takePlace(Session session) {
        if (!(session instanceof ClientSession client) || client.isExpected()) {
            return true;
        }
        synchronized (lock) {
            return clients.takePlace(client);
        }
    }

    /**
     * Takes a request out of flight.
     *
     * @return the requests that repeat it
     */
    @Nullable
    LoggedRequest release(Session session, LoggedRequest request) {
        LoggedRequest repeats = session.release(request);
        if (session instanceof KeySession) {
            discardIfOver(session);
        }
        return repeats;
    }

    boolean hasInFlight() {
        return sessions.values().stream().anyMatch(Session::hasInFlight);
    }

    /** Clients and keys remembered. Exact under the state machine's lock only. */
    int remembered() {
        return clients.count() + keys.count();
    }

    /** What the answers take of the heap. */
    long heapBytes() {
        return clients.heapBytes() + keys.storedBytes();
    }

    /** Records the answer of a request that was in flight. After it threw, the table is of no use any more. */
    void record(Session session, LoggedRequest request, byte @Nullable [] answer) {
        record(session, request.number(), request.index(), request.payloadBytes(), request.payloadCrc(), answer);
    }

    /** The same for a record that is replayed. */
    void record(long client, long number, long index, int payloadBytes, int crc, byte @Nullable [] answer) {
        switch (ClientKind.of(client)) {
            case HTTP_KEY -> keys.add(client, number, index, payloadBytes, crc, answer);
            case BINARY -> record(session(client), number, index, payloadBytes, crc, answer);
            case HTTP_CONNECTION -> {} // it never asks again
        }
    }

    private void record(Session session, long number, long index, int payloadBytes, int crc, byte @Nullable [] answer) {
        if (session instanceof ClientSession client) {
            alike(client).record(client, number, index, payloadBytes, crc, answer, bounds);
        } else {
            keys.add(session.client(), number, index, payloadBytes, crc, answer);
        }
    }

    /**
     * Takes a client over from a checkpoint, as the newest of its kind.
     *
     * @param answers what is left of its answers, in log order
     * @param floor the highest number of which the answer is forgotten, or {@code null} if none is
     */
    void restore(long client, @Nullable Long floor, List<StateImage.Answer> answers) {
        switch (ClientKind.of(client)) {
            case HTTP_KEY -> restoreKeys(client, floor, answers);
            case BINARY -> restoreClient((ClientSession) session(client), floor, answers);
            case HTTP_CONNECTION -> {} // older checkpoints have them
        }
    }

    private void restoreClient(ClientSession session, @Nullable Long floor, List<StateImage.Answer> answers) {
        clients.makeNewest(session);
        if (floor != null) {
            session.restoreFloor(floor);
        }
        for (StateImage.Answer each : answers) {
            session.restore(each.number(), each.recorded());
        }
    }

    private void restoreKeys(long client, @Nullable Long floor, List<StateImage.Answer> answers) {
        if (floor != null) {
            keys.addForgotten(client, floor);
        }
        for (StateImage.Answer each : answers) {
            RecordedAnswer recorded = each.recorded();
            keys.add(
                    client,
                    each.number(),
                    recorded.index(),
                    recorded.payloadBytes(),
                    recorded.recordCrc(),
                    recorded.answer());
        }
    }

    /** Counts what was restored, and forgets what is too much, should the bounds be narrower than they were. */
    void restored() {
        clients.restored(bounds.clientBytes());
    }

    /** Something of each client that counts its requests, the least recently logged first. */
    <T> List<T> inOrder(Function<ClientSession, T> view) {
        List<T> all = new ArrayList<>(clients.count());
        clients.addInOrder(view, all);
        return all;
    }

    /** A copy of the keys, to be visited. */
    KeyTable copyOfKeys() {
        return keys.copy();
    }

    private void forgotten(Session session) {
        sessions.remove(session.client(), session);
    }
}
