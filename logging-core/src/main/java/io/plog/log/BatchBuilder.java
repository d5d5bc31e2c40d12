package io.plog.log;

import io.plog.log.file.Payload;
import io.plog.log.file.RecordHeader;
import io.plog.log.segment.RecordList;
import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentOptions;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes appends from the queue in their order, numbers them and lays them out as they will stand in the segment. For the
 * leading lane, except where a method says otherwise.
 */
final class BatchBuilder {
    private final AppendQueue queue;
    private final GroupCommit commit;
    private final DiskGate disk;
    private final int mostPayloadBytes;
    private final int stripes;
    private final int groupsInFlight;
    private final IntSupplier mostRecords;
    private final Gathering gathering;
    private final Payload payload = new Payload(); // of the append that is being laid out

    private volatile long nextTicket;
    private long nextIndex;
    private final AtomicInteger cuts = new AtomicInteger();

    BatchBuilder(
            LogOptions options,
            AppendQueue queue,
            GroupCommit commit,
            BatchMetrics metrics,
            DiskGate disk,
            long nextIndex,
            int stripes,
            IntSupplier mostRecords) {
        this.queue = queue;
        this.commit = commit;
        this.disk = disk;
        this.mostPayloadBytes = options.maxBatchBytes();
        this.stripes = stripes;
        this.groupsInFlight = options.groupsInFlight();
        this.mostRecords = mostRecords;
        this.gathering = new Gathering(
                metrics,
                System::nanoTime,
                options.force().isStable() && !options.spin().isZero(),
                options.force().callsForce());
        this.nextIndex = nextIndex;
    }

    /** The ticket of the next batch. For any thread. */
    long nextTicket() {
        return nextTicket;
    }

    long nextIndex() {
        return nextIndex;
    }

    /**
     * How many must wait before another lane should start. For any thread.
     *
     * <p>In one directory that is for {@link Gathering} to say. Directories are on different devices, so each gets a batch as
     * soon as there is one.
     *
     * @param active how many lanes have a batch
     */
    long leastWorth(int active) {
        return active == 0 || stripes > 1 ? 1 : gathering.leastWorth(queue.underWay());
    }

    /**
     * Whether a batch may be laid out in this directory now. No directory may have more than its share of the bytes that are
     * not forced yet, because acknowledging in order waits for the slowest. For any thread.
     */
    boolean mayTake(SegmentChain segments) {
        if (!segments.canStart() || (queue.next() instanceof SuffixTruncation && !isAtRest(segments))) {
            return false;
        }
        long underWay = segments.bytesUnderWay();
        return stripes == 1 || underWay == 0 || underWay < shareOf(queue.bytes());
    }

    /** Whether every append that was taken has its outcome: a cut takes back what was acknowledged, and nothing else. */
    private boolean isAtRest(SegmentChain segments) {
        return segments.isAtRest() && commit.nextTicket() == nextTicket;
    }

    /** How often the log was cut at its end since it was opened. For any thread. */
    int cuts() {
        return cuts.get();
    }

    /**
     * Takes a batch of those that wait, numbers them and lays them out for the lane to write. When the active segment is
     * full, changes it first. An append for which there is no space becomes a batch of its own that is not written. One whose
     * record changed or whose caller left is passed over.
     *
     * @param batch a free batch of the lane
     * @return the batch; null if none can be taken at present
     */
    @Nullable
    Batch take(Batch batch) throws IOException {
        if (!mayTake(batch.segments)) {
            return null;
        }
        batch.takenNanos = System.nanoTime();
        batch.firstNumber = queue.firstWaiting();
        batch.firstIndex = nextIndex;
        batch.count = 0;
        batch.records = 0;
        SuffixTruncation truncation = queue.next() instanceof SuffixTruncation cut ? cut : null;
        boolean segmentFull = truncation == null && fill(batch);
        if (truncation != null) {
            cut(batch, truncation);
        }
        while (batch.count == 0) {
            if (!segmentFull || !batch.segments.mayChange()) {
                return null; // the next is about to be published; or the lane that is under way will look again
            }
            batch.segments.require(spaceOf(queue.list(batch.firstNumber), queue.length(batch.firstNumber)));
            try {
                changeSegment(batch);
                segmentFull = fill(batch);
            } catch (LogRefusedException.NoSpace | LogRefusedException.Shortage refused) {
                batch.leaveOut(refused);
                batch.payloadBytes = queue.length(batch.firstNumber);
            }
        }
        nextIndex += batch.records;
        batch.done = false;
        batch.inUse = true;
        batch.ticket = nextTicket;
        queue.takenUpTo(batch.firstNumber + batch.count);
        nextTicket = batch.ticket + 1;
        return batch;
    }

