package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Initialises a segment's file ahead of its use: every byte is written and forced before the file gets its name, so that a
 * later force of a record is a force of data only, never of a length, an extent or a directory entry.
 *
 * <p>Zeros are really written. A file that was only made long, or only reserved, still makes the file system change its
 * metadata at the first write to each block, and a force then waits for that too.
 *
 * <p>A segment whose records were dropped is used again: only its header is replaced, so each byte of a log that drops its
 * beginning is written once. What its new records do not overwrite stays there. It can not be taken for records of this
 * segment: those carry its epoch.
 *
 * <p>For any thread; one segment is created at a time.
 */
final class SegmentFactory {
    /** Small enough that a force that comes behind one on the device waits for a fraction of its own time. */
    private static final int PART_BYTES = 256 * 1024;

    /** When the log would wait for the segment, not for the device: a larger write costs less for each byte. */
    private static final int HURRIED_PART_BYTES = 1024 * 1024;

    /** Decides when the next part of a segment is written. */
    interface Throttle {
        /** As fast as it goes. */
        Throttle NONE = (part, nanos) -> true;

        /**
         * Called after each part but the last; may wait.
         *
         * @param part how much of the segment the last part was, 0 to 1
         * @param nanos how long writing that took
         * @return whether there is a hurry
         */
        boolean afterPart(double part, long nanos);

        /** Called before the segment gets its name, under which it would replace any other; what this throws ends it. */
        default void beforeNaming() throws IOException {}
    }

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Storage storage;
    private final UUID logId;
    private final StripeId stripe;
    private final long segmentBytes;
    private final SegmentClaims claims;
    private final String temporarySuffix;
    private final ByteBuffer chunk;

    /** @param claim the writer whose the segments are from the beginning */
    SegmentFactory(Storage storage, UUID logId, StripeId stripe, long segmentBytes, WriterClaim claim) {
        this.storage = storage;
        this.claims = new SegmentClaims(storage, claim);
        this.temporarySuffix = LogFiles.temporarySuffix(claim);
        this.logId = logId;
        this.stripe = stripe;
        this.segmentBytes = segmentBytes;
        int bytes = (int) Math.min(HURRIED_PART_BYTES, segmentBytes);
        this.chunk = ByteBuffer.allocateDirect(bytes + SegmentHeader.BLOCK_BYTES)
                .alignedSlice(SegmentHeader.BLOCK_BYTES)
                .slice(0, bytes);
    }

    /** The size of the files that it makes. */
    long segmentBytes() {
        return segmentBytes;
    }

    /** Creates a segment as fast as it goes; see {@link #create(long, Rewind, Throttle)}. */
    SegmentHeader create(long segment) throws IOException {
        return create(segment, null, Throttle.NONE);
    }

    /**
     * Creates a segment, durably: when this returns, the file, its zeros and its name are stable.
     *
     * @param rewind where the log goes on from in it, if that is not the end of the segment before
     * @throws IOException if not; {@link DiskErrors#kindOf} says whether to try again makes sense
     */
    synchronized SegmentHeader create(long segment, @Nullable Rewind rewind, Throttle throttle) throws IOException {
        SegmentHeader header = new SegmentHeader(logId, stripe, segment, randomEpoch(), segmentBytes, rewind);
        String name = SegmentHeader.fileName(segment);
        String temporary = name + temporarySuffix;
        try {
            if (storage.list().contains(temporary)) {
                storage.delete(temporary); // of a try before this one, that could not even be cleaned up
            }
            storage.create(temporary).close();
            // Around the page cache: the zeros are not read again, and written back in one go they would stand in
            // the way of every force meanwhile.
            try (Storage.FileHandle file = storage.open(temporary, Storage.Access.WRITE_UNCACHED)) {
                fill(file, header, throttle);
                file.force(true);
            }
            throttle.beforeNaming();
            storage.rename(temporary, name);
            DirectoryForce.once(storage);
        } catch (IOException e) {
            deleteRemains(temporary, e);
            throw e;
        }
        return header;
    }

