package io.plog.log.file;

import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A file that is read around what the disk cannot read: a lost sector is an error for each read that touches it. Such a read is
 * made again, a block at a time. A block that cannot be read counts as bytes that are neither zeros nor a right header: damage,
 * of which is known where it is. Only for reading, by one thread at a time.
 */
public final class ReadAround implements Storage.FileHandle {
    private static final byte LOST = (byte) 0xEE;
    private static final int BLOCK_BYTES = Storage.BLOCK_BYTES;

    private final Storage.FileHandle file;
    private final TreeMap<Long, Long> lost = new TreeMap<>(); // where lost stretches begin and end

    private ReadAround(Storage.FileHandle file) {
        this.file = file;
    }

    /** Opens a file; fails as {@link Storage#open} does. */
    public static ReadAround open(Storage storage, String name) throws IOException {
        return new ReadAround(storage.open(name, Storage.Access.READ));
    }

    /** What could not be read of a part of a file, as a noun phrase; empty if all could. */
    public static String lostIn(Storage.FileHandle file, long begin, long end) {
        String found = !(file instanceof ReadAround around)
                ? ""
                : around.lost.headMap(end).entrySet().stream()
                        .filter(stretch -> stretch.getValue() > begin)
                        .map(stretch -> stretch.getKey() + " to " + (stretch.getValue() - 1))
                        .collect(Collectors.joining(", "));
        return found.isEmpty() ? "" : "bytes " + found + ", which the disk cannot read";
    }

    /** Throws {@link LogDamagedException} if something could not be read so far. */
    void checkWhole(String name) throws LogDamagedException {
        if (!lost.isEmpty()) {
            String found = lostIn(this, 0, Long.MAX_VALUE);
            throw new LogDamagedException(name, lost.firstKey(), "readable bytes", found, LogDamagedException.RESTORE);
        }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        try {
            return file.read(target, position);
        } catch (IOException e) {
            if (!DiskErrors.isBadSector(e)) {
                throw e;
            }
        }
        long begin = position - position % BLOCK_BYTES;
        long end = Math.min(begin + BLOCK_BYTES, file.size());
        ByteBuffer block = ByteBuffer.allocateDirect((int) Math.min(target.remaining(), end - position));
        try {
            file.read(block, position);
        } catch (IOException e) {
            if (!DiskErrors.isBadSector(e)) {
                throw e;
            }
            while (block.hasRemaining()) {
                block.put(LOST);
            }
            Map.Entry<Long, Long> before = lost.floorEntry(begin);
            lost.merge(before != null && before.getValue() >= begin ? before.getKey() : (Long) begin, end, Math::max);
        }
        target.put(block.flip());
        return block.limit();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length, long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metadata) {
        throw new UnsupportedOperationException();
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
