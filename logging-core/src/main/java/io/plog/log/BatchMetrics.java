package io.plog.log;

/** What is known of the batches that were acknowledged last. Written by the thread that acknowledges, read by any. */
final class BatchMetrics {
    private volatile int usualCount;
    private volatile long usualNanos;
    private volatile long idleSinceNanos;

    void acknowledged(Batch batch) {
        if (batch.records > 0) {
            usualCount = batch.count;
            long before = usualNanos;
            usualNanos = before + (batch.end - batch.writeBegin - before) / 8;
        }
        idleSinceNanos = batch.end;
    }

    /** How many appends the last batch had. */
    int usualCount() {
        return usualCount;
    }

    /** How long a write and force take, on average. */
    long usualNanos() {
        return usualNanos;
    }

    /** When the batch acknowledged last was forced. */
    long idleSinceNanos() {
        return idleSinceNanos;
    }
}
