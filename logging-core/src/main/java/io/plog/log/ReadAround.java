package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A file that is read around what the disk cannot read: a lost sector is an error for each read that touches it. Such a read is
 * made again, a block at a time. A block that cannot be read counts as bytes that are neither zeros nor a right header: damage,
 * of which is known where it is. For one thread at a time.
 */
final class ReadAround implements Storage.FileHandle {
    private static final byte LOST = (byte) 0xEE;
    private static final int BLOCK_BYTES = SegmentHeader.BLOCK_BYTES;

    private final Storage.FileHandle file;
    private final NavigableMap<Long, Long> lost = new TreeMap<>(); // where lost stretches begin and end

    private ReadAround(Storage.FileHandle file) {
        this.file = file;
    }

    /** Opens a file to read it; fails as {@link Storage#open} does. */
    static ReadAround open(Storage storage, String name) throws IOException {
        return new ReadAround(storage.open(name, Storage.Access.READ));
    }

    /** Which bytes of a file could not be read, each stretch as a noun phrase. */
    static List<String> lostIn(Storage.FileHandle file) {
        return lostIn(file, 0, Long.MAX_VALUE);
    }

    /** The same for those that touch a part of it. */
    static List<String> lostIn(Storage.FileHandle file, long begin, long end) {
        List<String> found = new ArrayList<>();
        if (file instanceof ReadAround around) {
            around.lost.headMap(end).forEach((from, to) -> {
                if (to > begin) {
                    found.add("bytes " + from + " to " + (to - 1) + ", which the disk cannot read");
                }
            });
        }
        return found;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int start = target.position();
        try {
            return file.read(target, position);
        } catch (IOException e) {
            if (!DiskErrors.isBadSector(e)) {
                throw e;
            }
            return readBlock(target.position(start), position);
        }
    }

    private int readBlock(ByteBuffer target, long position) throws IOException {
        long begin = position - position % BLOCK_BYTES;
        long end = Math.min(begin + BLOCK_BYTES, file.size());
        int limit = target.limit();
        int count = (int) Math.min(target.remaining(), end - position);
        target.limit(target.position() + count);
        try {
            return file.read(target, position);
        } catch (IOException e) {
            if (!DiskErrors.isBadSector(e)) {
                throw e;
            }
            while (target.hasRemaining()) {
                target.put(LOST);
            }
            note(begin, end);
            return count;
        } finally {
            target.limit(limit);
        }
    }

    private void note(long begin, long end) {
        Map.Entry<Long, Long> before = lost.floorEntry(begin);
        boolean continues = before != null && before.getValue() >= begin;
        lost.merge(continues ? before.getKey() : begin, end, Math::max);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
        return file.write(sources, offset, length, position);
    }

    @Override
    public void force(boolean metadata) throws IOException {
        file.force(metadata);
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
