package io.plog.log.segment;

import io.plog.log.file.ControlRecords;
import io.plog.log.file.FileWindow;
import io.plog.log.file.ReadAround;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one directory of an open log, in order: places the next batch, changes to the next segment, drops the
 * oldest. Only the leading lane may call a method, unless its comment says otherwise.
 */
public final class SegmentChain {
    /** How many batches later a batch that ran concurrently with another one still counts. */
    private static final int CONCURRENCY_MEMORY = 16;

    private static final int BLOCK_BYTES = SegmentHeader.BLOCK_BYTES;

    private final Storage storage;
    private final SegmentClaims claims;
    private final FileIdentityCheck identity;
    private final boolean isStable;
    private final boolean sealsWithBatch;
    private final int alignment;
    private final SegmentListener listener;
    private final SegmentPreparer preparer;
    private final List<SegmentWriter> writers = new ArrayList<>();
    private final ByteBuffer lastBlock = ByteBuffer.allocate(BLOCK_BYTES);

    private SegmentHeader segment;
    private long position;
    private int concurrent; // for so many batches more it is taken for granted that several are under way
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicLong bytesUnderWay = new AtomicLong();
    private volatile boolean blockShared; // the next batch begins in a block that the last one writes
    private volatile boolean full;
    private @Nullable OpenSegment following; // what comes next, once the active segment's last batch has its seal
    private volatile OpenSegment active;
    private volatile long closedAt; // where the closing mark ends, once it is stable; else 0

    private volatile SegmentLinks links; // changed by the leading lane and by truncateBefore, read on any thread

    public SegmentChain(
            Storage storage,
            SegmentClaims claims,
            SegmentOptions options,
            SegmentListener listener,
            SegmentPreparer preparer,
            RecoveryResult.Stripe recovered)
            throws IOException {
        this.storage = storage;
        this.claims = claims;
        this.identity = new FileIdentityCheck(storage);
        this.isStable = options.force().isStable();
        this.sealsWithBatch = isStable && !recovered.active().stripe().isStriped();
        this.alignment = options.alignment();
        this.listener = listener;
        this.preparer = preparer;
        this.segment = recovered.active();
        this.position = recovered.position();
        this.blockShared = position % BLOCK_BYTES != 0;
        this.links = new SegmentLinks(recovered.links());
        preparer.sizes().hold(links.bytes());
        if (blockShared) {
            readLastBlock();
        }
        OpenSegment opened = OpenSegment.open(storage, claims, options, segment);
        active = opened;
        try {
            for (SegmentFile file : opened.files()) {
                writers.add(new SegmentWriter(file, options));
            }
        } catch (Throwable noMemory) {
            opened.closeUnused();
            throw noMemory;
        }
    }

    private void readLastBlock() throws IOException {
        try (Storage.FileHandle file = storage.open(SegmentHeader.fileName(segment.segment()), Storage.Access.READ)) {
            int used = (int) (position % BLOCK_BYTES);
            lastBlock.clear().limit(used);
            while (lastBlock.hasRemaining()) {
                if (file.read(lastBlock, position - used + lastBlock.position()) < 0) {
                    throw new IOException(SegmentHeader.fileName(segment.segment()) + " ends before " + position);
                }
            }
        }
    }

    /** One for each lane. */
    public List<SegmentWriter> writers() {
        return writers;
    }

    /** The segments that hold the log. For any thread. */
    public SegmentLinks links() {
        return links;
    }

    /** Whether a batch may be laid out now, in addition to those not yet forced. For any thread. */
    public boolean canStart() {
        return underWay.get() == 0 || (!blockShared && !full);
    }

    /** Bytes left for records, padding at the end of a batch taken off. */
    public long room() {
        return SegmentSizes.roomOfEmpty(segment.segmentBytes()) + BLOCK_BYTES - position;
    }

    /**
     * Begins to lay a batch out behind the last one; its records are {@link SegmentWriter#add added} next.
     *
     * @param durable every record up to this index is durable
     */
    public void begin(SegmentWriter writer, long firstIndex, long durable) {
        writer.begin(segment.epoch(), position, lastBlock);
        writer.number(firstIndex, watermark(durable), links.last().places());
    }

    /**
     * Ends a batch. It is padded to the end of a block if other batches are not forced yet, because two batches that are
     * written at once must not share a block.
     *
     * <p>The last batch of a segment takes the seal with it, which saves a force at the change, if the next segment is ready: a
     * seal says that it exists. Nothing but the change comes next, because the record that does not fit is the next one. (Of
     * a striped log another directory might take that.)
     *
     * @param count how many records it has
     * @param moreWait whether others wait to be written as soon as possible
     * @param last whether one of these does not fit into the segment any more
     * @return the bytes that the batch takes in the file
     */
    public long finish(SegmentWriter writer, int count, boolean moreWait, boolean last) {
        boolean others = moreWait || underWay.get() > 0;
        concurrent = others ? CONCURRENCY_MEMORY : Math.max(0, concurrent - 1);
        boolean filled = others || (concurrent > 0 && count > 1);
        long begin = position;
        moveTo(writer.finish(filled || alignment == BLOCK_BYTES), writer);
        preparer.used((double) position / segment.segmentBytes());
        following = last && sealsWithBatch ? preparer.takeIfReady() : null;
        if (following != null) {
            full = true;
            moveTo(writer.addSeal(alignment), writer);
        }
        underWay.incrementAndGet();
        bytesUnderWay.addAndGet(position - begin);
        return position - begin;
    }

