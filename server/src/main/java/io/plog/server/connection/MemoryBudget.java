package io.plog.server.connection;

import io.plog.server.options.ServerOptions;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what all connections of a server hold together: what they have received, requests under way, and replies that their
 * clients have not read. Every connection has {@value #FREE_BYTES} bytes that are not counted, so that one with small requests
 * never waits for another; beyond that each may have a fixed part of what the others leave of three quarters. So many that take
 * all they can get leave a part for the next, as in a switch with dynamic thresholds (Choudhury and Hahne, IEEE/ACM Transactions
 * on Networking 6, 1998).
 *
 * <p>A frame takes its room as its bytes arrive, one read ahead, so one that was only announced takes next to none. A frame that
 * reaches its connection's part gets the room for its rest at once, if there is that much; then it can end. The last quarter
 * is for that: it holds the longest frame with its reply, so half-received frames do not wait for each other for ever. While one
 * waits, frames whose next bytes do not come give way, the one that stands still for longest first.
 *
 * <p>Safe for any thread. A {@link Share} is of its connection's event loop.
 */
public final class MemoryBudget {
    /** What every connection may hold besides. */
    static final int FREE_BYTES = 32 * 1024;

    /** As much as is read in one go, with the reply to it. */
    static final int AHEAD_BYTES = 2 * 64 * 1024;

    /** A connection stops being read when it has the sixteenth part of what the others leave. */
    private static final int PARTS = 16;

    /** A frame that ends leaves three times as much as it takes to those after it. */
    private static final int PARTS_TO_END = 4;

    /** A frame of which nothing came for so long stands still. */
    static final long STILL_NANOS = 100_000_000;

    private final long bound;
    private final long shared; // the rest is for frames that end
    private final AtomicLong used = new AtomicLong();

    /** What connections were allowed to take: {@link #used} without what was read of frames before they were known. */
    private final AtomicLong granted = new AtomicLong();

    /** Of that, requests and replies. */
    private final AtomicLong underWay = new AtomicLong();

    /** Of that, what frames that end have together. */
    private final AtomicLong ends = new AtomicLong();

    private final Set<Share> waiting = new LinkedHashSet<>(); // guarded by itself
    private volatile int waits;
    private final Set<Share> receiving = ConcurrentHashMap.newKeySet(); // a frame, and nothing else under way
    private final AtomicReference<@Nullable Share> givesWay = new AtomicReference<>();
    private final LongSupplier nanoClock;

    /** @param bound bytes for all connections together */
    public MemoryBudget(long bound, LongSupplier nanoClock) {
        this.bound = bound;
        this.nanoClock = nanoClock;
        this.shared = bound - bound / ServerOptions.PART_FOR_ENDING;
    }

    /** Bytes for all connections together. */
    public long bound() {
        return bound;
    }

    /** How many of them are taken. */
    public long used() {
        return used.get();
    }

    /** How many connections wait for a part. */
    public int waiting() {
        return waits;
    }

    /** What a connection takes; {@code goOn} and {@code giveWay} run on its loop. */
    Share share(Executor loop, Runnable goOn, Runnable giveWay) {
        return new Share(loop, goOn, giveWay);
    }

    /** A frame waits: if another stands still, that gives way, one at a time. */
    private void askForWay() {
        if (givesWay.get() != null) {
            return;
        }
        long now = nanoClock.getAsLong();
        Share stalest = null;
        for (Share each : receiving) {
            if (!each.isWaiting && (stalest == null || each.movedNanos - stalest.movedNanos < 0)) {
                stalest = each;
            }
        }
        if (stalest != null && stalest.standsStill(now) && givesWay.compareAndSet(null, stalest)) {
            stalest.giveWay();
        }
    }

    /** There is more room than before: of those that can continue now the one that needs least tries again, and then the next. */
    private void wakeNext() {
        Share next = waits == 0 ? null : leastThatMayGoOn();
        if (next != null) {
            next.wake();
        }
    }

    private @Nullable Share leastThatMayGoOn() {
        synchronized (waiting) {
            Share least = null;
            for (Share each : waiting) {
                if (!each.woken && (least == null || each.next < least.next) && each.mayGoOn()) {
                    least = each;
                }
            }
            if (least != null) {
                least.woken = true;
            }
            return least;
        }
    }

    final class Share {
        /** The value of {@link #ending} while no frame has the room for its rest. */
        private static final long NONE = -1;

        private final Executor loop;
        private final Runnable goOn;
        private final Runnable giveWay;
        private long ending = NONE;
        private long endingBytes;
        private long held; // of requests and replies
        private long bytesSeen; // of the frame that is being received, and which
        private long frameSeen = NONE;
        private boolean woken; // guarded by waiting

        // Written by its loop; read by any thread that looks for one to wake.
        private volatile long charged;
        private volatile long allowed; // of that
        private volatile long next; // what it has when it continues
        private volatile long whole; // what it has when its frame ends; 0 if that may not be granted
        private volatile boolean isWaiting;
        private volatile long movedNanos; // when there was more of the frame

        private Share(Executor loop, Runnable goOn, Runnable giveWay) {
            this.loop = loop;
            this.goOn = goOn;
            this.giveWay = giveWay;
        }

        /** Whether it has more than what is free to all. */
        boolean isCharged() {
            return charged > 0;
        }

        /**
         * Counts what the connection holds.
         *
         * @param requests bytes of requests and replies
         * @param received bytes that a frame which is being received takes with its reply, as far as it is there
         * @param toCome bytes that the rest of that frame will take; 0 if there is none
         * @param frame the number of that frame
         * @param isFirst whether the connection has nothing else under way
         * @return whether it may be read on; if not, it is asked again
         */
        boolean update(long requests, long received, long toCome, long frame, boolean isFirst) {
            hold(beyondFree(requests));
            if (toCome == 0 || ending != frame) {
                endsNoMore();
            }
            notice(received, isFirst ? toCome : 0, frame); // otherwise it may not be read for that
            long all = requests + received;
            next = beyondFree(all + (ending == frame ? toCome : Math.min(toCome, AHEAD_BYTES)));
            whole = isFirst && toCome > 0 ? beyondFree(all + toCome) : 0;
            if (takeNext(toCome > 0)) {
                return goesOn();
            }
            charge(beyondFree(all));
            allow(Math.min(allowed, charged)); // beyond that it was read unasked
            if (takeWhole()) {
                ending = frame;
                return goesOn();
            }
            isWaiting = true;
            synchronized (waiting) {
                waiting.add(this); // keeps its place if it has one
                waits = waiting.size();
                woken = false;
            }
            if (mayGoOn()) { // bytes that were returned before it stood there found nothing to wake
                return update(requests, received, toCome, frame, isFirst);
            }
            if (whole > 0) {
                askForWay();
            }
            return false;
        }

        private void notice(long received, long toCome, long frame) {
            if (toCome == 0) {
                receiving.remove(this);
                givesWay.compareAndSet(this, null);
                frameSeen = NONE;
            } else if (frame != frameSeen || received != bytesSeen) {
                movedNanos = nanoClock.getAsLong();
                frameSeen = frame;
                bytesSeen = received;
                receiving.add(this);
            }
        }

        private boolean standsStill(long now) {
            return !isWaiting && charged > 0 && now - movedNanos >= STILL_NANOS;
        }

        private void giveWay() {
            try {
                loop.execute(() -> {
                    boolean stands = frameSeen != NONE && standsStill(nanoClock.getAsLong());
                    givesWay.compareAndSet(this, null);
                    if (stands) {
                        giveWay.run();
                    }
                });
            } catch (RejectedExecutionException e) {
                notice(0, 0, NONE); // its event loop has ended, and the connection with it
            }
        }

        /** The connection has ended, and this is left of it. It waits for nothing any more. */
        void updateLast(long requests) {
            endsNoMore();
            notice(0, 0, NONE);
            goesOn();
            hold(beyondFree(requests));
            charge(beyondFree(requests));
            allow(charged);
        }

        private void endsNoMore() {
            ending = NONE;
            if (endingBytes > 0) {
                ends.addAndGet(-endingBytes);
                endingBytes = 0;
                wakeNext();
            }
        }

        private boolean goesOn() {
            if (isWaiting) {
                isWaiting = false;
                movedNanos = nanoClock.getAsLong(); // it was not read meanwhile
                synchronized (waiting) {
                    waiting.remove(this);
                    waits = waiting.size();
                    woken = false;
                }
            }
            return true;
        }

        private long beyondFree(long bytes) {
            return Math.max(0, bytes - FREE_BYTES);
        }

        private boolean mayGoOn() {
            return next == 0 || next <= part(used.get()) || (whole > 0 && mayEnd());
        }

        /** How many bytes this may have if so many are used, its own included. */
        private long part(long usedByAll) {
            return (shared - (usedByAll - ends.get() - (charged - endingBytes))) / PARTS;
        }

        private boolean mayEnd() {
            return granted.get() - allowed + whole <= bound
                    && ends.get() + whole <= bound - shared
                    && whole <= (bound - (underWay.get() - held)) / PARTS_TO_END;
        }

        /** @param midFrame whether what it was allowed already is enough, though others have taken more since */
        private boolean takeNext(boolean midFrame) {
            long bytes = next;
            long seen = used.get();
            while (bytes == 0 || bytes <= part(seen) || (midFrame && bytes <= allowed)) {
                if (used.compareAndSet(seen, seen + bytes - charged)) {
                    boolean gaveBack = bytes < charged;
                    charged = bytes;
                    allow(bytes);
                    if (gaveBack) {
                        wakeNext();
                    }
                    return true;
                }
                seen = used.get();
            }
            return false;
        }

        private boolean takeWhole() {
            synchronized (waiting) { // of several that take, each sees what the others took
                if (whole == 0 || !mayEnd()) {
                    return false;
                }
                endingBytes = whole;
                ends.addAndGet(whole);
                allow(whole);
                charge(whole);
                return true;
            }
        }

        private void hold(long bytes) {
            long change = bytes - held;
            if (change != 0) {
                held = bytes;
                underWay.addAndGet(change);
                if (change < 0) {
                    wakeNext();
                }
            }
        }

        private void allow(long bytes) {
            long change = bytes - allowed;
            if (change != 0) {
                allowed = bytes;
                granted.addAndGet(change);
                if (change < 0) {
                    wakeNext();
                }
            }
        }

        private void charge(long bytes) {
            long change = bytes - charged;
            if (change != 0) {
                charged = bytes;
                used.addAndGet(change);
                if (change < 0) {
                    wakeNext();
                }
            }
        }

        private void wake() {
            try {
                loop.execute(this::tryAgain);
            } catch (RejectedExecutionException e) {
                goesOn(); // its event loop has ended, and the connection with it
                wakeNext();
            }
        }

        private void tryAgain() {
            synchronized (waiting) {
                woken = false;
            }
            goOn.run();
            wakeNext();
        }
    }
}
