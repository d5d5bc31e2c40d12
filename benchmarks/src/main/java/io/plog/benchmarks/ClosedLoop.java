package io.plog.benchmarks;

import io.plog.benchmarks.journal.Journal;
import io.plog.benchmarks.journal.Pending;
import io.plog.benchmarks.result.Cell;
import io.plog.benchmarks.result.Submitter;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Keeps a fixed number of appends outstanding. One thread submits them, as an event loop would; it waits for the oldest before
 * it submits the next, so a journal that completes in order always has all of them. The loop itself allocates nothing.
 */
final class ClosedLoop {
    private static final long MOST_NANOS = 60_000_000_000L;

    private final Journal journal;
    private final int outstanding;
    private final Pending[] pending;
    private final Histogram latencies = new ConcurrentHistogram(MOST_NANOS, 3);
    private long nanos;

    ClosedLoop(Journal journal, Cell cell) {
        this.journal = journal;
        this.outstanding = cell.outstanding();
        int payloadBytes = cell.payloadBytes();
        boolean looks = cell.submitter() == Submitter.LOOKS;
        pending = new Pending[outstanding];
        byte[] bytes = new byte[payloadBytes];
        SplittableRandom random = new SplittableRandom(payloadBytes);
        for (int i = 0; i < outstanding; i++) {
            random.nextBytes(bytes);
            ByteBuffer payload =
                    ByteBuffer.allocateDirect(payloadBytes).put(bytes).flip();
            pending[i] = new Pending(payload, Thread.currentThread(), looks);
        }
    }

    /**
     * Appends, and waits for the last.
     *
     * @param appends how many
     * @param mostNanos after how long to stop before that
     * @return how many there were
     */
    long run(long appends, long mostNanos) throws Exception {
        latencies.reset();
        if (outstanding == 1) {
            return runBlocking(appends, mostNanos);
        }
        return runPending(appends, mostNanos);
    }

    /** The same with any number of appends. */
    long run(long mostNanos) throws Exception {
        return run(Long.MAX_VALUE, mostNanos);
    }

    /** The latencies of the last run, nanoseconds, to three digits; more than a minute counts as one. */
    Histogram latencies() {
        return latencies;
    }

    /** How long the last run took, from the first submission to the last completion. */
    long nanos() {
        return nanos;
    }

    private long runBlocking(long appends, long mostNanos) throws Exception {
        ByteBuffer payload = pending[0].payload();
        long begin = System.nanoTime();
        long before = begin;
        long done = 0;
        while (done < appends && before - begin < mostNanos) {
            payload.clear();
            before = System.nanoTime();
            journal.appendAndWait(payload);
            long after = System.nanoTime();
            note(after - before);
            done++;
        }
        nanos = System.nanoTime() - begin;
        return done;
    }

    private long runPending(long appends, long mostNanos) throws Exception {
        long begin = System.nanoTime();
        long submitted = 0;
        while (submitted < appends) {
            Pending next = pending[(int) (submitted % outstanding)];
            if (submitted >= outstanding) {
                note(next.await());
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
    private long drain(long submitted, int collected) throws ExecutionException, InterruptedException {
        for (long i = Math.max(0, submitted - outstanding) + collected; i < submitted; i++) {
            note(pending[(int) (i % outstanding)].await());
        }
        return submitted;
    }

    private void note(long latency) {
        latencies.recordValue(Math.min(MOST_NANOS, latency));
    }
}
