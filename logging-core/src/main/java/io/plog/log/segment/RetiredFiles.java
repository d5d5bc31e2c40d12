package io.plog.log.segment;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The files of complete segments that are still to be closed. Lanes add them; the preparing thread closes them, because
 * closing, and forcing where appends are not forced, may take long. Thread-safe.
 */
public final class RetiredFiles {
    /** A file, and whether it must still be forced (where appends are not, {@code force=write}). */
    private record Retired(SegmentFile file, boolean force) {}

    /** With so many waiting, no segment is changed until one is closed: a process has only so many open files. */
    public static final int MOST_WAITING = 64;

    // Guarded by this.
    private final Deque<Retired> waiting = new ArrayDeque<>();
    private boolean closing;
    private @Nullable IOException failure;

    /** Adds a file. Returns at once. */
    synchronized void add(SegmentFile file, boolean force) {
        waiting.add(new Retired(file, force));
    }

    /** Whether no file waits; one may be in the hands of the preparing thread. */
    synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether {@link #MOST_WAITING} wait. */
    synchronized boolean isFull() {
        return waiting.size() >= MOST_WAITING;
    }

    /** Forces and closes the oldest file; returns false if there is none. For the preparing thread. */
    boolean putNextAway() {
        Retired next;
        synchronized (this) {
            next = waiting.poll();
            closing = next != null;
        }
        if (next == null) {
            return false;
        }
        IOException problem = forceAndClose(next);
        synchronized (this) {
            closing = false;
            if (problem != null && failure == null) {
                failure = problem;
            }
            notifyAll();
        }
        return true;
    }

    private static @Nullable IOException forceAndClose(Retired retired) {
        IOException problem = null;
        try {
            if (retired.force()) {
                retired.file().forceData();
            }
        } catch (IOException e) {
            problem = e;
        } catch (OutOfMemoryError e) {
            problem = new IOException(e.toString(), e);
        }
        try {
            retired.file().close();
        } catch (IOException | OutOfMemoryError ignored) {
            // Everything in the file was forced before; closing makes nothing stable and can lose nothing.
        }
        return problem;
    }

    /**
     * Waits until every file is forced and closed. An interrupt does not end the wait; the flag is set again afterwards.
     *
     * @throws IOException the first force that failed
     */
    synchronized void await() throws IOException {
        boolean interrupted = false;
        while ((closing || !waiting.isEmpty()) && failure == null) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw failure;
        }
    }
}
