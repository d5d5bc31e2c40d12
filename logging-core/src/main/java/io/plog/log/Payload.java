package io.plog.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What a caller hands over, while it is still the caller's: lengths and positions are taken once, on the caller's thread, so
 * that what is done to the buffers afterwards changes neither.
 *
 * <p>One buffer is handed on as it is, together with its position, which allocates nothing. Of several a {@code slice} each
 * is handed on, so the caller's array and its buffers' positions are not looked at again, and one buffer may be there twice.
 */
final class Payload {
    /** One for each calling thread, so that an append allocates none. */
    private static final ThreadLocal<CRC32C> CRC = ThreadLocal.withInitial(CRC32C::new);

    private Payload() {}

    /** The remaining bytes of each buffer, with positions and limits that the caller cannot change. */
    static ByteBuffer[] slices(ByteBuffer[] parts) {
        ByteBuffer[] slices = new ByteBuffer[parts.length];
        for (int i = 0; i < parts.length; i++) {
            slices[i] = parts[i].slice();
        }
        return slices;
    }

    static long lengthOf(ByteBuffer[] slices) {
        long bytes = 0;
        for (ByteBuffer slice : slices) {
            bytes += slice.capacity();
        }
        return bytes;
    }

    /** Computed by the caller's thread, so that the caller knows when its buffers must not change any more. */
    static int crcOf(ByteBuffer[] slices) {
        CRC32C crc = CRC.get();
        crc.reset();
        for (ByteBuffer slice : slices) {
            crc.update(slice);
        }
        return (int) crc.getValue();
    }

    /** Of what remains of one buffer, whose position is at its limit then. */
    static int crcOf(ByteBuffer one) {
        CRC32C crc = CRC.get();
        crc.reset();
        crc.update(one);
        return (int) crc.getValue();
    }

    /** Sets the positions where they are to be when the log has taken the record. */
    static void consume(ByteBuffer[] parts) {
        for (ByteBuffer part : parts) {
            part.position(part.limit());
        }
    }

    /** Sets them back: the record was refused. */
    static void restore(ByteBuffer[] parts, ByteBuffer[] slices) {
        for (int i = 0; i < parts.length; i++) {
            parts[i].position(parts[i].limit() - slices[i].capacity());
        }
    }
}
