package io.plog.server.connection;

import io.plog.server.options.BufferBounds;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what all connections of a server hold together: requests that are received or under way, and replies that their clients
 * have not read. Every connection has {@value #FREE_BYTES} bytes that are not counted, so that one with small requests never waits
 * for another; beyond that each may have a fixed part of what the others leave. So many that take all they can get leave a part
 * for the next, as in a switch with dynamic thresholds (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6, 1998).
 *
 * <p>A large frame gets the room for itself and its reply when it begins, or is not read before it does; so every frame that has
 * begun can end, and no connection waits for another that waits, too.
 *
 * <p>Safe for any thread. A {@link Share} is of its connection's event loop.
 */
public final class MemoryBudget {
    /** What every connection may hold besides. */
    static final int FREE_BYTES = 32 * 1024;

    /** A connection stops being read when it has the sixteenth part of what the others leave. */
    private static final int PARTS = 16;

    private final long bound;
    private final AtomicLong used = new AtomicLong();
    private final Queue<Share> waiting = new ConcurrentLinkedQueue<>();

    /** @param bound bytes for all connections together */
    MemoryBudget(long bound) {
        this.bound = bound;
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
        return waiting.size();
    }

    /**
     * What a connection takes.
     *
     * @param loop its event loop
     * @param goOn asked to try again when there is more room; on that loop
     */
    Share share(Executor loop, Runnable goOn) {
        return new Share(loop, goOn);
    }

    /** There is more room than before: the next that waits tries again. */
    private void wakeNext() {
        Share next = waiting.poll();
        if (next != null) {
            next.wake();
        }
    }

    /** One connection's part. */
    final class Share {
        /** The value of {@link #granted} before any frame has room. */
        private static final long NONE = -1;

        private final Executor loop;
        private final Runnable goOn;
        private long charged;
        private long granted = NONE;
        private boolean waits;

        private Share(Executor loop, Runnable goOn) {
            this.loop = loop;
            this.goOn = goOn;
        }

        /** Whether it has more than what is free to all. */
        boolean isCharged() {
            return charged > 0;
        }

        /**
         * Counts what the connection holds.
         *
         * @param held bytes
         * @param wanted bytes that the frame which is being received will take, with its reply; 0 if there is none
         * @param frame the number of that frame
         * @param isFirst whether the connection has nothing else under way
         * @return whether it may go on being read; if not, it is asked again
         */
        boolean update(long held, long wanted, long frame, boolean isFirst) {
            long mostSeen = used.get();
            if (wanted == 0) {
                granted = NONE;
            } else if (granted != frame && take(beyondFree(held + wanted), isFirst)) {
                granted = frame;
                waitNoMore();
                return true;
            }
            boolean receives = granted == frame && wanted > 0;
            set(beyondFree(receives ? held + wanted : held));
            boolean goesOn = receives || (wanted == 0 && (charged == 0 || charged <= most(used.get(), PARTS)));
            if (goesOn) {
                waitNoMore();
            } else if (!waits) {
                waits = true;
                waiting.add(this);
                if (used.get() < mostSeen) {
                    wakeNext(); // bytes returned since then found no connection to wake
                }
            }
            return goesOn;
        }

        /** The connection has ended, and this is left of it. It waits for nothing any more. */
        void updateLast(long held) {
            waitNoMore();
            set(beyondFree(held));
        }

        /** If it was woken in this moment it is not in the queue any more, and {@link #tryAgain} wakes the next in its place. */
        private void waitNoMore() {
            if (waits) {
                waits = false;
                waiting.remove(this);
            }
        }

        private long beyondFree(long bytes) {
            return Math.max(0, bytes - FREE_BYTES);
        }

        /** How many bytes this may have if {@code usedByAll} are used, its own included. */
        private long most(long usedByAll, int parts) {
            return (bound - (usedByAll - charged)) / parts;
        }

        private boolean take(long bytes, boolean isFirst) {
            while (bytes > charged) {
                long seen = used.get();
                if (bytes > most(seen, isFirst ? BufferBounds.PARTS_FOR_THE_FIRST : PARTS)) {
                    return false;
                }
                if (used.compareAndSet(seen, seen + bytes - charged)) {
                    charged = bytes;
                    return true;
                }
            }
            set(bytes);
            return true;
        }

        private void set(long bytes) {
            long change = bytes - charged;
            if (change == 0) {
                return;
            }
            charged = bytes;
            used.addAndGet(change);
            if (change < 0) {
                wakeNext();
            }
        }

        private void wake() {
            try {
                loop.execute(this::tryAgain);
            } catch (RejectedExecutionException e) {
                wakeNext(); // its event loop has ended, and the connection with it
            }
        }

        private void tryAgain() {
            waitNoMore(); // since it was woken it may have gone on, and begun to wait anew: then it is in the queue
            goOn.run();
            if (!waits) {
                wakeNext();
            }
        }
    }
}
