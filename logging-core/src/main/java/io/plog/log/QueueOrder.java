package io.plog.log;

import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The order of a log in directories: the queue before its lanes. For any thread. */
final class QueueOrder implements AppendOrder {
    private final AppendQueue queue;
    private final GroupCommit commit;
    private final LaneScheduler scheduler;
    private final LogThreads threads;
    private final boolean waitsForRoom;
    private final long spinNanos;

    QueueOrder(LogOptions options, AppendEngine engine) {
        this.queue = engine.queue;
        this.commit = engine.commit;
        this.scheduler = engine.scheduler;
        this.threads = engine.threads;
        this.waitsForRoom = options.overflow() == LogOptions.Overflow.WAIT;
        this.spinNanos = options.spin().toNanos();
    }

    @Override
    public @Nullable LogException put(Object owner, Object payload, int position, int length, int crc, long calledNanos)
            throws InterruptedException {
        AppendQueue.Put put = queue.tryPut(owner, payload, position, length, crc, calledNanos);
        if (put == AppendQueue.Put.FULL && waitsForRoom && !threads.isCurrentThread()) {
            put = queue.put(owner, payload, position, length, crc, calledNanos);
        }
        return switch (put) {
            case ACCEPTED -> null;
            case FULL -> overloaded();
            case CLOSED -> closedOrFailed();
        };
    }

    @Override
    public void wake() {
        scheduler.wakeAnother();
    }

    /** The caller looks for a while before it parks: waking a thread takes tens of microseconds. */
    @Override
    public void workUntil(BooleanSupplier done) {
        scheduler.workUntil(done, spinNanos);
    }

    private LogException overloaded() {
        return new LogRefusedException.QueueFull("the queue before the log is full (" + queue.records() + " records, "
                + queue.bytes() + " bytes); the record was not written. Try again later");
    }

    private LogException closedOrFailed() {
        LogFailedException failed = commit.failure();
        if (failed == null) {
            return new LogRefusedException.Closed("the log is closed; the record was not written");
        }
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        return new LogFailedException(
                "the record was not written: the log had failed before, after an error ("
                        + LogFailedException.describe(cause) + ")" + LogFailedException.advice(cause),
                failed,
                false);
    }
}
