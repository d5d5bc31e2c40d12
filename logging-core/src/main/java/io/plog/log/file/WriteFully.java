package io.plog.log.file;

import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writing all of something: the operating system may write less than it was given, and only says so by a number. */
public final class WriteFully {
    /** Nothing written this often in a row is a failure and not a short write. */
    private static final int MOST_EMPTY_WRITES = 16;

    /** Less than a sector written this often in a row is no matter of sectors. */
    private static final int MOST_TINY_WRITES = 4;

    private static final int SECTOR_BYTES = 512;
    private static final int BLOCK_BYTES = Storage.BLOCK_BYTES;

    private WriteFully() {}

    /** Writes the whole of one buffer. */
    public static void fully(Storage.FileHandle file, ByteBuffer source, long position) throws IOException {
        fully(file, new ByteBuffer[] {source}, 1, position);
    }

    /**
     * Writes the whole of the first {@code count} buffers, one after the other.
     *
     * <p>Whole blocks from one buffer may be on their way around the page cache, and there the kernel may refuse to continue in
     * the middle of one. So if a write ended there, what follows begins with that block again: the same bytes in the same
     * place, of which nothing was acknowledged. After a write that did not do one whole block it begins with the sector of 512
     * bytes in which that ended, since a device with larger ones does none by half. A write that did not do a sector is made
     * again, a few times; then what follows begins where it ended, which the page cache takes, and a device refuses by an error.
     */
    public static void fully(Storage.FileHandle file, ByteBuffer[] sources, int count, long position)
            throws IOException {
        boolean inSectors = count == 1 && isWhole(position) && isWhole(sources[0].remaining());
        int first = 0;
        int empty = 0;
        int tiny = 0;
        long at = position;
        while (true) {
            while (first < count && !sources[first].hasRemaining()) {
                first++;
            }
            if (first == count) {
                return;
            }
            long written = file.write(sources, first, count - first, at);
            long next = at + written;
            if (inSectors && sources[0].hasRemaining()) {
                next = whereToGoOn(at, next);
                tiny = next == at && written > 0 ? tiny + 1 : 0;
                inSectors = tiny < MOST_TINY_WRITES;
                next = inSectors ? next : at + written;
                sources[0].position(sources[0].position() - (int) (at + written - next));
            }
            empty = written == 0 ? empty + 1 : 0;
            if (empty == MOST_EMPTY_WRITES) {
                throw new IOException("write at offset " + at + ": the operating system wrote nothing, "
                        + MOST_EMPTY_WRITES + " times in a row");
            }
            at = next;
        }
    }

    /** The last place, from the start of a write to its end, at which the next may begin. */
    private static long whereToGoOn(long start, long end) {
        long block = end - end % BLOCK_BYTES;
        return block > start ? block : end - end % SECTOR_BYTES;
    }

    private static boolean isWhole(long bytes) {
        return bytes % BLOCK_BYTES == 0;
    }
}
