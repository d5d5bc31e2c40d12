package io.plog.benchmarks.journal;

import io.plog.log.Append;
import io.plog.log.DurableLog;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A log of plog, wherever its records are. */
public class LogJournal implements Journal {
    private final DurableLog log;
    private final boolean futures;

    /** @param futures whether to append with a future each, and not with an {@link Append} */
    public LogJournal(DurableLog log, boolean futures) {
        this.log = log;
        this.futures = futures;
    }

    @Override
    public final void appendAndWait(ByteBuffer payload) throws Exception {
        if (futures) {
            log.append(payload).get();
        } else {
            log.appendAndWait(payload);
        }
    }

    @Override
    public final void append(Pending pending) {
        if (futures) {
            pending.watch(log.append(pending.payload()));
        } else {
            log.append(new Completion(pending), pending.payload());
        }
    }

    @Override
    public void close() throws IOException {
        log.close();
    }

    private static final class Completion extends Append {
        private final Pending pending;

        Completion(Pending pending) {
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
