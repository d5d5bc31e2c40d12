package io.plog.simdisk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A file's content: what reads show (the page cache) apart from what the device holds. Guarded by the disk. */
final class SimulatedFile {
    /** How many earlier contents of a sector are remembered. */
    private static final int MOST_EARLIER = 8;

    /** Only their order counts. */
    private static final AtomicLong WRITES = new AtomicLong();

    private final Sectors sectors;
    private byte[][] cached = new byte[0][];
    private byte[][] stable = new byte[0][];
    private long cachedBytes;
    private long stableBytes;
    private int renames;
    private final BitSet unforced = new BitSet();

    /** The number of the last write to each sector. */
    private long[] lastWrites = new long[0];

    /** What the device held in a sector before, the latest last. */
    private final Map<Integer, byte[][]> earlier = new HashMap<>();

    SimulatedFile(Sectors sectors) {
        this.sectors = sectors;
    }

    long size() {
        return cachedBytes;
    }

    void renamed() {
        renames++;
    }

    /** How often it got another name; what a crash took back of that counts, too. */
    int renames() {
        return renames;
    }

    /** Reads what the target has room for; returns how many bytes there were, -1 at the end. */
    int read(ByteBuffer target, long position) {
        long end = Math.min(cachedBytes, position + target.remaining());
        if (position >= end) {
            return position >= cachedBytes ? -1 : 0;
        }
        long at = position;
        while (at < end) {
            int from = (int) (at % sectors.bytes());
            int count = (int) Math.min(sectors.bytes() - from, end - at);
            target.put(cached[(int) (at / sectors.bytes())], from, count);
            at += count;
        }
        return (int) (end - position);
    }

    /** Puts the source's next {@code count} bytes into the page cache. */
    void write(long position, ByteBuffer source, int count) {
        long end = position + count;
        cached = grown(cached, sectors.count(end));
        lastWrites = lastWrites.length < cached.length ? Arrays.copyOf(lastWrites, cached.length) : lastWrites;
        long write = WRITES.incrementAndGet();
        long at = position;
        while (at < end) {
            int sector = (int) (at / sectors.bytes());
            int from = (int) (at % sectors.bytes());
            int bytes = (int) Math.min(sectors.bytes() - from, end - at);
            cached[sector] = sectors.with(cached[sector], from, source, bytes);
            unforced.set(sector);
            lastWrites[sector] = write;
            at += bytes;
        }
        cachedBytes = Math.max(cachedBytes, end);
    }

    private byte[][] grown(byte[][] from, int count) {
        if (count <= from.length) {
            return from;
        }
        byte[][] larger = Arrays.copyOf(from, Math.max(count, from.length * 2));
        Arrays.fill(larger, from.length, larger.length, sectors.zero());
        return larger;
    }

    /** The device takes everything. */
    void force() {
        for (int sector = unforced.nextSetBit(0); sector >= 0; sector = unforced.nextSetBit(sector + 1)) {
            makeStable(sector);
        }
        unforced.clear();
        stableBytes = cachedBytes;
    }

    /**
     * A force fails as on Linux: what was not stable is marked clean all the same, stays readable, and no later force writes
     * it. The length stays unforced, as ext4 has it: the next force makes it stable, over zeros.
     *
     * @param random chooses the sectors that reached the device before the error; none did if it is null
     */
    void failForce(@Nullable SplittableRandom random) {
        if (random != null) {
            chooseSurvivors(random);
        }
        unforced.clear();
    }

    /** A failed direct write: some sectors reached the device, and there is no page cache that would show the others. */
    void failDirect(SplittableRandom random) {
        chooseSurvivors(random);
        for (int sector = unforced.nextSetBit(0); sector >= 0; sector = unforced.nextSetBit(sector + 1)) {
            cached[sector] = stableSector(sector);
        }
        unforced.clear();
    }

    private void chooseSurvivors(SplittableRandom random) {
        int outOfFour = random.nextInt(5); // from none to all
        for (int sector = unforced.nextSetBit(0); sector >= 0; sector = unforced.nextSetBit(sector + 1)) {
            if (random.nextInt(4) < outOfFour) {
                makeStable(sector);
            }
        }
    }

