package io.plog.server;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The clients that a target remembers, and what of them is kept: see {@link MemoryBounds}. Clients of each {@link ClientKind}
 * are remembered apart, so that none of one kind is ever forgotten for one of another.
 *
 * <p>{@link #session}, {@link #discardIfOver} and {@link #hasInFlight} are for any thread. Everything else needs the state
 * machine's lock.
 */
final class ClientTable {
    private final MemoryBounds bounds;
    private final ConcurrentMap<Long, Session> sessions = new ConcurrentHashMap<>();
    private final Map<ClientKind, RememberedClients> remembered = new EnumMap<>(ClientKind.class);
    private final RememberedClients binary; // the usual ones, without a look into the map

    ClientTable(MemoryBounds bounds) {
        this.bounds = bounds;
        for (ClientKind kind : ClientKind.values()) {
            remembered.put(kind, new RememberedClients(bounds.clients(kind), bounds.allBytes(kind), this::forgotten));
        }
        binary = of(ClientKind.BINARY);
    }

    private RememberedClients of(ClientKind kind) {
        RememberedClients alike = remembered.get(kind);
        if (alike == null) {
            throw new IllegalStateException("no clients of the kind " + kind);
        }
        return alike;
    }

    private RememberedClients alike(Session session) {
        ClientKind kind = ClientKind.of(session.client());
        return kind == ClientKind.BINARY ? binary : of(kind);
    }

    /** The client's session, a new one if it has none. */
    Session session(long client) {
        return sessions.computeIfAbsent(client, id -> new Session(id, bounds.window()));
    }

    /** Lets go of a session that neither is remembered nor has requests in flight. */
    void discardIfOver(Session session) {
        if (session.isOver()) {
            sessions.remove(session.client(), session);
        }
    }

    boolean hasInFlight() {
        return sessions.values().stream().anyMatch(Session::hasInFlight);
    }

    /** Clients remembered. Exact under the state machine's lock only. */
    int remembered() {
        int count = 0;
        for (RememberedClients each : remembered.values()) {
            count += each.count();
        }
        return count;
    }

    /** Bytes of stored answers. */
    long storedBytes() {
        long bytes = 0;
        for (RememberedClients each : remembered.values()) {
            bytes += each.storedBytes();
        }
        return bytes;
    }

    /**
     * Records the answer of a request that was in flight.
     *
     * @return the requests that repeat it
     */
    @Nullable
    LoggedRequest record(Session session, LoggedRequest request, byte @Nullable [] answer) {
        RememberedClients alike = alike(session);
        long before = session.answers().storedBytes();
        alike.makeNewest(session);
        LoggedRequest repeats = session.record(request, answer, bounds);
        alike.stored(session.answers().storedBytes() - before);
        alike.keepBounds(session);
        return repeats;
    }

    /** The same for a record that is replayed. */
    void record(long client, long number, long index, int payloadBytes, int crc, byte @Nullable [] answer) {
        Session session = session(client);
        RememberedClients alike = alike(session);
        long before = session.answers().storedBytes();
        alike.makeNewest(session);
        session.record(number, index, payloadBytes, crc, answer, bounds);
        alike.stored(session.answers().storedBytes() - before);
        alike.keepBounds(session);
    }

    /** Takes a client over from a checkpoint, as the newest of its kind; it has no answers yet. */
    Session restore(long client) {
        Session session = session(client);
        alike(session).makeNewest(session);
        return session;
    }

    /** Counts what was restored, and forgets what is too much, should the bounds be narrower than they were. */
    void restored() {
        for (RememberedClients each : remembered.values()) {
            each.restored(bounds.clientBytes());
        }
    }

    /** Something of each client remembered: kind by kind, and of each kind the least recently logged first. */
    <T> List<T> inOrder(Function<Session, T> view) {
        List<T> all = new ArrayList<>(remembered());
        for (RememberedClients each : remembered.values()) {
            each.addInOrder(view, all);
        }
        return all;
    }

    private void forgotten(Session session) {
        sessions.remove(session.client(), session);
    }
}
