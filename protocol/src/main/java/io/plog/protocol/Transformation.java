package io.plog.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Arrays;

/**
 * What the service {@code invert} does with a payload: each byte is inverted, {@code b XOR 0xFF}.
 *
 * <p>Both methods work through a pair of small arrays of the calling thread: bulk copies and loops over arrays are what
 * the JIT compiler turns into vector instructions, and loops over direct buffers are not. Safe for any thread.
 */
public final class Transformation {
    private static final int CHUNK = 8 * 1024;
    private static final FastThreadLocal<byte[][]> SCRATCH = new FastThreadLocal<>() {
        @Override
        protected byte[][] initialValue() {
            return new byte[2][CHUNK];
        }
    };

    private Transformation() {}

    /**
     * Writes the inverse of {@code length} bytes from {@code source} into {@code destination}. Moves no index.
     *
     * @throws IndexOutOfBoundsException if either buffer is too short
     */
    public static void invert(ByteBuf source, int from, ByteBuf destination, int to, int length) {
        byte[] chunk = SCRATCH.get()[0];
        for (int done = 0; done < length; done += CHUNK) {
            int bytes = Math.min(CHUNK, length - done);
            source.getBytes(from + done, chunk, 0, bytes);
            invert(chunk, bytes);
            destination.setBytes(to + done, chunk, 0, bytes);
        }
    }

    /**
     * Where {@code transformed} first differs from the inverse of {@code original}. Moves no index, and allocates nothing. No other
     * thread may use the buffers meanwhile.
     *
     * @return the offset from {@code from} and {@code at}, or -1 if all {@code length} bytes are right
     * @throws IndexOutOfBoundsException if either buffer is too short
     */
    public static int firstMismatch(ByteBuf original, int from, ByteBuf transformed, int at, int length) {
        byte[] expected = SCRATCH.get()[0];
        byte[] found = SCRATCH.get()[1];
        for (int done = 0; done < length; done += CHUNK) {
            int bytes = Math.min(CHUNK, length - done);
            copy(original, from + done, expected, bytes);
            copy(transformed, at + done, found, bytes);
            invert(expected, bytes);
            int mismatch = Arrays.mismatch(expected, 0, bytes, found, 0, bytes);
            if (mismatch >= 0) {
                return done + mismatch;
            }
        }
        return -1;
    }

    /** Without {@code Unsafe}, which Netty does not use on Java 25, a direct buffer makes an object for each {@code getBytes}. */
    private static void copy(ByteBuf source, int from, byte[] target, int bytes) {
        if (source.nioBufferCount() == 1) {
            source.internalNioBuffer(from, bytes).get(target, 0, bytes);
        } else {
            source.getBytes(from, target, 0, bytes);
        }
    }

    private static void invert(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ~bytes[i];
        }
    }
}
