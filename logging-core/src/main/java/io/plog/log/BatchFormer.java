package io.plog.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Takes appends from the queue in their order, numbers them and lays them out where they will stand. Used by the leading lane
 * only, but for what says otherwise.
 */
final class BatchFormer {
    /** How many must wait before it pays to start another group beside one that is under way. */
    private static final int WORTH_ANOTHER = 2;

    /** Waiting for a group to get together takes at most this part of what a force takes ... */
    private static final int GATHER_SHARE = 8;

    /** ... and at most this long. */
    private static final long MOST_GATHER_NANOS = 20_000;

    private final AppendQueue queue;
    private final Committer committer;
    private final int mostPayloadBytes;
    private final int stripes;
    private final boolean gathers;
    private final boolean marksWhenIdle;

    private volatile long nextTicket;
    private volatile long markedIndex;
    private long nextIndex;

    // Of the batches acknowledged last: written by whoever acknowledges.
    private volatile int usualCount;
    private volatile long usualNanos;

    BatchFormer(
            LogOptions options, AppendQueue queue, Committer committer, long nextIndex, long markedIndex, int stripes) {
        this.queue = queue;
        this.committer = committer;
        this.mostPayloadBytes = options.maxBatchBytes();
        this.stripes = stripes;
        this.gathers = options.force().isStable() && !options.spin().isZero();
        this.marksWhenIdle = options.force().isStable();
        this.nextIndex = nextIndex;
        this.markedIndex = markedIndex;
    }

    /** The ticket of the next batch. For any thread. */
    long nextTicket() {
        return nextTicket;
    }

    long nextIndex() {
        return nextIndex;
    }

    /** How many must wait before a second lane should start. For any thread. */
    int worthAnother() {
        return stripes > 1 ? 1 : WORTH_ANOTHER;
    }

    /** Remembers how large groups are and how long a force takes. For whoever acknowledges. */
    void acknowledged(Batch batch) {
        if (batch.refusal == null) {
            usualCount = batch.count;
            long before = usualNanos;
            usualNanos = before + (batch.end - batch.writeBegin - before) / 8;
        }
    }

    /**
     * Takes a group of those that wait, numbers them and lays them out for the lane to write. When the active segment is
     * full, changes it first. An append for which there is no space becomes a batch of its own that is not written.
     *
     * @return null if none can be taken at present
     */
    @Nullable
    Batch take(Lane lane) throws IOException {
        Batch batch = lane.freeBatch();
        if (batch == null || !lane.segments.canStart()) {
            return null;
        }
        gather();
        batch.takenNanos = System.nanoTime();
        fill(batch, lane.segments.room());
        batch.refusal = null;
        while (batch.count == 0 && batch.refusal == null) {
            if (!queue.isPublished(queue.firstWaiting()) || !lane.segments.mayChange()) {
                return null; // about to be published; or the lane that is under way will look again
            }
            try {
                lane.segments.changeSegment(lane.writer, nextIndex, committer.durableIndex());
            } catch (LogFullException full) {
                batch.refusal = full;
            }
            fill(batch, lane.segments.room());
        }
        if (batch.refusal != null) {
            batch.count = 1;
            batch.payloadBytes = queue.length(batch.firstNumber);
        } else {
            batch.firstIndex = nextIndex;
            batch.encodedBytes = lane.segments.layOut(batch, queue, lane.writer, committer.durableIndex());
            nextIndex += batch.count;
        }
        batch.done = false;
        batch.inUse = true;
        batch.ticket = nextTicket;
        queue.takenUpTo(batch.firstNumber + batch.count);
        nextTicket = batch.ticket + 1;
        return batch;
    }

    /**
     * Waits for a moment while those who were just told their outcome come back with their next appends: a group that is
     * written too early makes all the others wait for the force after it.
     */
    private void gather() {
        int usual = usualCount;
        if (!gathers || usual < 2 || queue.waiting() >= usual) {
            return;
        }
        long begin = System.nanoTime();
        long most = Math.min(MOST_GATHER_NANOS, usualNanos / GATHER_SHARE);
        while (queue.waiting() < usual && !committer.isOver() && System.nanoTime() - begin < most) {
            Thread.onSpinWait();
        }
    }

    private void fill(Batch batch, long room) {
        long first = queue.firstWaiting();
        long number = first;
        long payloadBytes = 0;
        long encodedBytes = 0;
        long mostRecords = Math.min(Batch.MOST_RECORDS, shareOf(queue.records()));
        long mostBytes = Math.min(mostPayloadBytes, shareOf(queue.bytes()));
        while (number - first < mostRecords && queue.isPublished(number)) {
            int length = queue.length(number);
            long encoded = Batch.encodedBytes(length);
            if (encodedBytes + encoded > room || (number > first && payloadBytes + length > mostBytes)) {
                break;
            }
            payloadBytes += length;
            encodedBytes += encoded;
            number++;
        }
        batch.firstNumber = first;
        batch.count = (int) (number - first);
        batch.payloadBytes = payloadBytes;
    }

    /** With several directories, what is under way is shared out evenly: the slowest decides when all are acknowledged. */
    private long shareOf(long all) {
        return stripes == 1 ? Long.MAX_VALUE : (all + stripes - 1) / stripes;
    }

    /** Takes all that is left; returns the number after the last. After a failure. */
    long takeAllPublished() {
        long end = queue.firstWaiting() + queue.waiting();
        for (long number = queue.firstWaiting(); number < end; number++) {
            while (!queue.isPublished(number)) {
                Thread.onSpinWait(); // claimed; its caller is about to publish it
            }
        }
        queue.takenUpTo(end);
        return end;
    }

    /** Whether records are durable beyond the last mark. For any thread. */
    boolean isUnmarked(long durableIndex) {
        return marksWhenIdle && markedIndex < durableIndex;
    }

    void mark(Lane lane, long durableIndex) throws IOException {
        lane.segments.mark(lane.writer, nextIndex, durableIndex);
        markedIndex = durableIndex;
    }
}
