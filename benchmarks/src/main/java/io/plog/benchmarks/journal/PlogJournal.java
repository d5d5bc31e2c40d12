package io.plog.benchmarks.journal;

import io.plog.log.Append;
import io.plog.log.Force;
import io.plog.log.LogException;
import io.plog.log.LogListener;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * plog's own log, with the defaults but for the way of forcing. Where the beginning is dropped, that is done at each change of
 * segment, on a thread of its own, as a service would.
 */
final class PlogJournal implements Journal {
    private static final long MOST_SETTLE_NANOS = 20_000_000_000L;

    private final MessageLog log;
    private final boolean futures;
    private final int wantedSegments;
    private final Ready ready = new Ready();
    private final @Nullable Thread dropping;
    private volatile boolean closed;

    /** @param futures whether to append with a future each, and not with the object that is told */
    PlogJournal(Workload workload, Force force, boolean futures) throws IOException {
        this.futures = futures;
        LogOptions options = LogOptions.in(workload.directory()).withForce(force);
        wantedSegments = options.reserveSegments();
        dropping = workload.dropping() ? new Thread(() -> dropForEver(workload.retainedRecords()), "retention") : null;
        log = MessageLog.open(options.withListener(ready));
        if (dropping != null) {
            dropping.setDaemon(true);
            dropping.start();
        }
    }

    private void dropForEver(long retainedRecords) {
        try {
            while (!closed) {
                ready.awaitChange();
                log.truncateBefore(Math.max(log.firstIndex(), log.durableIndex() + 1 - retainedRecords));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            if (!closed) {
                throw new UncheckedIOException(e);
            }
        }
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
        closed = true;
        log.close();
    }

    /** Counts the segments that are ready. */
    private static final class Ready implements LogListener {
        private int count;
        private boolean changed;

        @Override
        public synchronized void segmentPrepared(long segment, long prepareNanos) {
            count++;
            notifyAll();
        }

        @Override
        public synchronized void segmentChanged(long segment, long changeNanos) {
            count--;
            changed = true;
            notifyAll();
        }

        synchronized void awaitChange() throws InterruptedException {
            while (!changed) {
                wait();
            }
            changed = false;
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