    /** Whether a dropped segment could be {@link #useAgain used again} here. */
    boolean fits(SegmentHeader dropped) {
        return dropped.segmentBytes() == segmentBytes;
    }

    /** Deletes one that was set aside. */
    void delete(DroppedSegment dropped) throws IOException {
        storage.delete(dropped.name());
    }

    /**
     * Gives a dropped segment a name under which it is no part of the log any more. That need not be stable: the head, which is,
     * says the same.
     *
     * @param dropped the head that says that it was dropped is stable
     */
    DroppedSegment setAside(SegmentHeader dropped) throws IOException {
        String name = SegmentHeader.fileName(dropped.segment());
        storage.rename(name, name + temporarySuffix);
        return new DroppedSegment(name + temporarySuffix);
    }

    /**
     * Makes a segment of one that was dropped, durably: when this returns, its header and its name are stable.
     *
     * @param dropped is gone afterwards, also if this fails
     * @param rewind where the log goes on from in it, if that is not the end of the segment before
     * @param throttle is asked before the segment gets its name
     * @throws IOException if not; {@link DiskErrors#kindOf} says whether to try to create one makes sense
     */
    SegmentHeader useAgain(DroppedSegment dropped, long segment, @Nullable Rewind rewind, Throttle throttle)
            throws IOException {
        if (storage.linksOf(dropped.name()) > 1) { // somebody keeps a copy: it is not for this log to overwrite
            storage.delete(dropped.name());
            return create(segment, rewind, throttle);
        }
        SegmentHeader header = new SegmentHeader(logId, stripe, segment, randomEpoch(), segmentBytes, rewind);
        try {
            try (Storage.FileHandle file = storage.open(dropped.name(), Storage.Access.WRITE_UNCACHED)) {
                ByteBuffer block = ByteBuffer.allocateDirect(2 * SegmentHeader.BLOCK_BYTES)
                        .alignedSlice(SegmentHeader.BLOCK_BYTES);
                encodeHeader(block, header);
                WriteFully.fully(file, block.flip(), 0);
                file.force(false); // neither its length nor its extents change
            }
            throttle.beforeNaming();
            storage.rename(dropped.name(), SegmentHeader.fileName(segment));
            DirectoryForce.once(storage);
        } catch (IOException e) {
            deleteRemains(dropped.name(), e);
            throw e;
        }
        return header;
    }

    private void encodeHeader(ByteBuffer block, SegmentHeader header) {
        header.encode(block.clear());
        claims.encode(block, 0, header.epoch());
    }

    private void fill(Storage.FileHandle file, SegmentHeader header, Throttle throttle) throws IOException {
        encodeHeader(chunk, header);
        int headerBytes = chunk.position();
        Zeros.put(chunk, chunk.remaining());
        chunk.flip().limit((int) Math.min(PART_BYTES, segmentBytes));
        for (long at = 0; at < segmentBytes; ) {
            long begin = System.nanoTime();
            int bytes = chunk.remaining();
            WriteFully.fully(file, chunk, at);
            if (at == 0) {
                chunk.clear();
                Zeros.put(chunk, headerBytes);
            }
            at += bytes;
            if (at < segmentBytes) {
                boolean hurry = throttle.afterPart((double) bytes / segmentBytes, System.nanoTime() - begin);
                long most = Math.min(hurry ? HURRIED_PART_BYTES : PART_BYTES, segmentBytes - at);
                chunk.clear().limit((int) most);
            }
        }
    }

    /** Gives the space back, or a disk that ran full would stay full. The next start deletes what cannot be deleted now. */
    private void deleteRemains(String temporary, IOException cause) {
        try {
            if (storage.list().contains(temporary)) {
                storage.delete(temporary);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Nothing in the file is right for it, but by a chance of 2^-64 for each place; see {@link RecordHeader}. */
    private static long randomEpoch() {
        long epoch;
        do {
            epoch = RANDOM.nextLong();
        } while (epoch == 0);
        return epoch;
    }
}
