package io.plog.log.segment;

import io.plog.log.file.SegmentHeader;
import io.plog.log.file.WriteFully;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A segment as one lane has it open: to be written to, and to look whether it is still this log's. For one thread at a time.
 */
final class SegmentFile implements Closeable {
    private final Storage.FileHandle file;
    private final SegmentClaims.Check claim;

    private SegmentFile(Storage.FileHandle file, SegmentClaims.Check claim) {
        this.file = file;
        this.claim = claim;
    }

    static SegmentFile open(Storage storage, SegmentClaims claims, SegmentHeader segment, Force force)
            throws IOException {
        Storage.FileHandle file = storage.open(SegmentHeader.fileName(segment.segment()), force.access());
        try {
            return new SegmentFile(file, claims.open(segment));
        } catch (IOException e) {
            try (file) {
                throw e;
            }
        }
    }

    /**
     * Writes all of it. A writer that slept while another took the log over, perhaps for hours, must not write over what that
     * one wrote: so it looks first.
     */
    void write(ByteBuffer[] pieces, int count, long position) throws IOException {
        claim.run();
        WriteFully.fully(file, pieces, count, position);
    }

    /** Makes what was written stable, where the write itself did not. */
    void force(Force way) throws IOException {
        way.force(file);
    }

    /** Makes what was written stable with {@code fdatasync}, whatever the way of forcing. */
    void forceData() throws IOException {
        file.force(false);
    }

    /**
     * Looks whether the segment is still this log's; before anything that was written is acknowledged or relied on.
     *
     * @throws LogLockedException if another writer has claimed it
     */
    void checkClaim() throws IOException {
        claim.run();
    }

    @Override
    public void close() throws IOException {
        try {
            claim.close();
        } finally {
            file.close();
        }
    }
}
