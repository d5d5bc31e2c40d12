package io.plog.log;

import io.plog.log.file.Buffers;
import io.plog.log.file.Payload;
import io.plog.log.segment.RecordList;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The appends that have no outcome yet, in log order. Many callers put appends in, one lane at a time takes them, and the
 * thread that acknowledges frees their places in the same order. The places are a ring that is allocated once. To put an
 * append in neither allocates nor locks, unless the caller has to wait for room. Count and bytes of all appends are bounded,
 * from when they are put in until they have their outcome.
 *
 * <p>Places are numbered from 0 without end. A caller claims the next number with a compare-and-set and then publishes what
 * it put there (the bounded queue of D. Vyukov, with one consumer).
 */
final class AppendQueue {
    /** What became of a try to put something in. */
    enum Put {
        ACCEPTED,
        FULL,
        CLOSED
    }

    private static final VarHandle PUBLISHED = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long CLOSED_BIT = Long.MIN_VALUE;

    private final int mostRecords;
    private final long mostBytes;

    // The places. What stands in one may be read when its number was published, until it is released.
    private final int mask;
    private final @Nullable Completion[] completions;
    private final @Nullable ByteBuffer[] singles; // a record in one buffer
    private final @Nullable Buffers[] severals; // any other
    private final int[] positions;
    private final int[] lengths;
    private final int[] crcs;
    private final long[] enqueued;
    private final long[] published; // the number of the place published last, plus 1

    // Each on a cache line of its own: callers and lanes write them all the time.
    private final PaddedCounter claimed = new PaddedCounter(); // how many were claimed, and CLOSED_BIT
    private final PaddedCounter bytes = new PaddedCounter();
    private final PaddedCounter taken = new PaddedCounter();
    private final PaddedCounter released = new PaddedCounter();

    private final Object room = new Object();
    private volatile int waitingForRoom;

    AppendQueue(int mostRecords, long mostBytes) {
        this.mostRecords = mostRecords;
        this.mostBytes = mostBytes;
        int places = Math.max(2, Integer.highestOneBit(mostRecords - 1) << 1);
        mask = places - 1;
        completions = new Completion[places];
        singles = new ByteBuffer[places];
        severals = new Buffers[places];
        positions = new int[places];
        lengths = new int[places];
        crcs = new int[places];
        enqueued = new long[places];
        published = new long[places];
    }

    /**
     * Puts an append in, if there is room, without waiting; see {@link AppendOrder#put}.
     */
    Put tryPut(Completion completion, Payload payload, long nowNanos) {
        int length = payload.length;
        if (bytes.addAndGet(length) > mostBytes) {
            bytes.addAndGet(-length);
            return isClosed() ? Put.CLOSED : Put.FULL;
        }
        long number;
        do {
            number = claimed.get();
            if (number < 0 || number - released.getAcquire() >= mostRecords) {
                bytes.addAndGet(-length);
                return number < 0 ? Put.CLOSED : Put.FULL;
            }
        } while (!claimed.compareAndSet(number, number + 1));
        int place = (int) number & mask;
        completions[place] = completion;
        singles[place] = payload.single;
        severals[place] = payload.several;
        positions[place] = payload.position;
        lengths[place] = length;
        crcs[place] = payload.crc;
        enqueued[place] = nowNanos;
        // Volatile, not only released: the caller looks next whether a lane must be woken.
        PUBLISHED.setVolatile(published, place, number + 1);
        return Put.ACCEPTED;
    }

    /**
     * Puts an append in, waiting for room.
     *
     * @throws InterruptedException if the caller was interrupted while it waited; it was not put in
     */
    Put put(Completion completion, Payload payload, long nowNanos) throws InterruptedException {
        synchronized (room) {
            waitingForRoom++;
            try {
                while (true) {
                    Put done = tryPut(completion, payload, nowNanos);
                    if (done != Put.FULL) {
                        return done;
                    }
                    room.wait();
                }
            } finally {
                waitingForRoom--;
            }
        }
    }

