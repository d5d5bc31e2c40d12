package io.plog.measure.disk;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Somebody else who uses the disk: a thread that does one operation after the other until it is closed or has written its
 * share. The methods are for the one thread that measures.
 */
final class NeighbourLoad implements Closeable {
    private final Operation operation;
    private final long mostOperations;
    private final AtomicLong operations = new AtomicLong();
    private final CompletableFuture<Void> work;
    private volatile boolean closed;

    /** What the neighbour does again and again. */
    interface Operation {
        void run() throws IOException;
    }

    /**
     * Starts it when it has done its first operation.
     *
     * @param mostOperations how many it may do; at least one
     * @throws IOException if the first operation fails
     */
    NeighbourLoad(Operation operation, long mostOperations) throws IOException {
        this.operation = operation;
        this.mostOperations = mostOperations;
        operation.run();
        operations.incrementAndGet();
        work = CompletableFuture.runAsync(
                this::work, new ThreadPerTaskExecutor(new DefaultThreadFactory("plog-disk-neighbour", true)));
    }

    private void work() {
        try {
            while (!closed && operations.get() < mostOperations) {
                operation.run();
                operations.incrementAndGet();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it still uses the disk. What is measured after that would be measured without it. */
    boolean isActive() {
        return !work.isDone() && operations.get() < mostOperations;
    }

    long operations() {
        return operations.get();
    }

    /**
     * Ends it and waits until its last operation is done.
     *
     * @throws IOException if an operation failed
     */
    @Override
    public void close() throws IOException {
        closed = true;
        try {
            work.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof UncheckedIOException failed ? failed.getCause() : new IOException(e);
        }
    }
}
