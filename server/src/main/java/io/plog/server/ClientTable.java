package io.plog.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The clients that a target remembers, in the order of their last requests in the log, and what of them is kept: see
 * {@link MemoryBounds}.
 *
 * <p>{@link #session}, {@link #discardIfOver} and {@link #hasInFlight} are for any thread. Everything else needs the state
 * machine's lock.
 */
final class ClientTable {
    private final MemoryBounds bounds;
    private final ConcurrentMap<Long, Session> sessions = new ConcurrentHashMap<>();
    private @Nullable Session oldest;
    private @Nullable Session newest;
    private int remembered;
    private long storedBytes;

    /** The least recently logged client that may still have stored answers: all before it have none. */
    private @Nullable Session oldestStoring;

    ClientTable(MemoryBounds bounds) {
        this.bounds = bounds;
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
        return remembered;
    }

    /** Bytes of stored answers. */
    long storedBytes() {
        return storedBytes;
    }

    /**
     * Records the answer of a request that was in flight.
     *
     * @return the requests that repeat it
     */
    @Nullable
    LoggedRequest record(Session session, LoggedRequest request, byte @Nullable [] answer) {
        long before = session.answers().storedBytes();
        makeNewest(session);
        LoggedRequest repeats = session.record(request, answer, bounds);
        storedBytes += session.answers().storedBytes() - before;
        keepBounds(session);
        return repeats;
    }

    /** The same for a record that is replayed. */
    void record(long client, long number, long index, int payloadBytes, int crc, byte @Nullable [] answer) {
        Session session = session(client);
        long before = session.answers().storedBytes();
        makeNewest(session);
        session.record(number, index, payloadBytes, crc, answer, bounds);
        storedBytes += session.answers().storedBytes() - before;
        keepBounds(session);
    }

    /** Takes a client over from a checkpoint, as the newest; it has no answers yet. */
    Session restore(long client) {
        Session session = session(client);
        makeNewest(session);
        return session;
    }

    /** Counts what was restored, and forgets what is too much, should the bounds be narrower than they were. */
    void restored() {
        storedBytes = 0;
        for (Session session = oldest; session != null; session = session.newer) {
            storedBytes += session.answers().storedBytes();
            while (session.answers().storedBytes() > bounds.clientBytes()
                    && session.answers().count() > 1) {
                forgetOldestAnswer(session);
            }
        }
        if (newest != null) {
            keepBounds(newest);
        }
    }

    /** Something of each client remembered, the least recently logged first. */
    <T> List<T> inOrder(Function<Session, T> view) {
        List<T> all = new ArrayList<>(remembered);
        for (Session session = oldest; session != null; session = session.newer) {
            all.add(view.apply(session));
        }
        return all;
    }

    private void makeNewest(Session session) {
        if (session == newest) {
            return;
        }
        if (session.isRemembered) {
            unlink(session);
        } else {
            session.remember();
            remembered++;
        }
        session.older = newest;
        if (newest == null) {
            oldest = session;
        } else {
            newest.newer = session;
        }
        newest = session;
    }

    private void unlink(Session session) {
        if (session == oldestStoring) {
            oldestStoring = session.newer;
        }
        if (session.older == null) {
            oldest = session.newer;
        } else {
            session.older.newer = session.newer;
        }
        if (session.newer == null) {
            newest = session.older;
        } else {
            session.newer.older = session.older;
        }
        session.older = null;
        session.newer = null;
    }

    private void keepBounds(Session justLogged) {
        while (remembered > bounds.clients() && oldest != null) {
            forget(oldest);
        }
        Session session = oldestStoring == null ? oldest : oldestStoring;
        while (storedBytes > bounds.allBytes() && session != null) {
            oldestStoring = session;
            if (session.answers().storedBytes() == 0) {
                session = session.newer;
            } else if (session != justLogged || session.answers().count() > 1) {
                forgetOldestAnswer(session);
            } else {
                return; // the newest answer of all stays, however large it is
            }
        }
    }

    private void forgetOldestAnswer(Session session) {
        long before = session.answers().storedBytes();
        session.forgetOldestAnswer();
        storedBytes += session.answers().storedBytes() - before;
    }

    private void forget(Session session) {
        unlink(session);
        remembered--;
        storedBytes -= session.answers().storedBytes();
        if (session.forget()) {
            sessions.remove(session.client(), session);
        }
    }
}
