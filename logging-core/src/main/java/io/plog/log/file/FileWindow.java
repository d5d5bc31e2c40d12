package io.plog.log.file;

import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A buffer that slides along a file, for reading forward with few system calls and bounded memory. It grows only when
 * one thing asked for is larger than it, so ask only for lengths that were checked. Not thread-safe; reusable for one
 * file after another.
 */
public final class FileWindow {
    /** The most that it reads beyond what is asked for. */
    public static final int MOST_AHEAD_BYTES = 256 * 1024;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
    private ByteBuffer readOnly = buffer;
    private final CRC32C crc = new CRC32C();
    private long start;
    private int filled;
    private int ahead = MOST_AHEAD_BYTES;

    /** Forgets what it holds; the next request reads anew. */
    public void reset() {
        filled = 0;
    }

    /** Forgets what it holds. The next request reads at least so many bytes, and each later one twice as many. */
    public void reset(int readAhead) {
        filled = 0;
        ahead = Math.min(readAhead, MOST_AHEAD_BYTES);
    }

    /** The memory that its buffer takes. */
    public int capacity() {
        return buffer.capacity();
    }

    /**
     * Makes {@code bytes} bytes from {@code position} on available.
     *
     * @return how many there really are, fewer only at the end of the file
     */
    public int require(Storage.FileHandle file, long position, int bytes) throws IOException {
        if (position >= start && position + bytes <= start + filled) {
            return bytes;
        }
        int wanted = Math.max(bytes, ahead);
        slideTo(position, buffer.capacity() < wanted ? capacityFor(bytes, wanted, file.size()) : 0);
        buffer.limit(Math.min(buffer.capacity(), wanted));
        ahead = Math.min(2 * ahead, MOST_AHEAD_BYTES);
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

    private void slideTo(long position, int capacity) {
        boolean overlaps = position >= start && position < start + filled;
        int kept = overlaps ? (int) (start + filled - position) : 0;
        boolean grows = capacity > buffer.capacity();
        ByteBuffer target = !grows ? buffer : ByteBuffer.allocateDirect(capacity);
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

    /** No more than the file has: many logs are small, and zeroing a buffer costs more than reading them. */
    private static int capacityFor(int bytes, int wanted, long fileBytes) {
        return bytes > MOST_AHEAD_BYTES
                ? (int) RecordHeader.align(bytes, MOST_AHEAD_BYTES)
                : (int) Math.min(Integer.highestOneBit(2 * wanted - 1), Math.max(fileBytes, bytes));
    }

    /** How many bytes from a position on are zero, of those that it holds. */
    public int zerosFrom(long position) {
        return Zeros.count(buffer, at(position), filled);
    }

    /** The CRC-32C of a stretch that it holds. Allocates nothing. */
    public int crcOf(long position, int bytes) {
        int from = at(position);
        buffer.limit(from + bytes).position(from);
        crc.reset();
        crc.update(buffer);
        buffer.clear();
        return (int) crc.getValue();
    }

    /** The buffer; index into it with {@link #at}. Valid until the next {@link #require}. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** A read-only view of a stretch of the file. Valid until the next {@link #require}. */
    public ByteBuffer slice(long position, int bytes) {
        return readOnly.slice(at(position), bytes);
    }

    /** Where a position of the file lies in the buffer. */
    public int at(long position) {
        return (int) (position - start);
    }
}
