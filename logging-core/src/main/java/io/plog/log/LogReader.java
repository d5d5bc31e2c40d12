package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** PLACEHOLDER bodies; signatures are final. */
public final class LogReader implements AutoCloseable {
    private LogReader() {}

    /** Reads a directory without a writer, read-only. */
    public static LogReader open(Path directory, long fromIndex) throws IOException {
        return new LogReader();
    }

    /** Goes to the next record; false at the (present) end; may be asked again on a live log. */
    public boolean next() throws IOException {
        return false;
    }

    public long index() {
        return 0;
    }

    /** Valid until the next call of next(). */
    public ByteBuffer payload() {
        return ByteBuffer.allocate(0);
    }

    @Override
    public void close() throws IOException {}
}
