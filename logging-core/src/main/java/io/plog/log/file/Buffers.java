package io.plog.log.file;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Buffers that a caller hands over, while they are still the caller's: positions and lengths are taken once, on the caller's
 * thread, so that what is done to the buffers afterwards changes neither. One buffer may be there twice.
 */
public class Buffers { // a RecordList is one, too
    public final ByteBuffer[] parts;
    public final int[] positions;
    public final int[] lengths;
    public final long bytes;

    /** @param parts an array that no one else has */
    public Buffers(ByteBuffer[] parts) {
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
        CRC32C crc = Payload.newCheck();
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
}
