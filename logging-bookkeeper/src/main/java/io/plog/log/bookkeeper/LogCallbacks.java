package io.plog.log.bookkeeper;

import io.plog.log.DurableLogSupport;
import io.plog.log.LogException;
import io.plog.log.LogListener;
import java.util.List;

/** Calls the embedder's code, and keeps the log safe from what it throws. One append at a time; the rest for any thread. */
final class LogCallbacks {
    private final LogListener listener;
    private volatile long sinceNanos; // 0 if none runs

    LogCallbacks(LogListener listener) {
        this.listener = listener;
    }

    /** Those of them that were stored were stored together, as far as anyone can tell. */
    void forced(List<PendingAppend> group) {
        int records = 0;
        long bytes = 0;
        for (PendingAppend each : group) {
            if (each.stored) {
                records++;
                bytes += each.entry.remaining();
            }
        }
        if (records > 0) {
            int durable = records;
            long all = bytes;
            long nanos = System.nanoTime() - group.get(0).sentNanos;
            guarded(() -> listener.batchForced(durable, all, 0, nanos));
        }
    }

    void acknowledge(PendingAppend append) {
        long now = System.nanoTime();
        try {
            guarded(() -> DurableLogSupport.acknowledge(
                    append.append, append.index, append.sentNanos - append.calledNanos, now - append.sentNanos));
        } finally {
            finish(append);
        }
    }

    void fail(PendingAppend append, LogException cause) {
        try {
            guarded(() -> DurableLogSupport.fail(append.append, cause));
        } finally {
            finish(append);
        }
    }

    private static void finish(PendingAppend append) {
        AppendWaiter waiter = append.waiter;
        if (waiter != null) {
            waiter.finish();
        }
    }

    void logFailed(Throwable cause) {
        try {
            listener.failed(cause);
        } catch (Throwable t) {
            DurableLogSupport.report(t);
        }
    }

    void ledgerChanged(long ledger, long nanos) {
        try {
            listener.segmentChanged(ledger, nanos);
        } catch (Throwable t) {
            DurableLogSupport.report(t);
        }
    }

    private void guarded(Runnable callback) {
        sinceNanos = System.nanoTime();
        try {
            callback.run();
        } catch (Throwable t) {
            DurableLogSupport.report(t);
        } finally {
            sinceNanos = 0;
        }
    }

    /** How long the current callback has taken so far, in nanoseconds; 0 if there is none. */
    long nanos() {
        long since = sinceNanos;
        return since == 0 ? 0 : Math.max(1, System.nanoTime() - since);
    }
}
