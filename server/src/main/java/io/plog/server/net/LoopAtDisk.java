package io.plog.server.net;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Which event loop waits for a disk, so that no connection is given to it meanwhile; and whether a connection is about to be given to
 * one, so that none begins to wait then. At most one loop waits at a time, that of the only connection.
 *
 * <p>Either side first says what it is about to do and then looks at the other, so at least one of them sees the other (Dekker's
 * algorithm). Then another thread waits for the disk, or the connection goes to another loop.
 */
public final class LoopAtDisk {
    private final AtomicInteger arriving = new AtomicInteger();
    private volatile @Nullable Executor waiting;
    private volatile @Nullable Executor spare;
    private volatile Runnable onReturn = () -> {};

    /** Whether connections of this loop may make it wait: not those of the loop that accepts. */
    public boolean mayWait(Executor loop) {
        return !loop.equals(spare);
    }

    /**
     * An event loop is about to wait. Called on it.
     *
     * @return false if it must not, since a connection is about to be given to a loop
     */
    public boolean begin(Executor loop) {
        waiting = loop;
        if (arriving.get() > 0) {
            end();
            return false;
        }
        return true;
    }

    /** It has come back. Called on the loop. */
    public void end() {
        waiting = null;
        if (arriving.get() > 0) {
            onReturn.run();
        }
    }

    /**
     * Says who accepts. Called once, before anything else.
     *
     * @param loop never waits for a disk
     * @param task is run, on any loop, when the loop that waited has come back and a connection is announced
     */
    void spare(Executor loop, Runnable task) {
        spare = loop;
        onReturn = task;
    }

    /** A connection is about to be given to a loop. Called before the loop is chosen with {@link #isAway}. */
    void announce() {
        arriving.incrementAndGet();
    }

    /** An announced connection has its loop, or is closed. */
    void settled() {
        arriving.decrementAndGet();
    }

    /** Whether a loop waits for a disk. */
    boolean isAway(Executor loop) {
        return Objects.equals(waiting, loop);
    }
}
