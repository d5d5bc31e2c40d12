package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Writing all of something: the operating system may write less than it was given, and only says so by a number. */
final class Writes {
    /** A write that makes no progress this often in a row is a failure and not a short write. */
    private static final int MOST_EMPTY_WRITES = 16;

    private Writes() {}

    /** Writes the whole of one buffer. */
    static void fully(StorageFile file, ByteBuffer source, long position) throws IOException {
        fully(file, new ByteBuffer[] {source}, 1, position);
    }

    /** Writes the whole of the first {@code count} buffers, one after the other. */
    static void fully(StorageFile file, ByteBuffer[] sources, int count, long position) throws IOException {
        int first = 0;
        int empty = 0;
        long at = position;
        while (true) {
            while (first < count && !sources[first].hasRemaining()) {
                first++;
            }
            if (first == count) {
                return;
            }
            long written = file.write(sources, first, count - first, at);
            at += written;
            empty = written == 0 ? empty + 1 : 0;
            if (empty == MOST_EMPTY_WRITES) {
                throw new IOException("the operating system wrote nothing, " + MOST_EMPTY_WRITES + " times in a row");
            }
        }
    }
}
