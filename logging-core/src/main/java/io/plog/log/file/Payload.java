package io.plog.log.file;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Buffers that a caller hands over, while they are still the caller's: positions and lengths are taken once, on the caller's
 * thread, so that what is done to the buffers afterwards changes neither. One buffer may be there twice.
 *
 * <p>Of a record in one buffer that buffer is handed on as it is, together with its position, which allocates nothing.
 */
public class Payload { // a RecordList is one, too
    /** One for each calling thread, so that an append allocates none. */
    private static final ThreadLocal<CRC32C> CRC = ThreadLocal.withInitial(CRC32C::new);

    public final ByteBuffer[] parts;
    public final int[] positions;
    public final int[] lengths;
    public final long bytes;

    /** @param parts an array that no one else has */
    public Payload(ByteBuffer[] parts) {
        this.parts = parts;
        positions = new int[parts.length];
        lengths = new int[parts.length];
        long sum = 0;
        for (int i = 0; i < parts.length; i++) {
            positions[i] = parts[i].position();
            lengths[i] = Math.max(0, parts[i].limit() - positions[i]); // another thread may just have moved them
            sum += lengths[i];
        }
        bytes = sum;
    }

    /**
     * Computes the check, so that the caller knows when its buffers must not change any more: their positions are at their limits.
     *
     * @return the CRC-32C of the record
     */
    public int consume() {
        CRC32C crc = CRC.get();
        crc.reset();
        for (int i = 0; i < parts.length; i++) {
            crc.update(parts[i].position(positions[i])); // the same buffer may have come before
        }
        return (int) crc.getValue();
    }

    /** Sets the positions back: the record was refused. */
    public void restore() {
        for (int i = 0; i < parts.length; i++) {
            parts[i].position(positions[i]);
        }
    }

    /** The CRC-32C of what remains of one buffer, whose position is at its limit then. */
    public static int crcOf(ByteBuffer one) {
        CRC32C crc = CRC.get();
        crc.reset();
        crc.update(one);
        return (int) crc.getValue();
    }
}
