package io.plog.log.segment;

import io.plog.log.file.SegmentHeader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of segments that were dropped: kept to be used again, as many as the log will need until the next drop, and the rest
 * deleted, one at a time. A file system that gets much space back at once stands in the way of every force meanwhile.
 *
 * <p>How many those are follows from the drops before: the largest, of which each smaller one takes back a tenth, and a tenth more, since
 * drops that are equal in bytes differ by a segment. A drop that comes early, of few segments or none, changes little then, and a
 * large one does not keep its own space. PostgreSQL estimates the same of its own log, from the distance of its checkpoints.
 *
 * <p>Thread-safe; {@link #add} for one thread at a time.
 */
final class DroppedSegments {
    private static final double FORGOTTEN = 0.1;
    private static final double MARGIN = 1.1;

    private final SegmentFactory factory;
    private final int least;

    // Guarded by this.
    private final Deque<SegmentFactory.Dropped> kept = new ArrayDeque<>();
    private final Deque<SegmentFactory.Dropped> surplus = new ArrayDeque<>();
    private double expected; // segments of the next drop
    private @Nullable IOException failure;
    private boolean closed;

    /** @param least so many are kept in any case, if there are */
    DroppedSegments(SegmentFactory factory, int least) {
        this.factory = factory;
        this.least = least;
    }

    /**
     * Takes what was dropped out of the log.
     *
     * @param dropped the head that says that they were dropped is stable
     * @param mayBeUsedAgain whether no record in them has an index that the log has yet to reach
     * @throws IOException if one cannot be renamed, or if one of an earlier drop could not be deleted
     */
    void add(List<SegmentHeader> dropped, boolean mayBeUsedAgain) throws IOException {
        int most;
        synchronized (this) {
            most = Math.max(least, (int) Math.ceil(MARGIN * expected));
            expected = Math.max(dropped.size(), (1 - FORGOTTEN) * expected + FORGOTTEN * dropped.size());
        }
        for (SegmentHeader segment : dropped) {
            SegmentFactory.Dropped aside = factory.setAside(segment);
            synchronized (this) {
                boolean keeps = mayBeUsedAgain && !closed && factory.fits(segment) && kept.size() < most;
                (keeps ? kept : surplus).add(aside);
            }
        }
        throwFailure();
    }

    private synchronized void throwFailure() throws IOException {
        IOException known = failure;
        failure = null;
        if (known != null) {
            throw known;
        }
    }

    /** One to be used again; null if there is none. */
    synchronized SegmentFactory.@Nullable Dropped poll() {
        return kept.poll();
    }

    /** Whether there is one to delete. */
    synchronized boolean hasSurplus() {
        return !surplus.isEmpty();
    }

    /** Deletes one that is not needed. If that fails, the next drop reports it, and the next start of the log deletes it. */
    void deleteOne() {
        SegmentFactory.Dropped next;
        synchronized (this) {
            next = surplus.poll();
        }
        try {
            if (next != null) {
                factory.delete(next);
            }
        } catch (IOException e) {
            synchronized (this) {
                failure = e;
            }
        }
    }

    /** None is kept any more. What is there waits to be deleted. */
    synchronized void close() {
        closed = true;
        forget();
    }

    /** None that is there is used again: it waits to be deleted. */
    synchronized void forget() {
        surplus.addAll(kept);
        kept.clear();
    }
}
