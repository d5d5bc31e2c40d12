package io.plog.benchmarks.journal;

import io.plog.log.Append;
import io.plog.log.Force;
import io.plog.log.LogException;
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

    private final MessageLog log;
    private final boolean futures;

    /** @param futures whether to append with a future each, and not with the object that is told */
    PlogJournal(Workload workload, Force force, boolean futures) throws IOException {
        this.futures = futures;
        LogOptions options = LogOptions.in(workload.directory()).withForce(force);
        int overhead = force == Force.DIRECT ? RECORD_OVERHEAD_BYTES + 4096 : RECORD_OVERHEAD_BYTES;
        long segments = workload.bytes(overhead) / options.segmentBytes();
        log = MessageLog.open(options.withPreparedSegments((int) Math.min(MOST_PREPARED, segments + 1)));
    }

    @Override
    public void appendAndWait(ByteBuffer payload) throws LogException, InterruptedException {
        log.appendAndWait(payload);
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
    public void close() throws IOException {
        log.close();
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
