package io.plog.benchmarks;

import io.plog.benchmarks.journal.Journal;
import io.plog.benchmarks.journal.Pending;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Keeps a fixed number of appends outstanding. One thread submits them, as an event loop would; it waits for the oldest before
 * it submits the next, so a journal that completes in order always has all of them. The loop itself allocates nothing.
 */
final class ClosedLoop {
    private final Journal journal;
    private final int outstanding;
    private final Pending[] pending;
    private final long[] latencies;
    private long nanos;

    /** @param mostAppends how many appends one {@link #run} may have */
    ClosedLoop(Journal journal, int outstanding, int payloadBytes, int mostAppends) {
        this.journal = journal;
        this.outstanding = outstanding;
        latencies = new long[mostAppends];
        pending = new Pending[outstanding];
        byte[] bytes = new byte[payloadBytes];
        SplittableRandom random = new SplittableRandom(payloadBytes);
        for (int i = 0; i < outstanding; i++) {
            random.nextBytes(bytes);
            ByteBuffer payload =
                    ByteBuffer.allocateDirect(payloadBytes).put(bytes).flip();
            pending[i] = new Pending(i, payload, Thread.currentThread());
        }
    }

    /**
     * Appends, and waits for the last.
     *
     * @param appends how many, at most as the constructor was told
     * @param mostNanos after how long to stop before that
     * @return how many there were; their latencies are the first of {@link #latencies}, in no particular order
     */
    int run(int appends, long mostNanos) throws Exception {
        if (outstanding == 1) {
            return runBlocking(appends, mostNanos);
        }
        return journal.isBlockingOnly() ? runThreads(appends, mostNanos) : runPending(appends, mostNanos);
    }

    /** The latencies of the last run, nanoseconds. */
    long[] latencies() {
        return latencies;
    }

    /** How long the last run took, from the first submission to the last completion. */
    long nanos() {
        return nanos;
    }

    private int runBlocking(int appends, long mostNanos) throws Exception {
        ByteBuffer payload = pending[0].payload();
        long begin = System.nanoTime();
        long before = begin;
        int done = 0;
        while (done < appends && before - begin < mostNanos) {
            payload.clear();
            before = System.nanoTime();
            journal.appendAndWait(payload);
            long after = System.nanoTime();
            latencies[done++] = after - before;
        }
        nanos = System.nanoTime() - begin;
        return done;
    }

    private int runPending(int appends, long mostNanos) throws Exception {
        long begin = System.nanoTime();
        int submitted = 0;
        while (submitted < appends) {
            Pending next = pending[submitted % outstanding];
            if (submitted >= outstanding) {
                latencies[submitted - outstanding] = next.await();
                if (submitted % outstanding == 0 && System.nanoTime() - begin > mostNanos) {
                    submitted = drain(submitted, 1);
                    nanos = System.nanoTime() - begin;
                    return submitted;
                }
            }
            next.begin();
            journal.append(next);
            submitted++;
        }
        drain(submitted, 0);
        nanos = System.nanoTime() - begin;
        return submitted;
    }

    /** Waits for those that are outstanding still; the oldest {@code collected} have been waited for. */
    private int drain(int submitted, int collected) throws ExecutionException, InterruptedException {
        for (int i = Math.max(0, submitted - outstanding) + collected; i < submitted; i++) {
            latencies[i] = pending[i % outstanding].await();
        }
        return submitted;
    }

    private int runThreads(int appends, long mostNanos) throws Exception {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch begin = new CountDownLatch(1);
        Thread[] threads = new Thread[outstanding];
        long[] began = new long[1];
        for (int i = 0; i < outstanding; i++) {
            ByteBuffer payload = pending[i].payload();
            threads[i] = new Thread(() -> {
                try {
                    begin.await();
                    appendInTurn(payload, next, appends, began[0] + mostNanos);
                } catch (Throwable t) {
                    failure.compareAndSet(null, t);
                }
            });
            threads[i].start();
        }
        began[0] = System.nanoTime();
        begin.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        nanos = System.nanoTime() - began[0];
        Throwable failed = failure.get();
        if (failed != null) {
            throw new ExecutionException(failed);
        }
        return Math.min(appends, next.get());
    }

    private void appendInTurn(ByteBuffer payload, AtomicInteger next, int appends, long until) throws Exception {
        while (System.nanoTime() - until < 0) {
            int number = next.getAndIncrement();
            if (number >= appends) {
                return;
            }
            payload.clear();
            long before = System.nanoTime();
            journal.appendAndWait(payload);
            latencies[number] = System.nanoTime() - before;
        }
    }
}
