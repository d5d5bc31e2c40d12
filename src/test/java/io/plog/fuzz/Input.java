package io.plog.fuzz;

import java.util.Arrays;

/** The bytes of one case, taken from the front; when they are used up, everything is 0. */
final class Input {
    private final byte[] bytes;
    private int next;

    Input(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isEmpty() {
        return next >= bytes.length;
    }

    int remaining() {
        return bytes.length - next;
    }

    int u8() {
        return isEmpty() ? 0 : bytes[next++] & 0xFF;
    }

    int u16() {
        return u8() << 8 | u8();
    }

    long u64() {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | u8();
        }
        return value;
    }

    /** A number from 0 to {@code bound - 1}. */
    int below(int bound) {
        return bound <= 1 ? 0 : (bound <= 256 ? u8() : u16()) % bound;
    }

    /** Up to this many bytes, fewer if there are no more. */
    byte[] take(int count) {
        int taken = Math.min(count, remaining());
        next += taken;
        return Arrays.copyOfRange(bytes, next - taken, next);
    }

    byte[] rest() {
        return take(remaining());
    }
}
