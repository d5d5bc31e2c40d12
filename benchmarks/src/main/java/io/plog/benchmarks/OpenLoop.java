package io.plog.benchmarks;

import io.plog.log.Append;
import io.plog.log.MessageLog;
import io.plog.log.storage.LogException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Appends at a fixed rate, whatever the log does, from one thread. An append's latency begins when it was due, so that a log
 * that falls behind cannot hide it. At most {@value #MOST_OUTSTANDING} appends are outstanding; then the thread waits, and the
 * next are late.
 */
final class OpenLoop {
    private static final int MOST_OUTSTANDING = 8192;
    private static final long MOST_NANOS = 60_000_000_000L;
    private static final long NAP_NANOS = 20_000;

    private final MessageLog log;
    private final ByteBuffer[] payloads = new ByteBuffer[MOST_OUTSTANDING];
    private final SingleWriterRecorder latencies = new SingleWriterRecorder(MOST_NANOS, 3);
    private volatile long completed; // written by one thread at a time, in log order
    private volatile boolean stopped;
    private volatile @Nullable LogException failure;

    OpenLoop(MessageLog log, int payloadBytes) {
        this.log = log;
        byte[] bytes = new byte[payloadBytes];
        new SplittableRandom(payloadBytes).nextBytes(bytes);
        ByteBuffer content = ByteBuffer.allocateDirect(payloadBytes).put(bytes).flip();
        for (int i = 0; i < payloads.length; i++) {
            payloads[i] = content.duplicate(); // the log reads the bytes and moves only the position
        }
    }

    /** How many were acknowledged. */
    long completed() {
        return completed;
    }

    /** The latencies since it was asked last, nanoseconds. */
    SingleWriterRecorder latencies() {
        return latencies;
    }

    /** Why an append failed, if one did. */
    @Nullable
    LogException failure() {
        return failure;
    }

    /** Lets {@link #run} return. */
    void stop() {
        stopped = true;
    }

    /** Appends until {@link #stop}, or an append fails; then waits for those that are outstanding. */
    void run(double perSecond) {
        double nanosEach = 1e9 / perSecond;
        long begin = System.nanoTime();
        long submitted = 0;
        while (!stopped && failure == null) {
            long due = (long) ((System.nanoTime() - begin) / nanosEach);
            while (submitted < due && submitted - completed < MOST_OUTSTANDING) {
                ByteBuffer payload = payloads[(int) (submitted % MOST_OUTSTANDING)];
                payload.clear();
                log.append(new Timed(begin + (long) (submitted * nanosEach)), payload);
                submitted++;
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
        while (completed < submitted && failure == null) {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    private final class Timed extends Append {
        private final long dueNanos;

        Timed(long dueNanos) {
            this.dueNanos = dueNanos;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread at a time
        protected void onDurable() {
            latencies.recordValue(Math.min(MOST_NANOS, Math.max(0, System.nanoTime() - dueNanos)));
            completed++;
        }

        @Override
        protected void onFailed(LogException cause) {
            failure = cause;
        }
    }
}
