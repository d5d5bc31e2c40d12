package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the threads of a log take turns, so that what happens on a simulated disk repeats exactly from a seed. The thread
 * that prepares segments waits at a gate before each try, until it is given a turn; whoever gives it waits until the try is
 * over. The caller's and the log's thread take turns already, if the caller waits for each append.
 */
final class Turns implements LogListener, Storage {
    /** Long enough not to be busy at the gate, short enough not to be waited for. */
    static final long RETRY_NANOS = 100_000;

    private final Storage disk;
    private final boolean prepareAtOnce;

    // Guarded by this.
    private boolean opening = true;
    private boolean shut;
    private boolean atGate;
    private boolean turn;
    private int tries;
    private int prepared;
    private long ready; // segments that are prepared and not in use
    private String lastTried = "";
    private @Nullable Thread logThread;

    /** @param prepareAtOnce whether a segment is prepared before the log goes on behind a segment change, or after it */
    Turns(Storage disk, boolean prepareAtOnce) {
        this.disk = disk;
        this.prepareAtOnce = prepareAtOnce;
    }

    /**
     * To be called when the log is open: from here on the gate is closed.
     *
     * @param unused how many segments there are that are not in use
     */
    synchronized void opened(long unused) {
        while (tries > prepared && !atGate) {
            await();
        }
        opening = false;
        ready = atGate ? 0 : unused; // a try that failed may have left its file
    }

    /** Lets the preparing thread try once, if there is something to prepare. */
    synchronized void prepare() {
        if (!isHungry()) {
            return;
        }
        while (!atGate) {
            await();
        }
        turn = true;
        atGate = false;
        notifyAll();
        int before = prepared;
        while (prepared == before && !atGate) {
            await();
        }
    }

    /** Whether a segment is to be prepared. */
    synchronized boolean isHungry() {
        return ready == 0;
    }

    /** Waits until the log's thread has nothing more to do, an idle mark for instance. */
    @SuppressWarnings("ThreadPriorityCheck") // the thread looked at is about to park; there is nothing to wait on
    void awaitIdle() {
        Thread thread;
        synchronized (this) {
            thread = logThread;
        }
        while (thread != null && thread.getState() != Thread.State.WAITING && thread.isAlive()) {
            Thread.yield();
        }
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
        }
        if (prepareAtOnce) {
            prepare();
        }
    }

    @Override
    public synchronized void segmentPrepared(long segment, long prepareNanos) {
        prepared++;
        ready += opening ? 0 : 1;
        notifyAll();
    }

    @Override
    public StorageFile create(String name) throws IOException {
        if (Thread.currentThread().getName().equals("plog-prepare")) {
            passGate(name);
        }
        return disk.create(name);
    }

    private synchronized void passGate(String name) throws IOException {
        boolean again = name.equals(lastTried); // so the last try failed
        if (!opening || again) {
            atGate = true;
            notifyAll();
            while (!turn && !shut) {
                await();
            }
            if (shut) {
                throw new IOException("the test closes the log");
            }
            turn = false;
        }
        lastTried = name;
        tries++;
    }

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        return disk.open(name, access);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        disk.delete(name);
    }

    @Override
    public void forceDirectory() throws IOException {
        disk.forceDirectory();
    }

    @Override
    public void forceParentDirectory() throws IOException {
        disk.forceParentDirectory();
    }

    @Override
    public Closeable lock(String name) throws IOException {
        return disk.lock(name);
    }

    @Override
    public String describe() {
        return disk.describe();
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }
}
