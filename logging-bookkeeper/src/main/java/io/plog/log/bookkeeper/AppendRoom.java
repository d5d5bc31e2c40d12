package io.plog.log.bookkeeper;

import io.plog.log.LogOptions;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * How many appends have no outcome yet, and who waits until there are fewer. An append takes room with the lock, and its outcome
 * gives it back without: the thread that reports outcomes needs the lock only if somebody waits.
 */
final class AppendRoom {
    private static final long LONGEST_WAIT_NANOS = 10_000_000;

    private final LogOptions options;
    private final ReentrantLock lock;
    private final Condition changed;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger records = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong reported = new AtomicLong(); // how many appends were given their outcome

    /** @param lock of the order of appends */
    AppendRoom(LogOptions options, ReentrantLock lock) {
        this.options = options;
        this.lock = lock;
        this.changed = lock.newCondition();
    }

    /** Appends whose outcome is not being reported yet. */
    int records() {
        return records.get();
    }

    long bytes() {
        return bytes.get();
    }

    /** With the lock. */
    boolean isFullFor(int payloadBytes) {
        int now = records.get();
        return now >= options.maxQueuedRecords() || (now > 0 && bytes.get() + payloadBytes > options.maxQueuedBytes());
    }

    /** With the lock. */
    void take(int payloadBytes) {
        records.incrementAndGet();
        bytes.addAndGet(payloadBytes);
    }

    /** The outcome is known, and reported now. */
    void give(int payloadBytes) {
        bytes.addAndGet(-payloadBytes);
        records.decrementAndGet();
        signal();
    }

    /** The outcome was reported. */
    void reported() {
        reported.incrementAndGet();
        signal();
    }

    /** Wakes those who wait, for there is something to look at. */
    void signal() {
        if (waiting.get() > 0) {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** With the lock, which is given away meanwhile. May return without a change. */
    @SuppressWarnings("WaitNotInLoop") // the callers loop
    void await() throws InterruptedException {
        waiting.incrementAndGet();
        try {
            changed.awaitNanos(LONGEST_WAIT_NANOS); // a bound, in case the change came before this thread was counted
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** Waits until every append has its outcome and nothing else is under way, or there was no progress for so long. */
    boolean awaitIdle(BooleanSupplier busy, long nanos) {
        boolean interrupted = false;
        lock.lock();
        try {
            long seen = reported.get();
            long left = nanos;
            while ((records.get() > 0 || busy.getAsBoolean()) && left > 0) {
                long began = System.nanoTime();
                try {
                    await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                left -= System.nanoTime() - began;
                if (reported.get() != seen) {
                    seen = reported.get();
                    left = nanos;
                }
            }
            return records.get() == 0 && !busy.getAsBoolean();
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
