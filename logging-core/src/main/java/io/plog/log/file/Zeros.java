package io.plog.log.file;

import java.nio.ByteBuffer;

/** Bytes that are zero, many at a time: all that is initialised and not yet used is zero. Thread-safe. */
public final class Zeros {
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final ByteBuffer CHUNK =
            ByteBuffer.allocateDirect(CHUNK_BYTES).asReadOnlyBuffer();

    private Zeros() {}

    /** Writes {@code count} zeros to a buffer and moves its position. */
    public static void put(ByteBuffer target, int count) {
        int end = target.position() + count;
        while (target.position() < end) {
            int bytes = Math.min(end - target.position(), CHUNK_BYTES);
            target.put(target.position(), CHUNK, 0, bytes);
            target.position(target.position() + bytes);
        }
    }

    /** How many bytes of a buffer are zero from {@code from} on, at most those before {@code to}. */
    public static int count(ByteBuffer buffer, int from, int to) {
        int at = from;
        while (at < to) {
            int bytes = Math.min(to - at, CHUNK_BYTES);
            int other = buffer.slice(at, bytes).mismatch(CHUNK.slice(0, bytes));
            if (other >= 0) {
                return at + other - from;
            }
            at += bytes;
        }
        return to - from;
    }
}