    private void moveTo(long end, SegmentWriter writer) {
        position = end;
        blockShared = end != writer.endOfWrite();
        if (blockShared) {
            writer.copyLastBlock(end, lastBlock);
        }
    }

    /** A batch of this directory was written and forced. For the lane that did it. */
    public void written(long bytes) {
        bytesUnderWay.addAndGet(-bytes);
        underWay.decrementAndGet();
    }

    /** The bytes of the batches that are being written and forced. For any thread. */
    public long bytesUnderWay() {
        return bytesUnderWay.get();
    }

    /**
     * Whether the log may change to the next segment, which needs all batches in the active one to be forced. If not, no batch
     * is laid out in it any more, and a lane that comes back asks again.
     */
    public boolean mayChange() {
        full = true;
        return underWay.get() == 0;
    }

    /**
     * Seals the active segment, unless its last batch did, and changes to the next. The seal is stable before the next segment
     * is written to, so that recovery can rely on it: a segment that is followed by records is complete.
     *
     * @throws LogRefusedException.NoSpace if there is no next segment; nothing was changed
     * @throws LogLockedException if another writer has the log now
     * @throws LogException if the directory, or a file in it, was replaced since it was opened
     */
    public void changeSegment(SegmentWriter writer, long nextIndex, long durable) throws IOException {
        long begin = System.nanoTime();
        OpenSegment ready = following;
        following = null;
        OpenSegment opened = ready != null ? ready : preparer.take();
        SegmentHeader next = opened.header();
        try {
            if (ready == null) {
                control(writer, RecordHeader.SEAL, nextIndex, watermark(durable));
                writer.force();
            }
            writer.checkClaim();
            identity.check(opened);
            identity.checkLength(segment);
        } catch (IOException e) {
            opened.closeUnused();
            throw e;
        }
        enter(opened);
        links.add(new SegmentLinks.Link(next, nextIndex));
        preparer.sizes().hold(links.bytes());
        listener.segmentChanged(next.segment(), System.nanoTime() - begin);
    }

    private void enter(OpenSegment opened) {
        for (int i = 0; i < writers.size(); i++) {
            preparer.retire(writers.get(i).changeTo(opened.files().get(i)), !isStable);
        }
        active = opened;
        segment = opened.header();
        position = BLOCK_BYTES;
        blockShared = false;
        full = false;
    }

    /** Says that a record of so many bytes, its header included, is to have room in the next segment. */
    public void require(long recordBytes) {
        preparer.sizes().require(recordBytes);
    }

    /** Whether no batch is being written or forced. For any thread. */
    public boolean isAtRest() {
        return underWay.get() == 0;
    }

    /**
     * Cuts the log at its end, or empties it: it goes on in a segment of which the header says so. When this returns, that is stable.
     * Call when every batch is acknowledged.
     *
     * @param nextIndex the index of the next record, as it was before
     * @param index the index that it is to have
     * @param toNothing how the log begins if everything goes, also what lies before this index; else null
     * @param taken is called when it is stable: the log's last index is another one
     * @return the segments that are none of the log's any more; see {@link #discard}
     * @throws LogRefusedException.NoSpace if there is no next segment; nothing was changed
     * @throws LogLockedException if another writer has the log now
     */
    public List<SegmentHeader> rewind(
            SegmentWriter writer, long nextIndex, long index, @Nullable Rewind toNothing, Runnable taken)
            throws IOException {
        if (following != null) {
            changeSegment(writer, nextIndex, nextIndex - 1); // the seal says that it comes next
        }
        if (!isStable) {
            makeStable();
        }
        long begin = System.nanoTime();
        SegmentLinks before = links;
        Rewind rewind = toNothing != null ? toNothing : endBefore(index, before.holding(index - 1));
        List<SegmentHeader> gone = new ArrayList<>();
        OpenSegment opened = preparer.takeRewinding(rewind, gone);
        enter(opened);
        SegmentLinks after = before.rewound(opened.header(), rewind);
        if (index > nextIndex) { // whichever comes first, no reader looks for what is in neither of the logs
            links = after;
            taken.run();
        } else {
            taken.run();
            links = after;
        }
        preparer.sizes().hold(after.bytes());
        gone.forEach(passed -> listener.segmentChanged(passed.segment(), 0));
        listener.segmentChanged(opened.header().segment(), System.nanoTime() - begin);
        for (SegmentLinks.Link link : before.byNumber().values()) {
            if (!after.byNumber().containsKey(link.header().segment())) {
                gone.add(link.header());
            }
        }
        return gone;
    }

