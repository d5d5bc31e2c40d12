package io.plog.log.file;

import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Writes a large file next to a log. While the log moves on, each small piece is forced and followed by a rest, so that the
 * device never has much of this file to do when the log forces. While the log is idle, pieces are large and nothing waits.
 * The caller forces the file in the end. Not thread-safe.
 */
final class PacedWriter {
    /** The most bytes to write at once. */
    static final int MOST_BYTES = 1024 * 1024;

    private static final int BUSY_BYTES = 128 * 1024;

    /** After a piece, the device is left to the log for as long as the piece took, but no longer than this. */
    private static final long MOST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Storage.FileHandle file;
    private final LongSupplier durableIndex;
    private int pieceBytes = BUSY_BYTES;
    private long lastDurable;
    private long unforced;
    private long pieceBegan = System.nanoTime();

    /** @param durableIndex how far the log is durable; the log is at work as long as this moves */
    PacedWriter(Storage.FileHandle file, LongSupplier durableIndex) {
        this.file = file;
        this.durableIndex = durableIndex;
        lastDurable = durableIndex.getAsLong();
    }

    /** How many bytes to give to {@link #write} next, at most. */
    int pieceBytes() {
        return pieceBytes;
    }

    /** Writes the buffer's remaining bytes; forces and rests if the log moved on since the last piece. */
    void write(ByteBuffer bytes, long position) throws IOException {
        unforced += bytes.remaining();
        WriteFully.fully(file, bytes, position);
        if (unforced < BUSY_BYTES) {
            return;
        }
        long durable = durableIndex.getAsLong();
        boolean isBusy = durable != lastDurable;
        lastDurable = durable;
        if (isBusy) {
            file.force(true);
            LockSupport.parkNanos(this, Math.min(System.nanoTime() - pieceBegan, MOST_REST_NANOS));
        }
        pieceBytes = isBusy ? BUSY_BYTES : MOST_BYTES;
        unforced = 0;
        pieceBegan = System.nanoTime();
    }
}
