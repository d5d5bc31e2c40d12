package io.plog.measure.plan;

import io.plog.log.storage.Force;

/**
 * A cell of the measurement: groups of equal appends, forced one way.
 *
 * @param bytes size of an append
 * @param appends how many of them are written together and share a force
 * @param neighbour who else uses the disk meanwhile
 */
public record DiskCell(Force force, FileKind kind, int bytes, int appends, Neighbour neighbour) {
    /** What writes in whole blocks are multiples of. */
    public static final int BLOCK_BYTES = 4096;

    /** A cell on a disk that the log alone uses. */
    public DiskCell(Force force, FileKind kind, int bytes, int appends) {
        this(force, kind, bytes, appends, Neighbour.NONE);
    }

    /** The size of all appends that share a force. */
    public int groupBytes() {
        return bytes * appends;
    }

    /** How many bytes a group hands to the operating system at most: whole blocks where the way of forcing needs them. */
    public int mostWrittenBytes() {
        boolean wholeBlocks = force.writesWholeBlocks();
        return wholeBlocks ? (int) wholeBlocks(groupBytes()) + BLOCK_BYTES : groupBytes();
    }

    /** This many bytes, rounded up to whole blocks. */
    public static long wholeBlocks(long bytes) {
        return (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    }
}
