package io.plog.log.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Independent cases on a few threads, in their order. Threads of its own and not the common pool: cases wait for each other's
 * logs, and tests run within tests.
 */
public final class Parallel {
    /** One case. */
    public interface Case {
        void run(long number) throws Exception;
    }

    private Parallel() {}

    /** As many threads as there are processors. */
    public static void forEach(long count, Case each) {
        forEach(count, Runtime.getRuntime().availableProcessors(), each);
    }

    /** Runs the cases 0 to {@code count - 1}; after the first that fails, no other begins, and its failure is thrown. */
    public static void forEach(long count, int threads, Case each) {
        AtomicLong next = new AtomicLong();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Runnable worker = () -> {
            for (long i = next.getAndIncrement(); i < count && failure.get() == null; i = next.getAndIncrement()) {
                try {
                    each.run(i);
                } catch (Throwable t) {
                    failure.compareAndSet(null, t);
                }
            }
        };
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < Math.min(count, threads); i++) {
            Thread thread = new Thread(worker, "case-" + i);
            thread.setDaemon(true);
            thread.start();
            workers.add(thread);
        }
        try {
            for (Thread thread : workers) {
                thread.join();
            }
        } catch (InterruptedException e) {
            failure.compareAndSet(null, e);
            Thread.currentThread().interrupt();
        }
        Throwable first = failure.get();
        if (first != null) {
            throw new AssertionError(first.getMessage(), first);
        }
    }
}
