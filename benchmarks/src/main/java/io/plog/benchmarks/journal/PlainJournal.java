package io.plog.benchmarks.journal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A plain loop on a file filled with zeros: no checksum, no format, no second file. What a log in Java can hope for. At the
 * end of the file it begins again.
 *
 * <p>A thread drains what waits, writes it, forces once, and completes: the simplest group commit there is. At depth 1 the
 * caller writes and forces itself.
 */
final class PlainJournal implements Journal {
    private final FileChannel channel;
    private final ByteBuffer[] gathered;
    private final @Nullable Pending[] ring;
    private final Pending[] group;
    private volatile long submitted;
    private volatile boolean parked;
    private volatile boolean closed;
    private @Nullable Thread thread; // started with the first append, so that there is none at depth 1

    PlainJournal(Workload workload) throws IOException {
        int outstanding = workload.outstanding();
        ring = new Pending[Integer.highestOneBit(Math.max(1, outstanding - 1)) << 1];
        group = new Pending[outstanding];
        gathered = new ByteBuffer[outstanding];
        Path file = workload.directory().resolve("plain");
        ZeroFilledFile.create(file, Workload.RESERVE_BYTES);
        channel = FileChannel.open(file, StandardOpenOption.WRITE);
    }

    @Override
    public void appendAndWait(ByteBuffer payload) throws IOException {
        gathered[0] = payload;
        write(1);
    }

    private void writeAndForce(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            gathered[i] = group[i].payload();
        }
        write(count);
    }

    private void write(int count) throws IOException {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += gathered[i].remaining();
        }
        if (channel.position() + bytes > Workload.RESERVE_BYTES) {
            channel.position(0);
        }
        while (bytes > 0) {
            bytes -= channel.write(gathered, 0, count);
        }
        channel.force(false);
    }

    @Override
    public void append(Pending pending) {
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
            writeAndForce(count);
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
    public void close() throws IOException {
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
        channel.close();
    }
}
