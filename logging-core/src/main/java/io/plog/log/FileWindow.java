package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A buffer that slides along a file, for reading forward with few system calls and bounded memory. It grows only when
 * one thing asked for is larger than it, so ask only for lengths that were checked. Not thread-safe; reusable for one
 * file after another.
 */
final class FileWindow {
    private static final int INITIAL_BYTES = 256 * 1024;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
    private ByteBuffer readOnly = buffer;
    private final CRC32C crc = new CRC32C();
    private long start;
    private int filled;

    /** Forgets what it holds; the next request reads anew. */
    void reset() {
        filled = 0;
    }

    /**
     * Makes {@code bytes} bytes from {@code position} on available.
     *
     * @return how many there really are, fewer only at the end of the file
     */
    int require(Storage.FileHandle file, long position, int bytes) throws IOException {
        if (position >= start && position + bytes <= start + filled) {
            return bytes;
        }
        if (buffer.capacity() == 0) {
            // No larger than the file: many logs are small, and zeroing a buffer costs more than reading them.
            buffer = ByteBuffer.allocateDirect((int) Math.min(INITIAL_BYTES, Math.max(file.size(), bytes)));
            readOnly = buffer.asReadOnlyBuffer();
        }
        slideTo(position, bytes);
        buffer.limit(buffer.capacity());
        buffer.position(filled);
        while (filled < bytes) {
            int count = file.read(buffer, start + filled);
            if (count < 0) {
                break;
            }
            filled += count;
        }
        return Math.min(filled, bytes);
    }

    private void slideTo(long position, int bytes) {
        boolean overlaps = position >= start && position < start + filled;
        int kept = overlaps ? (int) (start + filled - position) : 0;
        boolean grows = bytes > buffer.capacity();
        ByteBuffer target = !grows ? buffer : ByteBuffer.allocateDirect(largerThan(bytes));
        if (kept > 0) {
            buffer.limit(filled).position(filled - kept);
            ByteBuffer rest = buffer.slice();
            target.clear();
            target.put(rest);
        }
        if (grows) {
            buffer = target;
            readOnly = target.asReadOnlyBuffer();
        }
        start = position;
        filled = kept;
    }

    private static int largerThan(int bytes) {
        return (int) RecordHeader.align(bytes, INITIAL_BYTES);
    }

    /** How many bytes from a position on are zero, of those that it holds. */
    int zerosFrom(long position) {
        return Zeros.count(buffer, at(position), filled);
    }

    /** The CRC-32C of a stretch that it holds. Allocates nothing. */
    int crcOf(long position, int bytes) {
        int from = at(position);
        buffer.limit(from + bytes).position(from);
        crc.reset();
        crc.update(buffer);
        buffer.clear();
        return (int) crc.getValue();
    }

    /** The buffer; index into it with {@link #at}. Valid until the next {@link #require}. */
    ByteBuffer buffer() {
        return buffer;
    }

    /** A read-only view of a stretch of the file. Valid until the next {@link #require}. */
    ByteBuffer slice(long position, int bytes) {
        return readOnly.slice(at(position), bytes);
    }

    /** Where a position of the file lies in the buffer. */
    int at(long position) {
        return (int) (position - start);
    }
}
