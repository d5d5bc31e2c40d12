package io.plog.log.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The one seam through which a log touches its directory: this machine's disks on one side, a simulated
 * one that can be crashed on the other.
 *
 * <p>Names are plain file names within the directory. A change to the directory ({@link #create}, {@link #rename},
 * {@link #delete}) is stable only after {@link #forceDirectory}; the bytes of a file only after {@link FileHandle#force},
 * or when the write returned where the file was opened with {@link Access#WRITE_DSYNC} or {@link Access#WRITE_DIRECT}.
 *
 * <p>Methods may be called from several threads; each {@link FileHandle} is used by one thread at a time. Any of these threads
 * may be a caller's, and may be interrupted at any time: that must harm neither what is under way nor the file, and the thread
 * stays interrupted.
 *
 * <p>Every method throws {@link IOException} when the operating system reports an error, and then the effect is unknown. Its
 * message is a sentence about what failed, where: operation, file, offset, length, and the operating system's reason.
 */
public interface Storage extends Closeable {
    /** Where whole blocks are written, address, position and length are multiples of this. */
    int BLOCK_BYTES = 4096;

    /** How a file is opened. */
    enum Access {
        /** Reading only. */
        READ,
        /** Reading and writing through the page cache. */
        WRITE,
        /** Like {@link #WRITE}, with {@code O_DSYNC}: a write returns when it is stable. */
        WRITE_DSYNC,
        /** {@code O_DIRECT} and {@code O_DSYNC}; address, position and length are multiples of 4096 bytes. */
        WRITE_DIRECT,
        /**
         * Like {@link #WRITE}, but around the page cache where the file system allows it ({@code O_DIRECT}); address, position
         * and length are multiples of 4096 bytes. What is written is stable only when it was forced.
         */
        WRITE_UNCACHED;

        /** Whether address, position and length of each write are multiples of 4096 bytes. */
        public boolean writesWholeBlocks() {
            return this == WRITE_UNCACHED || this == WRITE_DIRECT;
        }
    }

    /** What opens the storage in a directory: a disk of this machine, or a simulated one. For any thread. */
    @FunctionalInterface
    interface Opener {
        /**
         * Opens it.
         *
         * @throws IOException if there is no such directory, or it cannot be opened; in one sentence
         */
        Storage open(Path directory) throws IOException;

        /** What is to be said of the device, by name, in place of what the operating system says; nothing for a real one. */
        default Map<String, String> facts() {
            return Map.of();
        }

        /** Whether the device is none that the operating system knows. */
        default boolean isSimulated() {
            return !facts().isEmpty();
        }
    }

    /** The names of all files in the directory, in no particular order. */
    List<String> list() throws IOException;

    /** Creates a file that must not exist yet, open for reading and writing. */
    FileHandle create(String name) throws IOException;

    /**
     * Opens a file that exists.
     *
     * @throws java.nio.file.NoSuchFileException if it does not
     */
    FileHandle open(String name, Access access) throws IOException;

    /** Renames a file, replacing one of the new name in a single step. */
    void rename(String from, String to) throws IOException;

    /** Deletes a file. If it is gone already, perhaps because its writer lost the log and cleaned up, that is no failure. */
    void delete(String name) throws IOException;

    /**
     * Makes creations, renames and deletions in the directory stable.
     *
     * @throws LogRefusedException.Shortage if that was not tried, for lack of file descriptors; any other exception says that it failed
     */
    void forceDirectory() throws IOException;

    /** Makes the directory's own entry in its parent stable. Done once, when a log is created. */
    void forceParentDirectory() throws IOException;

    /**
     * Takes the writer's lock, held until the returned object is closed.
     *
     * @throws LogLockedException if another writer holds it
     */
    Closeable lock(String name) throws IOException;

    /**
     * What distinguishes a file from every other that may stand in its place later, as long as it is there: of two calls with equal
     * results, no other file was put there in between. For an empty name, the same of the directory itself.
     *
     * @return anything that has an {@code equals}; the name itself where nothing is replaced behind the log's back, as here
     * @throws java.nio.file.NoSuchFileException if it is not there
     */
    default Object identityOf(String name) throws IOException {
        return name;
    }

    /**
     * Gives a file a second name.
     *
     * @throws IOException if that is not possible here
     */
    default void link(String name, String second) throws IOException {
        throw new IOException("a second name of " + name + " is not possible on " + describe());
    }

    /** How many names a file has: more than one if somebody linked it, and so has it, too. 1 where that cannot be determined. */
    default int linksOf(String name) throws IOException {
        return 1;
    }

    /**
     * The length of a file in bytes.
     *
     * @throws java.nio.file.NoSuchFileException if it is not there
     */
    default long sizeOf(String name) throws IOException {
        try (FileHandle file = open(name, Access.READ)) {
            return file.size();
        }
    }

    /**
     * Whether a process of this machine may have a file of this directory open. A directory that was copied carries the claim of
     * the original's writer, and so does one whose writer let go of it after a failure.
     *
     * @param pid the number of a process that is there, in this process's own namespace
     * @return true, too, where that cannot be determined, as here
     */
    default boolean mayBeOpenIn(long pid) throws IOException {
        return true;
    }

    /** Where this is, for messages to people. */
    String describe();

    /** An open file of a this storage. Used by one thread at a time. */
    interface FileHandle extends Closeable {
        /**
         * Reads up to {@code target.remaining()} bytes; advances {@code target} by what was read.
         *
         * @return how many bytes were read, -1 at the end of the file
         */
        int read(ByteBuffer target, long position) throws IOException;

        /**
         * Writes the buffers one after the other, in one system call where possible. May write less than all, as the
         * operating system may: the caller looks at the buffers and continues.
         *
         * @return how many bytes were written, at least 0
         */
        long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException;

        /**
         * Makes what was written stable.
         *
         * @param metadata also the metadata that reading does not need, such as times ({@code fsync}, not {@code fdatasync})
         */
        void force(boolean metadata) throws IOException;

        /** The file's length in bytes. */
        long size() throws IOException;
    }
}
