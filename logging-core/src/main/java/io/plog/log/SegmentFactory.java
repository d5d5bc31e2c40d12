package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * Initialises a segment's file ahead of its use: every byte is written and forced before the file gets its name, so that a
 * later force of a record is a force of data only, never of a length, an extent or a directory entry.
 *
 * <p>Zeros are really written. A file that was only made long, or only reserved, still makes the file system change its
 * metadata at the first write to each block, and a force then waits for that too.
 */
final class SegmentFactory {
    private static final int CHUNK_BYTES = 1024 * 1024;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Storage storage;
    private final UUID logId;
    private final StripeId stripe;
    private final long segmentBytes;
    private final ByteBuffer chunk;

    SegmentFactory(Storage storage, UUID logId, StripeId stripe, long segmentBytes) {
        this.storage = storage;
        this.logId = logId;
        this.stripe = stripe;
        this.segmentBytes = segmentBytes;
        this.chunk = ByteBuffer.allocateDirect((int) Math.min(CHUNK_BYTES, segmentBytes));
    }

    /** Creates a segment, durably: when this returns, the file, its zeros and its name are stable. */
    SegmentHeader create(long segment) throws IOException {
        SegmentHeader header = new SegmentHeader(logId, stripe, segment, randomEpoch(), segmentBytes);
        String name = SegmentHeader.fileName(segment);
        String temporary = name + LogAnalysis.TEMPORARY_SUFFIX;
        try {
            if (storage.list().contains(temporary)) {
                storage.delete(temporary); // of a try before this one, that could not even be cleaned up
            }
            try (StorageFile file = storage.create(temporary)) {
                fill(file, header);
                file.force(true);
            }
            storage.rename(temporary, name);
            storage.forceDirectory();
        } catch (IOException e) {
            deleteRemains(temporary, e);
            throw e;
        }
        return header;
    }

    private void fill(StorageFile file, SegmentHeader header) throws IOException {
        chunk.clear();
        header.encode(chunk);
        ControlRecords.putZeros(chunk, chunk.remaining());
        Writes.fully(file, chunk.flip(), 0);
        chunk.clear();
        ControlRecords.putZeros(chunk, chunk.remaining());
        for (long at = chunk.capacity(); at < segmentBytes; at += chunk.limit()) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), segmentBytes - at));
            Writes.fully(file, chunk, at);
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

    private static long randomEpoch() {
        long epoch;
        do {
            epoch = RANDOM.nextLong();
        } while (epoch == 0);
        return epoch;
    }
}
