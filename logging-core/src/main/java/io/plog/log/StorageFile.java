package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file of a {@link Storage}. Used by one thread at a time. */
public interface StorageFile extends Closeable {
    /**
     * Reads up to {@code target.remaining()} bytes; advances {@code target} by what was read.
     *
     * @return how many bytes were read, -1 at the end of the file
     */
    int read(ByteBuffer target, long position) throws IOException;

    /**
     * Writes the buffers one after the other, in one system call where possible. May write less than all, as the
     * operating system may: the caller looks at the buffers and goes on.
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
