package io.plog.measure.samples;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A heap buffer that grows as it is written; big-endian. Not thread-safe. */
final class GrowingBuffer {
    private ByteBuffer bytes = ByteBuffer.allocate(16 * 1024);

    void clear() {
        bytes.clear();
    }

    int position() {
        return bytes.position();
    }

    void putInt(int value) {
        room(Integer.BYTES).putInt(value);
    }

    void putShort(int value) {
        room(Short.BYTES).putShort((short) value);
    }

    void put(int value) {
        room(1).put((byte) value);
    }

    void put(byte[] value) {
        room(value.length).put(value);
    }

    /** A u8 length and that many bytes of ASCII. */
    void putName(String name) {
        byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
        put(ascii.length);
        put(ascii);
    }

    void setInt(int at, int value) {
        bytes.putInt(at, value);
    }

    /** The buffer itself, with room for at least this many bytes; what is put there counts as written. */
    ByteBuffer room(int atLeast) {
        if (bytes.remaining() < atLeast) {
            int larger = Math.max(bytes.capacity() * 2, bytes.position() + atLeast);
            bytes = ByteBuffer.allocate(larger).put(bytes.flip());
        }
        return bytes;
    }

    /** What was written, from the beginning; valid until the next call. */
    ByteBuffer written() {
        return bytes.duplicate().flip();
    }
}
