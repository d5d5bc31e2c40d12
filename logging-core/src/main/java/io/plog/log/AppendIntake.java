package io.plog.log;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** How records of callers come into the queue: measured, checked and refused on the caller's thread. For any thread. */
final class AppendIntake {
    private static final long NONE = -1;

    static {
        rehearse();
    }

    private final AppendQueue queue;
    private final GroupCommit commit;
    private final LaneScheduler scheduler;
    private final LogThreads threads;
    private final int maxRecordBytes;
    private final boolean waitsForRoom;
    private long firstSeen = NONE; // the housekeeper's

    AppendIntake(LogOptions options, AppendEngine engine) {
        this.queue = engine.queue;
        this.commit = engine.commit;
        this.scheduler = engine.scheduler;
        this.threads = engine.threads;
        this.maxRecordBytes = options.maxRecordBytes();
        this.waitsForRoom = options.overflow() == LogOptions.Overflow.WAIT;
    }

    /**
     * Loads, initialises and links what the path of an append needs while a log is opened. A class whose initialisation ends for want
     * of stack is lost to the whole process, and the first append may be that of a caller with little.
     */
    private static void rehearse() {
        AppendQueue queue = new AppendQueue(2, 2);
        ByteBuffer[] slices = Payload.slices(new ByteBuffer[] {ByteBuffer.allocate(1)});
        Payload.crcOf(slices);
        Payload.crcOf(ByteBuffer.allocate(1));
        queue.tryPut(new DurableFuture(0, new LogThreads()), slices, 0, 1, 0, 0);
        Waiter waiter = new Waiter();
        waiter.finish();
        waiter.awaitUninterruptibly();
        new BlockingAppend().take();
        StackRoom.isEnoughForWork();
        SpinWait.until(waiter, 0);
        queue.clear(0);
        queue.release(1, 1);
    }

    /**
     * Puts a record of several buffers into the queue and wakes a lane for it.
     *
     * @param owner what to complete: an {@link Append} or a {@link DurableFuture}
     * @param append the owner if it is an {@link Append}
     * @return why the record was not taken; null if it was
     */
    @Nullable
    LogException put(Object owner, @Nullable Append append, ByteBuffer[] payload) {
        LogException refusal = refusalOf(enqueue(owner, append, payload));
        if (refusal == null) {
            scheduler.wakeAnother();
        }
        return refusal;
    }

    /**
     * The same without waking a lane, for a caller that lets {@link LaneScheduler#workHere} follow.
     *
     * @return why the record was not taken; null if it was
     */
    @Nullable
    LogException putQuietly(Append append, ByteBuffer[] payload) {
        return refusalOf(enqueue(append, append, payload));
    }

    /** Wakes a lane for what was put quietly. */
    void wakeLane() {
        scheduler.wakeAnother();
    }

    /** Wakes a lane for what waited already when this was called before. For the housekeeper. */
    void wakeLaneForLeftBehind() {
        long first = queue.firstWaiting();
        if (first == firstSeen && queue.waiting() > 0) {
            scheduler.wakeAnother();
        }
        firstSeen = queue.waiting() > 0 ? first : NONE;
    }

    /** The same without waking a lane. */
    AppendQueue.Put enqueue(Object owner, @Nullable Append append, ByteBuffer[] payload) {
        long now = System.nanoTime();
        StackRoom.require(now);
        ByteBuffer[] slices = Payload.slices(payload);
        int length = checkLength(Payload.lengthOf(slices));
        int crc = Payload.crcOf(slices);
        if (append != null) {
            append.use();
            append.payloadCrc = crc;
        }
        Payload.consume(payload);
        AppendQueue.Put put = enqueue(owner, slices, 0, length, crc, now);
        if (put != AppendQueue.Put.ACCEPTED) {
            Payload.restore(payload, slices);
        }
        return put;
    }

    /** The same as {@link #put(Object, Append, ByteBuffer[])} for a record of one buffer, without an array for it. */
    @Nullable
    LogException put(Object owner, @Nullable Append append, ByteBuffer payload) {
        long now = System.nanoTime();
        StackRoom.require(now);
        int position = payload.position();
        int length = checkLength(payload.limit() - (long) position);
        if (append != null) {
            append.use();
        }
        int crc = Payload.crcOf(payload);
        if (append != null) {
            append.payloadCrc = crc;
        }
        LogException refusal = refusalOf(enqueue(owner, payload, position, length, crc, now));
        if (refusal == null) {
            scheduler.wakeAnother();
        } else {
            payload.position(position);
        }
        return refusal;
    }

    private AppendQueue.Put enqueue(Object owner, Object payload, int position, int length, int crc, long now) {
        AppendQueue.Put put = queue.tryPut(owner, payload, position, length, crc, now);
        if (put == AppendQueue.Put.FULL) {
            scheduler.wakeAnother(); // what was appended quietly makes room, though its caller does not come back
            if (waitsForRoom && !threads.isCurrentThread()) {
                return queue.put(owner, payload, position, length, crc, now, scheduler::wakeAnother);
            }
        }
        return put;
    }

    private int checkLength(long bytes) {
        if (bytes > maxRecordBytes) {
            throw new IllegalArgumentException(
                    "record of " + bytes + " bytes: this log takes at most " + maxRecordBytes);
        }
        return (int) bytes;
    }

    /** Why an append was not taken; null if it was. */
    @Nullable
    LogException refusalOf(AppendQueue.Put put) {
        return switch (put) {
            case ACCEPTED -> null;
            case FULL -> overloaded();
            case INTERRUPTED ->
                new LogRefusedException.QueueFull(
                        "interrupted while waiting for room in the queue; the record was not written");
            case CLOSED -> closedOrFailed();
        };
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
