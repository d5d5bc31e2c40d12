package io.plog.log;

import io.plog.log.segment.PreparingPace;
import io.plog.log.segment.WorkThread;
import io.plog.log.storage.Force;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the threads of a log take turns, so that what happens on a simulated disk repeats exactly from a seed. The thread
 * that prepares segments waits at a gate before each try, until it is given a turn; the thread that gives it waits until the try is
 * over. The caller's and the log's thread take turns already, if the caller waits for each append.
 */
final class TurnOrder implements LogListener, PreparingPace {
    /** Long enough not to be busy at the gate, short enough not to be waited for. */
    private static final long RETRY_NANOS = 100_000;

    private volatile boolean prepareAtOnce;
    private final boolean waitsForOldFiles;

    // Guarded by this.
    private boolean opening = true;
    private boolean shut;
    private boolean atGate;
    private boolean turn;
    private boolean failed; // the log: nothing is prepared any more
    private int tries;
    private int prepared;
    private int putAway;
    private long ready; // segments that are prepared and not in use
    private long lastTried;
    private @Nullable Thread logThread;
    private int changesBegun; // of the active segment
    private int changesEnded;

    /**
     * @param prepareAtOnce whether a segment is prepared before the log goes on behind a segment change, or after it
     * @param force with {@code force=write} the old segment's file is forced by the preparing thread, so that has its turn
     *     at each segment change
     */
    TurnOrder(boolean prepareAtOnce, Force force) {
        this.waitsForOldFiles = !force.isStable();
        this.prepareAtOnce = prepareAtOnce || waitsForOldFiles;
    }

    /**
     * To be called when the log is open: from here on the gate is closed.
     *
     * @param unused how many segments there are that are not in use
     */
    synchronized void opened(long unused) {
        while (tries > prepared && !atGate && !failed) {
            await();
        }
        opening = false;
        ready = atGate || failed ? 0 : unused; // a try that failed may have left its file
    }

    /** Lets the preparing thread try once, if there is something to prepare. */
    synchronized void prepare() {
        if (!isHungry()) {
            return;
        }
        while (!atGate && !failed) {
            await();
        }
        if (failed) {
            return;
        }
        turn = true;
        atGate = false;
        notifyAll();
        int before = prepared;
        while (prepared == before && !atGate && !failed) {
            await();
        }
    }

    /** Whether a segment is prepared before the log goes on behind a segment change; returns what was so before. */
    boolean prepareAtOnce(boolean on) {
        boolean before = prepareAtOnce;
        prepareAtOnce = on || waitsForOldFiles;
        return before;
    }

    /** Whether a segment is to be prepared. */
    synchronized boolean isHungry() {
        return ready == 0;
    }

    /**
     * Waits until the log's thread has nothing more to do, an idle mark for instance.
     *
     * @param over whether it has ended
     */
    @SuppressWarnings("ThreadPriorityCheck") // the thread looked at is about to park; there is nothing to wait on
    void awaitIdle(BooleanSupplier over) {
        Thread thread;
        synchronized (this) {
            thread = logThread;
        }
        while (thread != null && !isAtRest(thread) && !over.getAsBoolean()) {
            Thread.yield();
        }
    }

    /** Whether the log's thread waits, and not only for its turn in the middle of a segment change. */
    private boolean isAtRest(Thread thread) {
        int before = changesBegun();
        return thread.getState() == Thread.State.WAITING && before == changesBegun() && before == changesEnded();
    }

    private synchronized int changesBegun() {
        return changesBegun;
    }

    private synchronized int changesEnded() {
        return changesEnded;
    }

    /** To be called before the log is closed: whatever the preparing thread tries now fails before it reaches the disk. */
    synchronized void shut() {
        shut = true;
        notifyAll();
    }

    @SuppressWarnings("WaitNotInLoop") // every caller looks again in a loop of its own
    private void await() {
        try {
            wait();
        } catch (InterruptedException e) {
            throw new IllegalStateException("a test was interrupted, probably by its time limit", e);
        }
    }

    @Override
    public void batchForced(int records, long bytes, long writeNanos, long forceNanos) {
        synchronized (this) {
            logThread = Thread.currentThread();
        }
    }

    @Override
    public void segmentChanged(long segment, long changeNanos) {
        synchronized (this) {
            ready--;
            changesBegun++;
        }
        if (prepareAtOnce) {
            prepare();
        }
        synchronized (this) {
            while (waitsForOldFiles && putAway < changesBegun) {
                await();
            }
            changesEnded++;
        }
    }

    @Override
    public WorkThread newThread(String name) {
        return new PooledThread();
    }

    @Override
    public synchronized void putAway() {
        putAway++;
        notifyAll();
    }

    @Override
    public synchronized void segmentPrepared(long segment, long prepareNanos) {
        prepared++;
        ready += opening ? 0 : 1;
        notifyAll();
    }

    @Override
    public synchronized void failed(Throwable cause) {
        failed = true;
        notifyAll();
    }

    @Override
    public long retryNanos() {
        return RETRY_NANOS;
    }

    @Override
    public synchronized void beforeTry(long segment) throws IOException {
        boolean again = segment == lastTried; // so the last try failed
        if (!opening || again) {
            atGate = true;
            notifyAll();
            while (!turn && !shut) {
                await();
            }
            if (shut) {
                throw new IOException("the test closes the log: No space left on device"); // a shortage, not a failure
            }
            turn = false;
        }
        lastTried = segment;
        tries++;
    }
}
