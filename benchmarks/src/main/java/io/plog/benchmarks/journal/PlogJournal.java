package io.plog.benchmarks.journal;

import io.plog.log.Append;
import io.plog.log.Force;
import io.plog.log.LogException;
import io.plog.log.LogListener;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * plog's own log, with the defaults but for the way of forcing, and with as many segments prepared as the workload fills.
 * It prepares further segments while it runs, as it always does.
 */
final class PlogJournal implements Journal {
    private static final int RECORD_OVERHEAD_BYTES = 40;
    private static final int MOST_PREPARED = 64;

    private static final long MOST_SETTLE_NANOS = 20_000_000_000L;

    private final MessageLog log;
    private final boolean futures;
    private final int wantedSegments;
    private final Ready ready = new Ready();

    /** @param futures whether to append with a future each, and not with the object that is told */
    PlogJournal(Workload workload, Force force, boolean futures) throws IOException {
        this.futures = futures;
        LogOptions options = LogOptions.in(workload.directory()).withForce(force);
        int overhead = force == Force.DIRECT ? RECORD_OVERHEAD_BYTES + 4096 : RECORD_OVERHEAD_BYTES;
        long segments = workload.bytes(overhead) / options.segmentBytes();
        wantedSegments = (int) Math.min(MOST_PREPARED, segments + 1);
        log = MessageLog.open(options.withReserveSegments(wantedSegments).withListener(ready));
    }

    @Override
    public void appendAndWait(ByteBuffer payload) throws Exception {
        if (futures) {
            log.append(payload).get();
        } else {
            log.appendAndWait(payload);
        }
    }

    @Override
    public void append(Pending pending) {
        if (futures) {
            pending.watch(log.append(pending.payload()));
        } else {
            log.append(new Told(pending), pending.payload());
        }
    }

    @Override
    public void settle() throws InterruptedException {
        ready.await(wantedSegments);
    }

    @Override
    public void close() throws IOException {
        log.close();
    }

    /** Counts the segments that are ready. */
    private static final class Ready implements LogListener {
        private int count;

        @Override
        public synchronized void segmentPrepared(long segment, long prepareNanos) {
            count++;
            notifyAll();
        }

        @Override
        public synchronized void segmentChanged(long segment, long changeNanos) {
            count--;
        }

        synchronized void await(int wanted) throws InterruptedException {
            long until = System.nanoTime() + MOST_SETTLE_NANOS;
            while (count < wanted && System.nanoTime() - until < 0) {
                wait(100);
            }
        }
    }

    private static final class Told extends Append {
        private final Pending pending;

        Told(Pending pending) {
            this.pending = pending;
        }

        @Override
        protected void onDurable() {
            pending.complete();
        }

        @Override
        protected void onFailed(LogException cause) {
            pending.fail(cause);
        }
    }
}
