package io.plog.simdisk;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * How one disk stores bytes: in sectors, arrays that are never changed once they are stored. So a copy of a disk, a crash
 * and an earlier content of a sector cost references and no bytes. Guarded by the disk.
 */
final class Sectors {
    private static final byte[] ZERO_512 = new byte[512];
    private static final byte[] ZERO_4096 = new byte[4096];

    private final byte[] zero;
    private final byte[] scratch;

    /** @param bytes what the device writes in one piece: 512 or 4096 */
    Sectors(int bytes) {
        if (bytes != 512 && bytes != 4096) {
            throw new IllegalArgumentException("sectorBytes is " + bytes + ": expected 512 or 4096");
        }
        zero = bytes == 512 ? ZERO_512 : ZERO_4096;
        scratch = new byte[bytes];
    }

    int bytes() {
        return zero.length;
    }

    /** The sector of zeros; every sector of zeros is this one. */
    byte[] zero() {
        return zero;
    }

    /** How many sectors a file of this length has. */
    int count(long fileBytes) {
        return (int) ((fileBytes + zero.length - 1) / zero.length);
    }

    /** A sector like this one, but with the source's next {@code count} bytes from {@code offset} on. */
    byte[] with(byte[] before, int offset, ByteBuffer source, int count) {
        if (count < zero.length) {
            System.arraycopy(before, 0, scratch, 0, zero.length);
        }
        source.get(scratch, offset, count);
        return stored();
    }

    /** A sector like this one, but zeros from {@code offset} on. */
    byte[] cutAt(byte[] before, int offset) {
        System.arraycopy(before, 0, scratch, 0, offset);
        Arrays.fill(scratch, offset, scratch.length, (byte) 0);
        return stored();
    }

    private byte[] stored() {
        return Arrays.equals(scratch, zero) ? zero : scratch.clone();
    }
}
