package io.plog.simdisk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What a device in memory holds of one file, and what it held in each sector before. Guarded by the disk. */
final class MemoryFile implements Place.StableFile {
    /** A disk whose names are stable in the disk itself. */
    static final Place PLACE = new Place() {
        @Override
        public StableFile create(Sectors sectors) {
            return new MemoryFile(sectors);
        }

        @Override
        public void apply(SimulatedDirectory.Change change, Map<String, SimulatedFile> stableBefore) {
            // the directory has done so
        }
    };

    /** How many earlier contents of a sector are remembered. */
    private static final int MOST_EARLIER = 8;

    private final Sectors sectors;
    private byte[][] contents = {};
    private final Map<Integer, byte[][]> earlier = new HashMap<>(); // the latest last

    private MemoryFile(Sectors sectors) {
        this.sectors = sectors;
    }

    /** A copy for another disk. */
    MemoryFile copy(Sectors other) {
        MemoryFile copy = new MemoryFile(other);
        copy.contents = contents.clone();
        copy.earlier.putAll(earlier);
        return copy;
    }

    @Override
    public void read(ByteBuffer target, long position, int count) {
        for (long at = position, end = position + count; at < end; ) {
            int from = (int) (at % sectors.bytes());
            int bytes = (int) Math.min(sectors.bytes() - from, end - at);
            target.put(sector((int) (at / sectors.bytes())), from, bytes);
            at += bytes;
        }
    }

    @Override
    public byte[] sector(int number) {
        return number < contents.length ? contents[number] : sectors.zero();
    }

    @Override
    public void put(int number, byte[] content, long fileBytes) {
        byte[] before = sector(number);
        if (before != content) {
            byte[][] known = earlier.getOrDefault(number, new byte[0][]);
            int forgotten = Math.max(0, known.length - MOST_EARLIER + 1);
            byte[][] all = Arrays.copyOfRange(known, forgotten, known.length + 1);
            all[all.length - 1] = before;
            earlier.put(number, all);
            replace(number, content);
        }
    }

    /** Changes a sector at rest: nobody wrote it. */
    void replace(int number, byte[] content) {
        if (number >= contents.length) {
            int before = contents.length;
            contents = Arrays.copyOf(contents, Math.max(number + 1, 2 * before));
            Arrays.fill(contents, before, contents.length, sectors.zero());
        }
        contents[number] = content;
    }

    @Override
    public void end() {
        // there is nothing behind it
    }

    @Override
    public void cut(long bytes) {
        int count = sectors.count(bytes);
        int rest = (int) (bytes % sectors.bytes());
        if (rest > 0 && count <= contents.length) {
            replace(count - 1, sectors.cutAt(sector(count - 1), rest));
        }
        contents = Arrays.copyOf(contents, Math.min(count, contents.length));
    }

    /** What the device held in a sector before, the oldest first. */
    byte[][] earlier(int sector) {
        return earlier.getOrDefault(sector, new byte[0][]);
    }
}