    /** How many are claimed and not taken: those that wait, or are about to be published. */
    long waiting() {
        return (claimed.get() & ~CLOSED_BIT) - taken.get();
    }

    /** How long the append that is taken next has waited, in nanoseconds; 0 if there is none. For any thread. */
    long longestWaitNanos(long nowNanos) {
        long number = taken.get();
        if (waiting() <= 0 || !isPublished(number)) {
            return 0;
        }
        long since = enqueuedNanos(number);
        return taken.get() == number ? Math.max(1, nowNanos - since) : 0; // otherwise the place may be another's by now
    }

    /** The number of the next place to be taken. */
    long firstWaiting() {
        return taken.get();
    }

    /** The number after the last append, all of which are published when this returns. Once the queue is closed. */
    long lastClaimed() {
        long end = claimed.get() & ~CLOSED_BIT;
        for (long number = released.get(); number < end; number++) {
            while (!isPublished(number)) {
                Thread.onSpinWait(); // claimed; its caller is about to publish it
            }
        }
        return end;
    }

    /** The number of the oldest place that is taken and not released. */
    long firstUnderWay() {
        return released.get();
    }

    /** How many were taken and not released. */
    long underWay() {
        return taken.get() - released.get();
    }

    /** Whether what stands in this place may be read. */
    boolean isPublished(long number) {
        return (long) PUBLISHED.getAcquire(published, (int) number & mask) == number + 1;
    }

    /** Whose turn is next; null if it is nobody's, as far as is known. For any thread. */
    @Nullable
    Completion next() {
        long number = taken.get();
        return isPublished(number) ? completions[(int) number & mask] : null;
    }

    /** Says that everything before this number was taken. For the leading lane only. */
    void takenUpTo(long number) {
        taken.set(number);
    }

    // ---- What was put in. For the leading lane, until the append is cleared. ----

    /** What to complete. */
    Completion completion(long number) {
        return present(completions[(int) number & mask]);
    }

    Payload payload(long number, Payload target) {
        int place = (int) number & mask;
        return target.set(singles[place], severals[place], positions[place], lengths[place], crcs[place]);
    }

    /** The list of records; null if it is one record. */
    @Nullable
    RecordList list(long number) {
        return severals[(int) number & mask] instanceof RecordList list ? list : null;
    }

    /** The length of the payload in bytes. */
    int length(long number) {
        return lengths[(int) number & mask];
    }

    /** When the append was put in, as {@link System#nanoTime}. */
    long enqueuedNanos(long number) {
        return enqueued[(int) number & mask];
    }

    /** Clears the place of an append that is about to be completed. Returns what to complete. */
    Completion clear(long number) {
        int place = (int) number & mask;
        Completion completion = present(completions[place]);
        completions[place] = null;
        singles[place] = null;
        severals[place] = null;
        return completion;
    }

    /** Gives back the room of the appends before this number, all of which were cleared, and wakes callers that wait for it. */
    void release(long number, long byteCount) {
        bytes.addAndGet(-byteCount);
        released.set(number); // volatile: either it is seen by who is about to wait, or the waiting is seen here
        if (waitingForRoom > 0) {
            synchronized (room) {
                room.notifyAll();
            }
        }
    }

    /** Takes no more from now on. What was claimed before stays. */
    void close() {
        long number;
        do { // no lambda: there may be no memory to link it
            number = claimed.get();
        } while (!claimed.compareAndSet(number, number | CLOSED_BIT));
        synchronized (room) {
            room.notifyAll();
        }
    }

    boolean isClosed() {
        return claimed.get() < 0;
    }

    boolean isDrained() {
        return isClosed() && waiting() == 0;
    }

    /** How many appends have no outcome yet. */
    int records() {
        return (int) ((claimed.get() & ~CLOSED_BIT) - released.get());
    }

    /** How many payload bytes these appends have. */
    long bytes() {
        return bytes.get();
    }

    private static Completion present(@Nullable Completion completion) {
        if (completion == null) {
            throw new IllegalStateException("an empty place in the queue");
        }
        return completion;
    }
}
