package io.plog.benchmarks.journal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A journal of one writer without a queue of its own: a thread drains what waits, writes it, forces once, and completes. This
 * is the simplest group commit there is, and what such journals are used with. At depth 1 the caller writes and forces itself.
 */
abstract class GroupedJournal implements Journal {
    private final @Nullable Pending[] ring;
    private final Pending[] group;
    private volatile long submitted;
    private volatile boolean parked;
    private volatile boolean closed;
    private @Nullable Thread thread; // started with the first append, so that there is none at depth 1

    /** @param outstanding the most appends at once */
    GroupedJournal(int outstanding) {
        ring = new Pending[Integer.highestOneBit(Math.max(1, outstanding - 1)) << 1];
        group = new Pending[outstanding];
    }

    /** Writes these records and forces them: the first {@code count} of {@code group}. */
    abstract void writeAndForce(Pending[] group, int count) throws Exception;

    /** Writes one record and forces it. */
    @Override
    public abstract void appendAndWait(ByteBuffer payload) throws Exception;

    /** Closes the files. */
    abstract void closeFiles() throws IOException;

    @Override
    public final void append(Pending pending) {
        Thread writer = thread;
        if (writer == null) {
            writer = new Thread(this::run, "writer");
            writer.setDaemon(true);
            thread = writer;
            writer.start();
        }
        long number = submitted;
        ring[(int) number & (ring.length - 1)] = pending;
        submitted = number + 1; // one thread submits
        if (parked) {
            LockSupport.unpark(writer);
        }
    }

    private void run() {
        long taken = 0;
        while (awaitWork(taken)) {
            int count = 0;
            long until = submitted;
            while (taken < until && count < group.length) {
                int place = (int) taken++ & (ring.length - 1);
                Pending pending = ring[place];
                if (pending == null) {
                    throw new IllegalStateException("an empty place in the queue");
                }
                group[count++] = pending;
            }
            finish(count);
        }
    }

    private void finish(int count) {
        try {
            writeAndForce(group, count);
            for (int i = 0; i < count; i++) {
                group[i].complete();
            }
        } catch (Exception e) {
            for (int i = 0; i < count; i++) {
                group[i].fail(e);
            }
        }
    }

    private boolean awaitWork(long taken) {
        long until = System.nanoTime() + Pending.SPIN_NANOS;
        while (submitted == taken && !closed) {
            if (System.nanoTime() - until > 0) {
                parked = true;
                while (submitted == taken && !closed) {
                    LockSupport.park(this);
                }
                parked = false;
            }
            Thread.onSpinWait();
        }
        return submitted != taken;
    }

    @Override
    public final void close() throws IOException {
        closed = true;
        Thread writer = thread;
        if (writer != null) {
            LockSupport.unpark(writer);
            try {
                writer.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while the writer ended");
            }
        }
        closeFiles();
    }
}
