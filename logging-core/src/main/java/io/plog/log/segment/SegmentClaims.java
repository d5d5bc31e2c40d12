package io.plog.log.segment;

import io.plog.log.file.SegmentHeader;
import io.plog.log.file.WriteFully;
import io.plog.log.file.WriterClaim;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One opened log's claim on the segments of one directory. The kernel's lock on {@code log.lock} is lost without a word when
 * that file is deleted, or read by the process that holds it; the claim stands in the very file that is written to, where its
 * owner looks before each batch is acknowledged. {@code docs/log-format.md} says why that is enough. For any thread.
 */
public final class SegmentClaims {
    private final Storage storage;
    private final WriterClaim mine;

    public SegmentClaims(Storage storage, WriterClaim mine) {
        this.storage = storage;
        this.mine = mine;
    }

    /** Puts the claim into the header block of a segment that is being made. */
    void encode(ByteBuffer header, int blockAt, long epoch) {
        mine.encode(header, blockAt + WriterClaim.OFFSET, epoch);
    }

    /** Claims a segment, stably. What the writer before may have left is there until the recovery is done. */
    void take(SegmentHeader segment) throws IOException {
        WriterClaim before = read(storage, segment);
        WriterClaim claim = before == null || !before.forces() ? mine.onlyWritten() : mine;
        try (Storage.FileHandle file = write(segment, claim)) {
            file.force(false);
        }
    }

    /**
     * Says that the log was closed. Not forced: if it is lost, it reads as the claim of a process that is gone.
     *
     * @param end where the closing mark ends; 0 if there is none
     */
    void release(SegmentHeader segment, long end) throws IOException {
        check(segment);
        write(segment, mine.closed(end)).close();
    }

    private Storage.FileHandle write(SegmentHeader segment, WriterClaim claim) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(WriterClaim.BYTES);
        claim.encode(bytes, 0, segment.epoch());
        Storage.FileHandle file = storage.open(SegmentHeader.fileName(segment.segment()), Storage.Access.WRITE);
        try {
            WriteFully.fully(file, bytes, WriterClaim.OFFSET);
            return file;
        } catch (IOException e) {
            try (file) {
                throw e;
            }
        }
    }

    /** Whether the segment carries this log's claim. */
    boolean has(SegmentHeader segment) throws IOException {
        WriterClaim found = read(storage, segment);
        return found != null && found.writer().equals(mine.writer());
    }

    /**
     * Looks whether a segment is still this log's.
     *
     * @throws LogLockedException if another writer has claimed it
     */
    void check(SegmentHeader segment) throws IOException {
        try (Check check = new Check(segment)) {
            check.run();
        }
    }

    /** The claim on a segment, of any writer; null if there is none. */
    static @Nullable WriterClaim read(Storage storage, SegmentHeader segment) throws IOException {
        try (Storage.FileHandle file = storage.open(SegmentHeader.fileName(segment.segment()), Storage.Access.READ)) {
            return read(file, segment);
        }
    }

    private static @Nullable WriterClaim read(Storage.FileHandle file, SegmentHeader segment) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(WriterClaim.BYTES);
        while (bytes.hasRemaining() && file.read(bytes, WriterClaim.OFFSET + bytes.position()) > 0) {}
        return WriterClaim.decode(bytes.flip(), segment.epoch());
    }

    /** Opens a segment to look again and again whether it is still this log's. */
    Check open(SegmentHeader segment) throws IOException {
        return new Check(segment);
    }

    /** Looks at one segment's claim, through the page cache. For one thread at a time. */
    final class Check implements Closeable {
        private final SegmentHeader segment;
        private final Storage.FileHandle file;
        private final ByteBuffer writer = ByteBuffer.allocateDirect(WriterClaim.WRITER_BYTES);

        private Check(SegmentHeader segment) throws IOException {
            this.segment = segment;
            this.file = storage.open(SegmentHeader.fileName(segment.segment()), Storage.Access.READ);
        }

        /**
         * Looks. Of the claim only the writer id counts here, so that damage to anything else in it is harmless.
         *
         * @throws LogLockedException if another writer has claimed the segment
         */
        void run() throws IOException {
            writer.clear();
            int read = file.read(writer, WriterClaim.WRITER_OFFSET);
            UUID id = mine.writer();
            if (read != WriterClaim.WRITER_BYTES
                    || writer.getLong(0) != id.getMostSignificantBits()
                    || writer.getLong(Long.BYTES) != id.getLeastSignificantBits()) {
                throw new LogLockedException("the log in " + storage.describe() + " is written by "
                        + describe(read(file, segment)) + ", too: its claim stands in "
                        + SegmentHeader.fileName(segment.segment())
                        + ". Nothing is acknowledged here any more; stop one of the two");
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    private static String describe(@Nullable WriterClaim claim) {
        return claim == null ? "an unknown writer" : claim.owner().describe();
    }
}