    private void cut(Batch batch, SuffixTruncation truncation) throws IOException {
        batch.payloadBytes = 0;
        disk.enter();
        try {
            truncation.carryOut(batch.segments, batch.writer, nextIndex, () -> {
                nextIndex = truncation.nextIndex();
                commit.rewindTo(nextIndex - 1);
                cuts.incrementAndGet();
            });
            batch.firstIndex = nextIndex;
            batch.include(0);
        } catch (LogRefusedException.NoSpace | LogRefusedException.Shortage refused) {
            batch.leaveOut(refused);
        } finally {
            disk.leave();
        }
    }

    private void changeSegment(Batch batch) throws IOException {
        disk.enter();
        try {
            batch.segments.changeSegment(batch.writer, nextIndex, commit.durableIndex());
        } finally {
            disk.leave();
        }
    }

    /**
     * Lays out the waiting appends, up to the limits of a batch and of the segment. If there are fewer than usual, it waits for
     * a moment for the next appends of callers that have just been acknowledged: if it did not, they would have to wait for
     * the force after this one.
     *
     * @return whether the batch ended because the next record did not fit into the segment
     */
    private boolean fill(Batch batch) {
        SegmentChain segments = batch.segments;
        int most = gathering.begin(mostRecords.getAsInt());
        long mostBytes = Math.min(mostPayloadBytes, shareOf(queue.bytes()) / groupsInFlight);
        long room = segments.room();
        long number = batch.firstNumber;
        long payloadBytes = 0;
        boolean segmentFull = false;
        segments.begin(batch.writer, batch.firstIndex, commit.durableIndex());
        while (batch.count < most) {
            if (queue.isPublished(number)) {
                if (queue.completion(number) instanceof SuffixTruncation) {
                    break;
                }
                int length = queue.length(number);
                RecordList list = queue.list(number);
                int records = list == null ? 1 : list.parts.length;
                long space = spaceOf(list, length);
                segmentFull = room < space; // first, whatever becomes of it: a seal may follow, and then nothing else
                if (segmentFull
                        || (batch.count > 0 && payloadBytes + length > mostBytes)
                        || batch.records + records > SegmentOptions.MOST_RECORDS) {
                    break;
                }
                payloadBytes += length;
                if (layOut(batch, number, list)) {
                    batch.include(records);
                    room -= space;
                }
                number++;
            } else if (isOver() || !gathering.isWorthWaiting(batch.count)) {
                break;
            }
        }
        batch.payloadBytes = payloadBytes;
        gathering.end(batch.count);
        if (batch.records > 0) {
            batch.encodedBytes =
                    segments.finish(batch.writer, batch.records, queue.waiting() > batch.count, segmentFull);
        }
        return segmentFull;
    }

    /** How many bytes of a segment an append takes. */
    private static long spaceOf(@Nullable RecordList list, int length) {
        return list == null ? RecordHeader.encodedBytes(length) : list.space;
    }

    /** Copies a record or a list behind the others of the batch, or leaves it out; returns whether it is there. */
    private boolean layOut(Batch batch, long number, @Nullable RecordList list) {
        BlockingAppend blocking = queue.completion(number) instanceof BlockingAppend append ? append : null;
        if (blocking != null && !blocking.take()) {
            batch.leaveOut(BlockingAppend.withdrawn());
            return false;
        }
        LogException refusal = list == null ? null : list.refusalAt(batch.firstIndex + batch.records);
        try {
            if (list == null) {
                refusal = batch.writer.add(queue.payload(number, payload));
            } else if (refusal == null) {
                refusal = batch.writer.add(list);
            }
        } finally {
            if (blocking != null) {
                blocking.copied();
            }
        }
        if (refusal != null) {
            batch.leaveOut(refusal);
        }
        return refusal == null;
    }

    /** Whether the lanes have nothing more to do. For any thread. */
    boolean isOver() {
        return commit.failure() != null || queue.isDrained();
    }

    /**
     * The most bytes that one of several directories may have in batches not yet forced: an even share, because the slowest
     * directory decides when all are acknowledged. A single directory has no bound.
     */
    private long shareOf(long all) {
        return stripes == 1 ? Long.MAX_VALUE : (all + stripes - 1) / stripes;
    }

    /** Takes all that is left; returns the number after the last. After a failure. */
    long takeAll() {
        long end = queue.lastClaimed();
        queue.takenUpTo(end);
        return end;
    }
}
