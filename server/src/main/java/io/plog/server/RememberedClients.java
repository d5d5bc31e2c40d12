package io.plog.server;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Clients that are remembered, in the order of their last requests in the log, within bounds that they share. Everything here
 * needs the state machine's lock.
 */
final class RememberedClients {
    private final int maxClients;
    private final long maxBytes;
    private final Consumer<Session> over;
    private @Nullable Session oldest;
    private @Nullable Session newest;
    private int count;
    private long storedBytes;

    /** The least recently logged client that may still have stored answers: all before it have none. */
    private @Nullable Session oldestStoring;

    /**
     * @param maxClients beyond which the one whose last request lies furthest back is forgotten
     * @param maxBytes of stored answers, beyond which the oldest are forgotten; the newest of all stays
     * @param over is told of a client of which nothing is left
     */
    RememberedClients(int maxClients, long maxBytes, Consumer<Session> over) {
        this.maxClients = maxClients;
        this.maxBytes = maxBytes;
        this.over = over;
    }

    int count() {
        return count;
    }

    /** Bytes of stored answers. */
    long storedBytes() {
        return storedBytes;
    }

    /** So many bytes of answers were stored, or forgotten if it is negative. */
    void stored(long bytes) {
        storedBytes += bytes;
    }

    /** Counts what was restored, and forgets what is too much. */
    void restored(long maxClientBytes) {
        storedBytes = 0;
        for (Session session = oldest; session != null; session = session.newer) {
            storedBytes += session.answers().storedBytes();
            while (session.answers().storedBytes() > maxClientBytes
                    && session.answers().count() > 1) {
                forgetOldestAnswer(session);
            }
        }
        if (newest != null) {
            keepBounds(newest);
        }
    }

    /** Adds something of each, the least recently logged first. */
    <T> void addInOrder(Function<Session, T> view, List<T> all) {
        for (Session session = oldest; session != null; session = session.newer) {
            all.add(view.apply(session));
        }
    }

    void makeNewest(Session session) {
        if (session == newest) {
            return;
        }
        if (session.isRemembered) {
            unlink(session);
        } else {
            session.remember();
            count++;
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

    void keepBounds(Session justLogged) {
        while (count > maxClients && oldest != null) {
            forget(oldest);
        }
        Session session = oldestStoring == null ? oldest : oldestStoring;
        while (storedBytes > maxBytes && session != null) {
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
        count--;
        storedBytes -= session.answers().storedBytes();
        if (session.forget()) {
            over.accept(session);
        }
    }
}