    private Rewind endBefore(long index, SegmentLinks.Link link) throws IOException {
        SegmentHeader header = link.header();
        String name = SegmentHeader.fileName(header.segment());
        try (Storage.FileHandle file = ReadAround.open(storage, name)) {
            SegmentScanner scanner = new SegmentScanner(file, header, new FileWindow(), link.firstIndex(), link.end());
            while (scanner.expectedIndex() < index) {
                if (!scanner.next()) {
                    throw new LogDamagedException(
                            name,
                            scanner.nextOffset(),
                            "record " + scanner.expectedIndex() + ", which is durable",
                            scanner.stopReason(),
                            LogDamagedException.CLOSE_AND_RESTORE);
                }
            }
            return new Rewind(index, header.segment(), header.epoch(), scanner.nextOffset());
        }
    }

    /** Lets go of segments that a stable cut has taken out of the log. For one thread at a time. */
    public void discard(List<SegmentHeader> gone) throws IOException {
        preparer.drop(gone, false);
    }

    private void control(SegmentWriter writer, int type, long nextIndex, long durable) throws IOException {
        writer.begin(segment.epoch(), position, lastBlock);
        moveTo(writer.addControl(type, nextIndex, durable, alignment), writer);
        writer.write();
    }

    /** With {@code force=write} nothing is known to be durable before the log is closed. */
    private long watermark(long durable) {
        return isStable ? durable : 0;
    }

    /** Writes down how far the log is durable. Without room for it, the next segment's first record will say it. */
    public void mark(SegmentWriter writer, long nextIndex, long durable) throws IOException {
        if (hasRoomForMark()) {
            control(writer, RecordHeader.MARK, nextIndex, durable);
            writer.force();
            writer.checkClaim();
        }
    }

    /** Whether there is room for a mark that still leaves room for a seal. */
    private boolean hasRoomForMark() {
        return position + 2L * ControlRecords.MOST_BYTES <= segment.segmentBytes();
    }

    /** Forces what was only written. For the last lane, at the end. */
    public void makeStable() throws IOException {
        preparer.awaitRetired();
        writers.get(0).forceAlways();
        writers.get(0).checkClaim();
    }

    /** Writes that the log was closed in order, and lets go of the files. For the last lane, at the end. */
    public void closeInOrder(long nextIndex, long durable) throws IOException {
        SegmentWriter writer = writers.get(0);
        if (hasRoomForMark()) {
            control(writer, RecordHeader.CLOSE, nextIndex, durable);
            writer.forceAlways();
            writer.checkClaim();
            closedAt = position;
        }
        for (SegmentWriter each : writers) {
            each.close();
        }
    }

    /** Lets go of the files after a failure, without another word to the disk. For the last lane, at the end. */
    public void abandon() {
        if (following != null) {
            following.closeUnused();
        }
        for (SegmentWriter writer : writers) {
            try {
                writer.close();
            } catch (IOException ignored) {
                // The log has failed already and that is what every caller was given; closing changes nothing about it.
            }
        }
    }

    /**
     * Looks whether the directory is still this log's: in its place, and claimed by no other writer. For any thread.
     *
     * @throws LogLockedException if another writer has claimed the active segment
     * @throws LogException if the directory, or a file in it, was replaced since it was opened
     */
    public void checkStillOurs() throws IOException {
        while (true) {
            OpenSegment looked = active;
            try {
                identity.check(looked);
                claims.check(looked.header());
                return;
            } catch (IOException e) {
                if (looked.equals(active)) {
                    throw e;
                }
                // The segment was changed meanwhile, and the one before may have been dropped: look at the new one.
            }
        }
    }

    /**
     * Looks whether each segment still has its full length. For any thread.
     *
     * @throws IOException if one was cut or is not there
     */
    public void checkLengths() throws IOException {
        for (SegmentLinks.Link link : links.byNumber().values()) {
            try {
                identity.checkLength(link.header());
            } catch (IOException e) {
                if (links.byNumber().containsKey(link.header().segment())) {
                    throw e;
                }
                // It was dropped meanwhile.
            }
        }
    }

    /** Says that the log was closed. For the thread that closes it, at the end. */
    public void release() throws IOException {
        claims.release(active.header(), closedAt);
    }

    /** What is left of the {@link QuietTime} behind the last change of segment; 0 or less if it is over. For any thread. */
    long quietNanos() {
        return preparer.quietNanos();
    }

    /**
     * Drops the segments before one, the oldest first; the head that says so is stable. For any thread, one at a time.
     */
    void dropBefore(SegmentLinks.Link first) throws IOException {
        SegmentLinks left = links;
        List<SegmentHeader> dropped = new ArrayList<>();
        while (left.byNumber().firstKey() < first.header().segment()) {
            dropped.add(left.removeFirst().header());
        }
        preparer.sizes().hold(links.bytes());
        preparer.drop(dropped, true);
    }
}
