package io.plog.server.state;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients that a target remembers, in the order of their last requests in the log, within bounds that they share: see
 * {@link MemoryBounds}. An idempotency key of the HTTP port is a client like any other; a connection of that port never asks again, so it
 * is known while it has requests in flight only.
 *
 * <p>Log order alone decides who is forgotten, so that a replay forgets the same. That each is remembered for its least time is
 * decided before, when a request of a new client is taken: it {@linkplain #takePlace takes a place}, a free one or that of a
 * client that was quiet for so long, whose requests are refused until the new one is logged, or is not. After a restart all
 * count as just logged, but for the last eighth of a full table: otherwise no new client were served for the least time.
 *
 * <p>{@link #session}, {@link #takePlace}, {@link #discardIfOver} and {@link #hasInFlight} are for any thread. Everything else needs the state
 * machine's lock.
 */
final class ClientTable {
    private final MemoryBounds bounds;
    private final long leastNanos;
    private final HeapArrays arrays;
    private final LongSupplier nanoClock;
    private final ConcurrentMap<Long, Session> sessions = new ConcurrentHashMap<>();
    private final Object lock;

    // The next need the lock.
    private @Nullable Session oldest;
    private @Nullable Session newest;
    private int count;
    private long heapBytes;
    private int expected; // new clients that have a place and whose first request is under way
    private int leaving; // clients whose places they have
    private boolean isServing; // the log was replayed

    /** The least recently logged client that may still have answers: all before it have none. */
    private @Nullable Session oldestAnswered;

    ClientTable(MemoryBounds bounds, HeapArrays arrays, LongSupplier nanoClock, Object lock) {
        this.bounds = bounds;
        this.leastNanos = bounds.leastNanos();
        this.arrays = arrays;
        this.nanoClock = nanoClock;
        this.lock = lock;
    }

    /** The client's session, a new one if it has none. */
    Session session(long client) {
        Session known = sessions.get(client); // the usual case takes no lock
        return known != null ? known : sessions.computeIfAbsent(client, id -> new Session(id, bounds.window(), arrays));
    }

    /** Lets go of a session that neither is remembered nor has requests in flight. */
    void discardIfOver(Session session) {
        if (session.isOver()) {
            sessions.remove(session.client(), session);
            if (session.hasPlace) {
                synchronized (lock) {
                    returnPlace(session);
                }
            }
        }
    }

    /** Whether the client of a request that is in flight may be remembered, without its costing another one's least time. */
    boolean takePlace(Session session) {
        if (leastNanos == 0 || session.isExpected()) {
            return true;
        }
        synchronized (lock) {
            return session.isExpected() || findPlace(session);
        }
    }

    /** Takes a request out of flight, and returns the requests that repeat it. */
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

    int remembered() {
        return count;
    }

    long heapBytes() {
        return heapBytes;
    }

    /**
     * Records the newest answer of all, and forgets the oldest ones beyond the bounds. If there is no heap for it, the answer is
     * not recorded and the table must not be used any more.
     *
     * @param bytes of the request's payload
     * @param crc of its record
     */
    void record(Session session, long number, long index, int bytes, int crc, byte @Nullable [] answer) {
        if (!session.asksAgain()) {
            return;
        }
        long before = session.answers().heapBytes();
        makeNewest(session);
        session.record(number, index, bytes, crc, answer, bounds);
        heapBytes += session.answers().heapBytes() - before;
        keepBounds(session);
    }

    /** Takes a client over from a checkpoint, as the newest; {@code floor} is its highest forgotten number, if one is. */
    void restore(long client, @Nullable Long floor, List<StateImage.Answer> answers) {
        Session session = session(client);
        makeNewest(session);
        synchronized (session) {
            if (floor != null) {
                session.answers().noteForgotten(floor);
            }
            for (StateImage.Answer each : answers) {
                session.answers().add(each.number(), each.recorded());
            }
        }
    }

    private boolean findPlace(Session session) {
        if (!isServing) {
            isServing = true;
            letTheQuietestGo();
        }
        if (count + expected - leaving >= bounds.clients() && !someoneLeaves()) {
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
        for (int more = count - (bounds.clients() - bounds.clients() / 8); more > 0 && each != null; more--) {
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
    private void returnPlace(Session session) {
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
    void restored() {
        heapBytes = 0;
        for (Session session = oldest; session != null; session = session.newer) {
            while (session.answers().storedBytes() > bounds.clientBytes()
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

    private void makeNewest(Session session) {
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
        while (count > bounds.clients() && oldest != null) {
            forget(oldest);
        }
        Session session = oldestAnswered == null ? oldest : oldestAnswered;
        while (heapBytes > bounds.answerBytes() && session != null) {
            oldestAnswered = session;
            forgetOldestAnswers(session, session == justLogged ? 1 : 0);
            session = session.newer;
        }
    }

    /** Forgets a client's oldest answers until the rest fits, or only {@code least} are left. */
    private void forgetOldestAnswers(Session session, int least) {
        Answers answers = session.answers();
        boolean forgot = false;
        while (heapBytes > bounds.answerBytes() && answers.count() > least) {
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
            sessions.remove(session.client(), session);
        } else if (leastNanos > 0) {
            session.hasPlace = true; // its request under way makes it new
            expected++;
        }
    }
}
