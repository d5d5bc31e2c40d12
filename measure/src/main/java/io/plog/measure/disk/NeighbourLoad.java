package io.plog.measure.disk;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Somebody else who uses the disk: a thread that does one operation after the other until it is closed or has written its
 * share. The methods are for the one thread that measures.
 */
final class NeighbourLoad implements Closeable {
    private final Operation operation;
    private final long mostOperations;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean closed;
    private final AtomicLong operations = new AtomicLong();
    private volatile @Nullable IOException failure;

    /** What the neighbour does again and again. */
    interface Operation {
        void run() throws IOException;
    }

    private NeighbourLoad(Operation operation, long mostOperations) {
        this.operation = operation;
        this.mostOperations = mostOperations;
        thread = new Thread(this::work, "plog-disk-neighbour");
        thread.setDaemon(true);
    }

    /**
     * Starts one, and waits until it has done its first operation.
     *
     * @param mostOperations how many it may do; at least one
     * @throws IOException if the first operation fails
     */
    static NeighbourLoad start(Operation operation, long mostOperations) throws IOException {
        NeighbourLoad load = new NeighbourLoad(operation, mostOperations);
        load.thread.start();
        try {
            load.begun.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        load.rethrow();
        return load;
    }

    private void work() {
        try {
            while (!closed && operations.get() < mostOperations) {
                operation.run();
                operations.incrementAndGet();
                begun.countDown();
            }
        } catch (IOException e) {
            failure = e;
        } finally {
            begun.countDown();
        }
    }

    /** Whether it still uses the disk. What is measured after that would be measured without it. */
    boolean isActive() {
        return failure == null && operations.get() < mostOperations;
    }

    long operations() {
        return operations.get();
    }

    private void rethrow() throws IOException {
        IOException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    /**
     * Ends it and waits until its last operation is done.
     *
     * @throws IOException if an operation failed
     */
    @Override
    public void close() throws IOException {
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        rethrow();
    }
}
