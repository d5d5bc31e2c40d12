package io.plog.simdisk;

import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Where a {@link SimulatedDisk} keeps what is stable: in memory, or in the files of a directory. An error of that directory comes as an
 * {@link java.io.UncheckedIOException}. Guarded by the disk.
 */
interface Place {
    /** An empty file that has no stable name. */
    StableFile create(Sectors sectors);

    /** Makes a change of a name stable. */
    void apply(SimulatedDirectory.Change change, Map<String, SimulatedFile> stableBefore);

    /** What the device holds of one file; behind its end there are zeros. */
    interface StableFile {
        /** Reads exactly so many bytes. */
        void read(ByteBuffer target, long position, int count);

        /** One sector, not to be changed. */
        byte[] sector(int number);

        /** The device takes a sector of a file of so many bytes; {@link #end} has to follow. */
        void put(int number, byte[] content, long fileBytes);

        /** All sectors were put. */
        void end();

        /** The file ends there. */
        void cut(long bytes);
    }
}