    private void makeStable(int sector) {
        stable = grown(stable, sector + 1);
        byte[] before = stable[sector];
        if (before != cached[sector]) {
            earlier.put(sector, withLatest(earlier.get(sector), before));
            stable[sector] = cached[sector];
        }
    }

    private static byte[][] withLatest(byte @Nullable [][] known, byte[] latest) {
        int kept = known == null ? 0 : Math.min(known.length, MOST_EARLIER - 1);
        byte[][] all = new byte[kept + 1][];
        if (known != null) {
            System.arraycopy(known, known.length - kept, all, 0, kept);
        }
        all[kept] = latest;
        return all;
    }

    private byte[] stableSector(int sector) {
        return sector < stable.length ? stable[sector] : sectors.zero();
    }

    /** The same file, on another disk. */
    SimulatedFile copy(Sectors other) {
        SimulatedFile copy = new SimulatedFile(other);
        copy.renames = renames;
        copy.cached = cached.clone();
        copy.stable = stable.clone();
        copy.cachedBytes = cachedBytes;
        copy.stableBytes = stableBytes;
        copy.unforced.or(unforced);
        copy.earlier.putAll(earlier);
        copy.lastWrites = lastWrites.clone();
        return copy;
    }

    /** The file after a crash: what was forced, and of the rest what chance lets survive. */
    SimulatedFile survivor(Sectors other, SplittableRandom random) {
        SimulatedFile after = copy(other);
        after.chooseSurvivors(random);
        long bytes = stableBytes;
        if (cachedBytes > stableBytes) {
            bytes = switch (random.nextInt(3)) {
                case 0 -> stableBytes;
                case 1 -> cachedBytes;
                default -> random.nextLong(stableBytes, cachedBytes + 1);
            };
        }
        after.stable = after.grown(after.stable, sectors.count(bytes));
        after.unforced.clear();
        after.cached = after.stable;
        after.cut(bytes);
        return after;
    }

    /** Cuts the file, or makes it longer with zeros; stable at once. */
    void cut(long bytes) {
        int count = sectors.count(bytes);
        byte[][] kept = Arrays.copyOf(grown(cached, count), count);
        int rest = (int) (bytes % sectors.bytes());
        if (rest > 0) {
            kept[count - 1] = sectors.cutAt(kept[count - 1], rest);
        }
        cached = kept;
        stable = kept.clone();
        unforced.clear();
        cachedBytes = bytes;
        stableBytes = bytes;
    }

    /** Changes bytes at rest: on the device, and so in every later read. The file's length stays. */
    void overwrite(long position, ByteBuffer source) {
        if (position + source.remaining() > cachedBytes) {
            throw new IllegalArgumentException("bytes " + position + " to " + (position + source.remaining())
                    + " of a file of " + cachedBytes + " bytes");
        }
        int first = (int) (position / sectors.bytes());
        int end = sectors.count(position + source.remaining());
        write(position, source, source.remaining());
        stable = grown(stable, end);
        for (int sector = first; sector < end; sector++) {
            stable[sector] = cached[sector];
        }
        unforced.clear(first, end);
    }

    /** How many different contents of a sector, each on the device once before the present one, are remembered. */
    int earlierContents(int sector) {
        byte[][] known = earlier.get(sector);
        return known == null ? 0 : known.length;
    }

    /** @param which 0 for the oldest that is remembered */
    byte[] earlierContent(int sector, int which) {
        byte[][] known = earlier.get(sector);
        if (known == null || which >= known.length) {
            throw new IllegalArgumentException("no earlier content " + which + " of sector " + sector);
        }
        return known[which];
    }

    /** A number that is the same for all sectors that one write was the last to write, and higher for those of a later one. */
    long lastWrite(int sector) {
        return sector < lastWrites.length ? lastWrites[sector] : 0;
    }

    /** What a read would return, all of it. */
    byte[] bytes() {
        ByteBuffer all = ByteBuffer.allocate((int) cachedBytes);
        read(all, 0);
        return all.array();
    }

    /** Whether the device holds all that a read would return. */
    boolean isStable() {
        if (stableBytes != cachedBytes) {
            return false;
        }
        for (int sector = 0; sector < sectors.count(cachedBytes); sector++) {
            if (!Arrays.equals(cached[sector], stableSector(sector))) {
                return false;
            }
        }
        return true;
    }
}
