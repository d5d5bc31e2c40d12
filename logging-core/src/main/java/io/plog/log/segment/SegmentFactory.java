package io.plog.log.segment;

import io.plog.log.file.LogFiles;
import io.plog.log.file.PermanentFailure;
import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.StripeId;
import io.plog.log.file.WriteFully;
import io.plog.log.file.WriterClaim;
import io.plog.log.storage.Storage;
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
public final class SegmentFactory {
    /**
     * The file of a segment that was dropped and is kept to be used again.
     *
     * @param name a temporary name: under it the file is no part of the log
     * @param bytes its length
     */
    record Dropped(String name, long bytes) {}

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

    /** Of all logs: nobody writes to it. Aligned, for writes around the page cache. */
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(HURRIED_PART_BYTES + SegmentHeader.BLOCK_BYTES)
            .alignedSlice(SegmentHeader.BLOCK_BYTES)
            .asReadOnlyBuffer();

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Storage storage;
    private final UUID logId;
    private final StripeId stripe;
    private final SegmentSizes sizes;
    private final SegmentClaims claims;
    private final String temporarySuffix;

    /**
     * @param sizes how large the next one is
     * @param claim the writer whose the segments are from the beginning
     */
    public SegmentFactory(Storage storage, UUID logId, StripeId stripe, SegmentSizes sizes, WriterClaim claim) {
        this.storage = storage;
        this.claims = new SegmentClaims(storage, claim);
        this.temporarySuffix = LogFiles.temporarySuffix(claim.writer());
        this.logId = logId;
        this.stripe = stripe;
        this.sizes = sizes;
    }

    SegmentSizes sizes() {
        return sizes;
    }

    /** Creates a segment as fast as it goes; see {@link #create(long, Rewind, Throttle)}. */
    public SegmentHeader create(long segment) throws IOException {
        return create(segment, null, Throttle.NONE);
    }

    /**
     * Creates a segment, durably: when this returns, the file, its zeros and its name are stable.
     *
     * @param rewind where the log goes on from in it, if that is not the end of the segment before
     * @throws IOException if not; {@code DiskErrors.kindOf} says whether to try again makes sense
     */
    public synchronized SegmentHeader create(long segment, @Nullable Rewind rewind, Throttle throttle)
            throws IOException {
        SegmentHeader header = new SegmentHeader(logId, stripe, segment, randomEpoch(), sizes.next(), rewind);
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
            PermanentFailure.forceDirectory(storage);
        } catch (IOException e) {
            deleteRemains(temporary, e);
            throw e;
        }
        return header;
    }

    /** Whether a dropped segment could be {@link #useAgain used again} here. */
    boolean fits(SegmentHeader dropped) {
        return sizes.isFit(dropped.segmentBytes());
    }

    /** Deletes one that was set aside. */
    void delete(Dropped dropped) throws IOException {
        storage.delete(dropped.name());
    }

    /**
     * Gives a dropped segment a name under which it is no part of the log any more. That need not be stable: the head, which is,
     * says the same.
     *
     * @param dropped the head that says that it was dropped is stable
     */
    Dropped setAside(SegmentHeader dropped) throws IOException {
        String name = SegmentHeader.fileName(dropped.segment());
        storage.rename(name, name + temporarySuffix);
        return new Dropped(name + temporarySuffix, dropped.segmentBytes());
    }

    /**
     * Makes a segment of one that was dropped, durably: when this returns, its header and its name are stable.
     *
     * @param dropped is gone afterwards, also if this fails
     * @param rewind where the log goes on from in it, if that is not the end of the segment before
     * @param throttle is asked before the segment gets its name
     * @throws IOException if not; {@code DiskErrors.kindOf} says whether to try to create one makes sense
     */
    SegmentHeader useAgain(Dropped dropped, long segment, @Nullable Rewind rewind, Throttle throttle)
            throws IOException {
        if (storage.linksOf(dropped.name()) > 1) { // somebody keeps a copy: it is not for this log to overwrite
            storage.delete(dropped.name());
            return create(segment, rewind, throttle);
        }
        SegmentHeader header = new SegmentHeader(logId, stripe, segment, randomEpoch(), dropped.bytes(), rewind);
        try {
            try (Storage.FileHandle file = storage.open(dropped.name(), Storage.Access.WRITE_UNCACHED)) {
                WriteFully.fully(file, headerBlock(header), 0);
                file.force(false); // neither its length nor its extents change
            }
            throttle.beforeNaming();
            storage.rename(dropped.name(), SegmentHeader.fileName(segment));
            PermanentFailure.forceDirectory(storage);
        } catch (IOException e) {
            deleteRemains(dropped.name(), e);
            throw e;
        }
        return header;
    }

    private ByteBuffer headerBlock(SegmentHeader header) {
        ByteBuffer block =
                ByteBuffer.allocateDirect(2 * SegmentHeader.BLOCK_BYTES).alignedSlice(SegmentHeader.BLOCK_BYTES);
        header.encode(block);
        claims.encode(block, 0, header.epoch());
        return block.flip();
    }

    private void fill(Storage.FileHandle file, SegmentHeader header, Throttle throttle) throws IOException {
        long segmentBytes = header.segmentBytes();
        ByteBuffer zeros = ZEROS.duplicate();
        WriteFully.fully(file, headerBlock(header), 0);
        boolean hurry = false;
        for (long at = 0; at < segmentBytes; ) {
            long begin = System.nanoTime();
            int bytes = (int) Math.min(hurry ? HURRIED_PART_BYTES : PART_BYTES, segmentBytes - at);
            int behindHeader = at == 0 ? SegmentHeader.BLOCK_BYTES : 0;
            WriteFully.fully(file, zeros.clear().limit(bytes - behindHeader), at + behindHeader);
            at += bytes;
            if (at < segmentBytes) {
                hurry = throttle.afterPart((double) bytes / segmentBytes, System.nanoTime() - begin);
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

    /** Nothing in the file is right for it, but by a chance of 2^-64 for each place; see {@code RecordHeader}. */
    private static long randomEpoch() {
        long epoch;
        do {
            epoch = RANDOM.nextLong();
        } while (epoch == 0);
        return epoch;
    }
}
