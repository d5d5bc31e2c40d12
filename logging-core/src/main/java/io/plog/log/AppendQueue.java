package io.plog.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The appends that wait for the log's thread: many callers put in, one thread takes all there are. Bounded by count and by
 * bytes. Putting in neither allocates nor locks: callers push onto a stack with one compare-and-set, and the taker turns
 * what it took around (Treiber 1986; an intrusive stack that is only ever emptied as a whole has no ABA problem).
 */
final class AppendQueue {
    /** Stands in the queue's place for ever once it is closed. */
    private static final Append CLOSED = new Append() {
        @Override
        protected void onDurable() {}

        @Override
        protected void onFailed(LogException cause) {}
    };

    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(AppendQueue.class, "newest", Append.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int mostRecords;
    private final long mostBytes;
    private final AtomicInteger records = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final Object room = new Object();
    private volatile int waitingForRoom;

    private volatile @Nullable Append newest;
    private volatile @Nullable Thread taker;
    private volatile boolean parked;
    private final BooleanSupplier hasAppends = this::hasAppends;

    AppendQueue(int mostRecords, long mostBytes) {
        this.mostRecords = mostRecords;
        this.mostBytes = mostBytes;
    }

    /** Makes room for one append, without waiting. */
    boolean tryReserve(int payloadBytes) {
        int recordsNow = records.incrementAndGet();
        long bytesNow = bytes.addAndGet(payloadBytes);
        if (recordsNow <= mostRecords && bytesNow <= mostBytes) {
            return true;
        }
        release(1, payloadBytes);
        return false;
    }

    /**
     * Makes room for one append, waiting for it.
     *
     * @return false if the queue was closed, or the caller interrupted, before there was room
     */
    boolean reserve(int payloadBytes) {
        if (tryReserve(payloadBytes)) {
            return true;
        }
        synchronized (room) {
            waitingForRoom++;
            try {
                while (!isClosed()) {
                    if (tryReserve(payloadBytes)) {
                        return true;
                    }
                    room.wait();
                }
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                waitingForRoom--;
            }
        }
    }

    /** Gives room back, after appends had their outcome. */
    void release(int recordCount, long payloadBytes) {
        records.addAndGet(-recordCount);
        bytes.addAndGet(-payloadBytes);
        if (waitingForRoom > 0) {
            synchronized (room) {
                room.notifyAll();
            }
        }
    }

    /** Puts an append in that has its room. Returns false, and keeps nothing, if the queue is closed. */
    boolean offer(Append append) {
        Append before;
        do {
            before = newest;
            if (before == CLOSED) {
                return false;
            }
            append.next = before;
        } while (!NEWEST.compareAndSet(this, before, append));
        if (parked) {
            LockSupport.unpark(taker);
        }
        return true;
    }

    /** Says that the calling thread is the one that takes. To be called once, before anything else by that thread. */
    void attachTaker() {
        taker = Thread.currentThread();
    }

    /** Takes all there are, oldest first, linked by {@link Append#next}; null if there are none. */
    @Nullable
    Append takeAll() {
        return newest == null ? null : oldestFirst((Append) NEWEST.getAndSet(this, (Append) null));
    }

    /**
     * Waits for appends: looks for a while, then parks.
     *
     * @param spinNanos how long to look before parking
     * @param deadlineNanos when to give up, as {@link System#nanoTime} counts; {@link Long#MAX_VALUE} for never
     * @return whether there are any
     */
    boolean await(long spinNanos, long deadlineNanos) {
        if (Spin.until(hasAppends, spinNanos)) {
            return true;
        }
        parked = true;
        try {
            // A caller that put something in before it could see "parked" is seen here, or else it sees "parked".
            if (newest == null) {
                if (deadlineNanos == Long.MAX_VALUE) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
                }
            }
        } finally {
            parked = false;
        }
        return newest != null;
    }

    private boolean hasAppends() {
        return newest != null;
    }

    /** Wakes the taker up, for another reason than an append. */
    void wakeUp() {
        LockSupport.unpark(taker);
    }

    /** Closes the queue for ever and takes what is left, oldest first. */
    @Nullable
    Append close() {
        Append rest = (Append) NEWEST.getAndSet(this, CLOSED);
        synchronized (room) {
            room.notifyAll();
        }
        return rest == CLOSED ? null : oldestFirst(rest);
    }

    boolean isClosed() {
        return newest == CLOSED;
    }

    int records() {
        return records.get();
    }

    long bytes() {
        return bytes.get();
    }

    private static @Nullable Append oldestFirst(@Nullable Append newestFirst) {
        Append reversed = null;
        Append rest = newestFirst;
        while (rest != null) {
            Append following = rest.next;
            rest.next = reversed;
            reversed = rest;
            rest = following;
        }
        return reversed;
    }
}
