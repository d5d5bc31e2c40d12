package io.plog.server.state;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients that a target remembers, and what of them is kept: see {@link MemoryBounds}. An idempotency key of the HTTP port is
 * a client like any other; a connection of that port never asks again, so it is known while it has requests in flight only.
 *
 * <p>{@link #session}, {@link #takePlace}, {@link #discardIfOver} and {@link #hasInFlight} are for any thread. Everything else needs the state
 * machine's lock.
 */
final class ClientTable {
    private final MemoryBounds bounds;
    private final HeapArrays arrays;
    private final ConcurrentMap<Long, Session> sessions = new ConcurrentHashMap<>();
    private final RememberedClients clients;
    private final Object lock;

    /** @param lock the state machine's */
    ClientTable(MemoryBounds bounds, HeapArrays arrays, LongSupplier nanoClock, Object lock) {
        this.lock = lock;
        this.bounds = bounds;
        this.arrays = arrays;
        clients = new RememberedClients(
                bounds.clients(), bounds.answerBytes(), bounds.leastNanos(), nanoClock, this::forgotten);
    }

    /** The client's session, a new one if it has none. */
    Session session(long client) {
        return sessions.computeIfAbsent(client, id -> new Session(id, bounds.window(), arrays));
    }

    /** Lets go of a session that neither is remembered nor has requests in flight. */
    void discardIfOver(Session session) {
        if (session.isOver()) {
            sessions.remove(session.client(), session);
            if (session.hasPlace) {
                synchronized (lock) {
                    clients.returnPlace(session);
                }
            }
        }
    }

    /** Whether the client of a request that is in flight may be remembered, without its costing another one's least time. */
    boolean takePlace(Session session) {
        if (session.isExpected()) {
            return true;
        }
        synchronized (lock) {
            return clients.takePlace(session);
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
        if (!session.asksAgain()) {
            discardIfOver(session);
        }
        return repeats;
    }

    boolean hasInFlight() {
        return sessions.values().stream().anyMatch(Session::hasInFlight);
    }

    /** Clients remembered. Exact under the state machine's lock only. */
    int remembered() {
        return clients.count();
    }

    /** What the answers take of the heap. */
    long heapBytes() {
        return clients.heapBytes();
    }

    /** Records the answer of a request that was in flight. After it threw, the table is of no use any more. */
    void record(Session session, LoggedRequest request, byte @Nullable [] answer) {
        if (session.asksAgain()) {
            clients.record(
                    session,
                    request.number(),
                    request.index(),
                    request.payloadBytes(),
                    request.payloadCrc(),
                    answer,
                    bounds);
        }
    }

    /** The same for a record that is replayed. */
    void record(long client, long number, long index, int payloadBytes, int crc, byte @Nullable [] answer) {
        if (ClientKind.of(client) != ClientKind.HTTP_CONNECTION) {
            clients.record(session(client), number, index, payloadBytes, crc, answer, bounds);
        }
    }

    /**
     * Takes a client over from a checkpoint, as the newest.
     *
     * @param answers what is left of its answers, in log order
     * @param floor the highest number of which the answer is forgotten, or {@code null} if none is
     */
    void restore(long client, @Nullable Long floor, List<StateImage.Answer> answers) {
        Session session = session(client);
        clients.makeNewest(session);
        if (floor != null) {
            session.restoreFloor(floor);
        }
        for (StateImage.Answer each : answers) {
            session.restore(each.number(), each.recorded());
        }
    }

    /** Counts what was restored, and forgets what is too much, should the bounds be narrower than they were. */
    void restored() {
        clients.restored(bounds.clientBytes());
    }

    /** Each client in an image of the state as it is now, the least recently logged first. */
    List<StateImage.Client> images() {
        return clients.images();
    }

    private void forgotten(Session session) {
        sessions.remove(session.client(), session);
    }
}
