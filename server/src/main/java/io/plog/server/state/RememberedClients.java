package io.plog.server.state;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients that are remembered, in the order of their last requests in the log, within bounds that they share. Everything here
 * needs the state machine's lock.
 *
 * <p>Log order alone decides who is forgotten, so that a replay forgets the same. That each is remembered for its least time is
 * decided before, when a request of a new client is taken: it {@linkplain #takePlace takes a place}, a free one or that of a
 * client that was quiet for so long, whose requests are refused until the new one is logged, or is not. After a restart all
 * count as just logged, but for the last eighth of a full table: otherwise no new client were served for the least time.
 */
final class RememberedClients {
    private final int maxClients;
    private final long maxBytes;
    private final long leastNanos;
    private final LongSupplier nanoClock;
    private final Consumer<Session> over;
    private @Nullable Session oldest;
    private @Nullable Session newest;
    private int count;
    private long heapBytes;
    private int expected; // new clients that have a place and whose first request is under way
    private int leaving; // clients whose places they have
    private boolean isServing; // the log was replayed

    /** The least recently logged client that may still have answers: all before it have none. */
    private @Nullable Session oldestAnswered;

    /**
     * @param maxClients beyond which the one whose last request lies furthest back is forgotten
     * @param maxBytes of heap for answers, beyond which the oldest are forgotten; the newest of all stays
     * @param leastNanos how long each is remembered at least after its last request; 0 for no such promise
     * @param over is called with a client of which nothing is left
     */
    RememberedClients(int maxClients, long maxBytes, long leastNanos, LongSupplier nanoClock, Consumer<Session> over) {
        this.maxClients = maxClients;
        this.leastNanos = leastNanos;
        this.nanoClock = nanoClock;
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
            Session session,
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

    /** Makes sure that a client whose request is in flight is not remembered at the cost of one that still has to be. */
    boolean takePlace(Session session) {
        if (session.hasPlace || session.isRemembered || leastNanos == 0) {
            return true;
        }
        if (!isServing) {
            isServing = true;
            letTheQuietestGo();
        }
        if (count + expected - leaving >= maxClients && !someoneLeaves()) {
            return false;
        }
        session.hasPlace = true;
        expected++;
        return true;
    }

    /** How long those that a log gives were quiet is not known, only who was it longest. */
    private void letTheQuietestGo() {
        long longAgo = nanoClock.getAsLong() - leastNanos;
        Session each = oldest;
        for (int more = count - (maxClients - maxClients / 8); more > 0 && each != null; more--) {
            each.loggedNanos = longAgo;
            each = each.newer;
        }
    }

    private boolean someoneLeaves() {
        long now = nanoClock.getAsLong();
        for (Session each = oldest; each != null && now - each.loggedNanos >= leastNanos; each = each.newer) {
            if (each.leaveIfQuiet()) {
                leaving++;
                return true;
            }
        }
        return false;
    }

    /** The client is not logged after all. */
    void returnPlace(Session session) {
        if (!session.hasPlace) {
            return;
        }
        session.hasPlace = false;
        expected--;
        for (Session each = oldest; each != null && leaving > 0; each = each.newer) {
            if (each.stay()) {
                leaving--;
                return;
            }
        }
    }

    /** Counts the restored clients and answers, and forgets the oldest ones beyond the bounds. */
    void restored(long maxClientBytes) {
        heapBytes = 0;
        for (Session session = oldest; session != null; session = session.newer) {
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

    /** Each in an image of the state as it is now, the least recently logged first. */
    List<StateImage.Client> images() {
        List<StateImage.Client> images = new ArrayList<>(count);
        for (Session session = oldest; session != null; session = session.newer) {
            images.add(session.image());
        }
        return images;
    }

    void makeNewest(Session session) {
        if (leastNanos > 0) {
            session.loggedNanos = nanoClock.getAsLong();
        }
        if (session.hasPlace) {
            session.hasPlace = false;
            expected--;
        }
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

    private void keepBounds(Session justLogged) {
        while (count > maxClients && oldest != null) {
            forget(oldest);
        }
        Session session = oldestAnswered == null ? oldest : oldestAnswered;
        while (heapBytes > maxBytes && session != null) {
            oldestAnswered = session;
            forgetOldestAnswers(session, session == justLogged ? 1 : 0);
            session = session.newer;
        }
    }

    /** Forgets a client's oldest answers until the rest fits, or only {@code least} are left. */
    private void forgetOldestAnswers(Session session, int least) {
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

    private void forget(Session session) {
        if (session.stay()) {
            leaving--;
        }
        unlink(session);
        count--;
        heapBytes -= session.answers().heapBytes();
        if (session.forget()) {
            over.accept(session);
        } else if (leastNanos > 0) {
            session.hasPlace = true; // its request under way makes it new
            expected++;
        }
    }
}
