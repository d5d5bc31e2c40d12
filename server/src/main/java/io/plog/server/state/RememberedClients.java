package io.plog.server.state;

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
    private final Consumer<ClientSession> over;
    private @Nullable ClientSession oldest;
    private @Nullable ClientSession newest;
    private int count;
    private long heapBytes;

    /** The least recently logged client that may still have answers: all before it have none. */
    private @Nullable ClientSession oldestAnswered;

    /**
     * @param maxClients beyond which the one whose last request lies furthest back is forgotten
     * @param maxBytes of heap for answers, beyond which the oldest are forgotten; the newest of all stays
     * @param over is called with a client of which nothing is left
     */
    RememberedClients(int maxClients, long maxBytes, Consumer<ClientSession> over) {
        this.maxClients = maxClients;
        this.maxBytes = maxBytes;
        this.over = over;
    }

    int count() {
        return count;
    }

    /** What the answers take of the heap. */
    long heapBytes() {
        return heapBytes;
    }

    /**
     * Records the newest answer of all, and forgets the oldest ones beyond the bounds. If there is no heap for it, the answer is
     * not recorded and the table must not be used any more.
     */
    void record(
            ClientSession session,
            long number,
            long index,
            int bytes,
            int crc,
            byte @Nullable [] answer,
            MemoryBounds bounds) {
        long before = session.answers().heapBytes();
        makeNewest(session);
        session.record(number, index, bytes, crc, answer, bounds);
        heapBytes += session.answers().heapBytes() - before;
        keepBounds(session);
    }

    /** Counts the restored clients and answers, and forgets the oldest ones beyond the bounds. */
    void restored(long maxClientBytes) {
        heapBytes = 0;
        for (ClientSession session = oldest; session != null; session = session.newer) {
            while (session.answers().storedBytes() > maxClientBytes
                    && session.answers().count() > 1) {
                session.forgetOldestAnswer();
            }
            session.trim();
            heapBytes += session.answers().heapBytes();
        }
        if (newest != null) {
            keepBounds(newest);
        }
    }

    /** Adds something of each, the least recently logged first. */
    <T> void addInOrder(Function<ClientSession, T> view, List<T> all) {
        for (ClientSession session = oldest; session != null; session = session.newer) {
            all.add(view.apply(session));
        }
    }

    void makeNewest(ClientSession session) {
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

    private void unlink(ClientSession session) {
        if (session == oldestAnswered) {
            oldestAnswered = session.newer;
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

    private void keepBounds(ClientSession justLogged) {
        while (count > maxClients && oldest != null) {
            forget(oldest);
        }
        ClientSession session = oldestAnswered == null ? oldest : oldestAnswered;
        while (heapBytes > maxBytes && session != null) {
            oldestAnswered = session;
            forgetOldestAnswers(session, session == justLogged ? 1 : 0);
            session = session.newer;
        }
    }

    /** Forgets a client's oldest answers until the rest fits, or only {@code least} are left. */
    private void forgetOldestAnswers(ClientSession session, int least) {
        Answers answers = session.answers();
        boolean forgot = false;
        while (heapBytes > maxBytes && answers.count() > least) {
            long before = answers.heapBytes();
            session.forgetOldestAnswer();
            heapBytes += answers.heapBytes() - before;
            forgot = true;
        }
        if (forgot) {
            session.trim();
        }
    }

    private void forget(ClientSession session) {
        unlink(session);
        count--;
        heapBytes -= session.answers().heapBytes();
        if (session.forget()) {
            over.accept(session);
        }
    }
}
