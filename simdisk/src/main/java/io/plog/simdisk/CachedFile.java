package io.plog.simdisk;

import io.plog.log.storage.Storage;
import io.plog.log.storage.Storage.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A file of a {@link ModelledDisk}: what is stable in a real file, what is not in the memory of this process, by blocks. Thread-safe.
 */
final class CachedFile {
    static final int BLOCK_BYTES = 4096;

    private static final byte[] ZEROS = new byte[BLOCK_BYTES];
    private static final int MOST_CHUNK_BYTES = 256 * 1024;

    private final Storage real;

    /** Where it is on the device: files lie far enough from each other. */
    private final long place;

    private String realName;
    private final TreeMap<Long, byte[]> dirty = new TreeMap<>();

    /** What the device's cache has and has not written yet. */
    private final TreeMap<Long, byte[]> held = new TreeMap<>();

    private long bytes;
    private long forcedBytes;
    private long stableBytes;
    private int openings;
    private boolean nameless; // only those who have it open see it
    private @Nullable FileHandle handle;

    CachedFile(Storage real, String realName, long place, long bytes) {
        this.real = real;
        this.realName = realName;
        this.place = place;
        this.bytes = bytes;
        this.forcedBytes = bytes;
        this.stableBytes = bytes;
    }

    /** What a force makes stable: the blocks and the length at its beginning. */
    record Content(Map<Long, byte[]> blocks, long bytes, boolean grows) {
        /** The first byte, from the beginning of the file. */
        long begin() {
            return blocks.isEmpty() ? 0 : blocks.keySet().iterator().next() * BLOCK_BYTES;
        }

        long size() {
            return (long) blocks.size() * BLOCK_BYTES;
        }
    }

    /** The file's name in the real directory. */
    synchronized String realName() {
        return realName;
    }

    synchronized void renamed(String name) {
        realName = name;
    }

    /**
     * Nobody opens the real file from now on; another one may get its name. Returns by how much the cache shrank: if nobody has it open,
     * what is not stable is not needed any more.
     */
    synchronized long losesItsName() throws IOException {
        if (openings > 0) {
            handle();
        }
        nameless = true;
        return openings > 0 ? 0 : settle(unforced());
    }

    /** Where a byte of it is on the device. */
    long placeOf(long position) {
        return place + position;
    }

    synchronized void opened() {
        openings++;
    }

    synchronized void closed() throws IOException {
        openings--;
        FileHandle open = handle;
        if (openings == 0 && open != null) {
            handle = null;
            open.close();
        }
    }

    private FileHandle handle() throws IOException {
        FileHandle open = handle;
        if (open == null) {
            open = real.open(realName, Storage.Access.WRITE);
            handle = open;
        }
        return open;
    }

    synchronized long size() {
        return bytes;
    }

    synchronized int read(ByteBuffer target, long position) throws IOException {
        long end = Math.min(bytes, position + target.remaining());
        if (position >= end) {
            return position >= bytes ? -1 : 0;
        }
        int start = target.position();
        int count = (int) (end - position);
        target.limit(start + count);
        for (long at = position; target.hasRemaining(); ) {
            int read = handle().read(target, at);
            if (read <= 0) { // the real file is shorter
                target.put(ZEROS, 0, Math.min(ZEROS.length, target.remaining()));
                at = position + target.position() - start;
            } else {
                at += read;
            }
        }
        cover(target, start, position, end, held);
        cover(target, start, position, end, dirty);
        return count;
    }

    private static void cover(
            ByteBuffer target, int start, long position, long end, NavigableMap<Long, byte[]> blocks) {
        Map<Long, byte[]> covered = blocks.subMap(position / BLOCK_BYTES, true, (end - 1) / BLOCK_BYTES, true);
        covered.forEach((number, block) -> {
            long from = Math.max(position, number * BLOCK_BYTES);
            long to = Math.min(end, (number + 1) * BLOCK_BYTES);
            target.put(start + (int) (from - position), block, (int) (from % BLOCK_BYTES), (int) (to - from));
        });
    }

    /** Puts the source's remaining bytes into the cache; returns by how much that grew, zeros not counted. */
    synchronized long write(ByteBuffer source, long position) throws IOException {
        long grown = 0;
        long at = position;
        while (source.hasRemaining()) {
            long number = at / BLOCK_BYTES;
            int from = (int) (at % BLOCK_BYTES);
            int count = Math.min(BLOCK_BYTES - from, source.remaining());
            byte[] before = dirty.get(number);
            byte[] block = new byte[BLOCK_BYTES];
            if (count < BLOCK_BYTES) {
                byte[] known = before == null ? held.get(number) : before;
                if (known != null) {
                    System.arraycopy(known, 0, block, 0, BLOCK_BYTES);
                } else if (number * BLOCK_BYTES < stableBytes) {
                    readBlock(number, block);
                }
            }
            source.get(block, from, count);
            boolean zeros = Arrays.equals(block, ZEROS);
            dirty.put(number, zeros ? ZEROS : block);
            grown += (zeros ? 0 : BLOCK_BYTES) - (before == null || before == ZEROS ? 0 : BLOCK_BYTES);
            at += count;
        }
        bytes = Math.max(bytes, at);
        return grown;
    }

    private void readBlock(long number, byte[] block) throws IOException {
        ByteBuffer target = ByteBuffer.wrap(block);
        while (target.hasRemaining() && handle().read(target, number * BLOCK_BYTES + target.position()) > 0) {}
    }

    /** What is not stable now. */
    synchronized Content unforced() {
        return new Content(new TreeMap<>(dirty), bytes, bytes != forcedBytes);
    }

    /** The device has it in its cache, and says that it is stable. Returns by how much the cache of the system shrank. */
    synchronized long hold(Content content) {
        long shrunk = 0;
        for (Map.Entry<Long, byte[]> block : content.blocks.entrySet()) {
            if (dirty.remove(block.getKey(), block.getValue())) {
                held.put(block.getKey(), block.getValue());
                shrunk += block.getValue() == ZEROS ? 0 : BLOCK_BYTES;
            }
        }
        forcedBytes = Math.max(forcedBytes, content.bytes);
        return shrunk;
    }

    /** Puts that into the real file. What was written since stays unforced. Returns by how much the cache shrank. */
    synchronized long settle(Content content) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(MOST_CHUNK_BYTES);
        long at = 0;
        long shrunk = 0;
        for (Map.Entry<Long, byte[]> block : content.blocks.entrySet()) {
            long begin = block.getKey() * BLOCK_BYTES;
            if (at + chunk.position() != begin || !chunk.hasRemaining()) {
                put(chunk, at);
                at = begin;
            }
            chunk.put(block.getValue(), 0, (int) Math.min(BLOCK_BYTES, content.bytes - begin));
            held.remove(block.getKey(), block.getValue());
            if (dirty.remove(block.getKey(), block.getValue()) && block.getValue() != ZEROS) {
                shrunk += BLOCK_BYTES;
            }
        }
        put(chunk, at);
        forcedBytes = Math.max(forcedBytes, content.bytes);
        stableBytes = Math.max(stableBytes, content.bytes);
        FileHandle open = handle;
        if (openings == 0 && open != null) {
            handle = null;
            open.close();
        }
        return shrunk;
    }

    private void put(ByteBuffer chunk, long position) throws IOException {
        long at = position;
        chunk.flip();
        if (nameless && handle == null) {
            chunk.clear();
            return;
        }
        while (chunk.hasRemaining()) {
            at += handle().write(new ByteBuffer[] {chunk}, 0, 1, at);
        }
        chunk.clear();
    }
}
