package io.plog.log;

import java.io.IOException;
import java.util.NavigableMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The segments of an open log, one after the other: writes to the active one, goes on to the next, drops the oldest. All
 * methods belong to the log's thread but those that say otherwise.
 */
final class SegmentChain {
    /** Where a segment begins, for readers. */
    record Link(SegmentHeader header, long firstIndex) {}

    private final Storage storage;
    private final Force force;
    private final LogListener listener;
    private final SegmentPreparer preparer;
    private final SegmentWriter writer;

    // By segment number. Written by the log's thread and by truncateBefore, read by readers on any thread.
    private final ConcurrentSkipListMap<Long, Link> links = new ConcurrentSkipListMap<>();

    SegmentChain(Storage storage, Force force, LogListener listener, SegmentPreparer preparer, SegmentWriter writer) {
        this.storage = storage;
        this.force = force;
        this.listener = listener;
        this.preparer = preparer;
        this.writer = writer;
    }

    void addLink(SegmentHeader header, long firstIndex) {
        links.put(header.segment(), new Link(header, firstIndex));
    }

    /** The segments, by number. For any thread. */
    NavigableMap<Long, Link> links() {
        return links;
    }

    long room() {
        return writer.room();
    }

    long encode(Batch batch, long firstIndex, long durable) {
        return writer.encode(batch, firstIndex, watermark(durable));
    }

    void write(long bytes) throws IOException {
        writer.write(bytes);
    }

    void force() throws IOException {
        writer.force();
    }

    /**
     * Seals the active segment and goes on in the next. The seal is stable before the next segment is written to, so that
     * recovery can rely on it: a segment that is followed by records is complete.
     *
     * @throws LogFullException if there is no next segment; nothing was changed
     */
    void changeSegment(long nextIndex, long durable) throws IOException {
        long begin = System.nanoTime();
        SegmentHeader next = preparer.take();
        StorageFile nextFile = storage.open(SegmentHeader.fileName(next.segment()), SegmentWriter.accessFor(force));
        writer.control(RecordHeader.SEAL, nextIndex, watermark(durable));
        writer.force();
        addLink(next, nextIndex);
        preparer.retire(writer.changeTo(nextFile, next), force == Force.WRITE);
        listener.segmentChanged(next.segment(), System.nanoTime() - begin);
    }

    /** With {@code force=write} nothing is known to be durable before the log is closed. */
    private long watermark(long durable) {
        return force.isStable() ? durable : 0;
    }

    /** Writes down how far the log is durable. Without room for it, the next segment's first record will say it. */
    void mark(long nextIndex, long durable) throws IOException {
        if (writer.hasRoomForMark()) {
            writer.control(RecordHeader.MARK, nextIndex, durable);
            writer.force();
        }
    }

    /** Forces what is not forced yet, and then writes that the log was closed in order. */
    void closeInOrder(long nextIndex, long durable) throws IOException {
        preparer.awaitRetired();
        writer.forceAlways();
        if (writer.hasRoomForMark()) {
            writer.control(RecordHeader.CLOSE, nextIndex, durable);
            writer.forceAlways();
        }
        writer.close();
    }

    /** Lets go of the active segment's file after a failure, without another word to the disk. */
    void abandon() {
        try {
            writer.close();
        } catch (IOException ignored) {
            // The log has failed already and that is what everybody was told; closing changes nothing about it.
        }
    }

    /**
     * Drops the segments whose records all lie before an index. The new beginning is stable before the first file goes.
     * For any thread, one at a time.
     *
     * @param checkpoint the index of the checkpoint that stands for what is dropped, 0 for none
     * @return the index of the first record that is still there
     */
    long dropBefore(long index, UUID logId, long checkpoint) throws IOException {
        Link first = links.firstEntry().getValue();
        for (Link link : links.values()) {
            if (link.firstIndex() <= index) {
                first = link;
            }
        }
        if (first.header().segment() == links.firstKey()) {
            return first.firstIndex();
        }
        new HeadFile(logId, first.header().segment(), first.firstIndex(), checkpoint).write(storage);
        while (links.firstKey() < first.header().segment()) {
            storage.delete(SegmentHeader.fileName(links.firstKey()));
            links.remove(links.firstKey());
        }
        storage.forceDirectory();
        return first.firstIndex();
    }
}
