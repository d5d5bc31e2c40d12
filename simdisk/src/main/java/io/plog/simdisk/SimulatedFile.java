package io.plog.simdisk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A file's content: what reads show (the page cache) apart from what the device holds. Guarded by the disk. */
final class SimulatedFile {
    /** Only their order counts. */
    private static final AtomicLong WRITES = new AtomicLong();

    private final Sectors sectors;
    private final Place.StableFile stable;
    private final long number;
    private byte[] @Nullable []
            cached = {}; // of each sector what the device does not hold; null if it holds what is read
    private final BitSet unforced = new BitSet(); // those of them that a force writes
    private long cachedBytes;
    private long stableBytes;
    private long heldBytes; // what the device says of these
    private int renames;

    /** The number of the last write to each sector. */
    private long[] lastWrites = {};

    /**
     * @param number of the file, among those of its disk
     * @param bytes of what is stable already
     */
    SimulatedFile(Sectors sectors, Place.StableFile stable, long number, long bytes) {
        this.sectors = sectors;
        this.stable = stable;
        this.number = number;
        this.cachedBytes = bytes;
        this.stableBytes = bytes;
        this.heldBytes = bytes;
    }

    Place.StableFile stable() {
        return stable;
    }

    private MemoryFile memory() {
        return (MemoryFile) stable;
    }

    long number() {
        return number;
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

    private byte[] content(int sector) {
        byte[] known = sector < cached.length ? cached[sector] : null;
        return known == null ? stable.sector(sector) : known;
    }

    /** Reads what the target has room for; returns how many bytes there were, -1 at the end. */
    int read(ByteBuffer target, long position) {
        long end = Math.min(cachedBytes, position + target.remaining());
        if (position >= end) {
            return position >= cachedBytes ? -1 : 0;
        }
        for (long at = position; at < end; ) {
            int sector = (int) (at / sectors.bytes());
            byte[] known = sector < cached.length ? cached[sector] : null;
            int next = sector + 1;
            while (known == null && next < cached.length && cached[next] == null) {
                next++;
            }
            long to = known == null && next >= cached.length ? end : Math.min(end, (long) next * sectors.bytes());
            int count = (int) (to - at);
            if (known == null) {
                stable.read(target, at, count);
            } else {
                target.put(known, (int) (at % sectors.bytes()), count);
            }
            at = to;
        }
        return (int) (end - position);
    }

    /** Puts the source's next {@code count} bytes into the page cache. */
    void write(long position, ByteBuffer source, int count) {
        long end = position + count;
        int most = sectors.count(end);
        if (most > cached.length) {
            cached = Arrays.copyOf(cached, Math.max(most, cached.length * 2));
            lastWrites = Arrays.copyOf(lastWrites, cached.length);
        }
        long write = WRITES.incrementAndGet();
        for (long at = position; at < end; ) {
            int sector = (int) (at / sectors.bytes());
            int from = (int) (at % sectors.bytes());
            int bytes = (int) Math.min(sectors.bytes() - from, end - at);
            byte[] before = bytes < sectors.bytes() ? content(sector) : sectors.zero();
            cached[sector] = sectors.with(before, from, source, bytes);
            unforced.set(sector);
            lastWrites[sector] = write;
            at += bytes;
        }
        cachedBytes = Math.max(cachedBytes, end);
    }

    /** What a force makes stable: sectors by their numbers, and the length, at its beginning. */
    record Content(SortedMap<Integer, byte[]> sectors, long fileBytes, boolean grows) {}

    /** What is not stable now. */
    Content unforced() {
        SortedMap<Integer, byte[]> known = new TreeMap<>();
        unforced.stream().forEach(sector -> known.put(sector, content(sector)));
        return new Content(known, cachedBytes, cachedBytes > heldBytes);
    }

    /** How many bytes are not forced, zeros not counted. */
    long unforcedBytes() {
        return unforced.stream()
                        .filter(sector -> cached[sector] != sectors.zero())
                        .count()
                * sectors.bytes();
    }

    /** No later force writes it: the device says that it is stable, and will {@link #settle} it. */
    void hold(Content content) {
        heldBytes = Math.max(heldBytes, content.fileBytes);
        content.sectors.forEach((sector, bytes) -> {
            if (cached[sector] == bytes) {
                unforced.clear(sector);
            }
        });
    }

    /** The device takes it. What was written since stays unforced. */
    void settle(Content content) {
        content.sectors.forEach((sector, bytes) -> {
            stable.put(sector, bytes, content.fileBytes);
            if (cached[sector] == bytes) {
                cached[sector] = null;
                unforced.clear(sector);
            }
        });
        stable.end();
        stableBytes = Math.max(stableBytes, content.fileBytes);
        heldBytes = Math.max(heldBytes, content.fileBytes);
    }

    /** The device takes everything. */
    void force() {
        settle(unforced());
    }

    /**
     * A force fails as on Linux: what was not stable is marked clean all the same, stays readable, and no later force writes
     * it. The length stays unforced, as ext4 has it: the next force makes it stable, over zeros.
     *
     * @param random chooses the sectors that reached the device before the error; none did if it is null
     */
    void failForce(@Nullable SplittableRandom random) {
        if (random != null) {
            put(chosen(random));
        }
        unforced.clear();
    }

    /** A failed direct write: some sectors reached the device, and there is no page cache that would show the others. */
    void failDirect(SplittableRandom random) {
        put(chosen(random));
        unforced.stream().forEach(sector -> cached[sector] = null);
        unforced.clear();
    }

    private BitSet chosen(SplittableRandom random) {
        BitSet chosen = new BitSet();
        int outOfFour = random.nextInt(5); // from none to all
        unforced.stream().filter(sector -> random.nextInt(4) < outOfFour).forEach(chosen::set);
        return chosen;
    }

    private BitSet firstOnes(SplittableRandom random) {
        BitSet chosen = new BitSet();
        unforced.stream().limit(random.nextInt(unforced.cardinality() + 1)).forEach(chosen::set);
        return chosen;
    }

    private void put(BitSet chosen) {
        chosen.stream().forEach(sector -> stable.put(sector, content(sector), cachedBytes));
        stable.end();
    }

    /** A copy for another disk. */
    SimulatedFile copy(Sectors other) {
        SimulatedFile copy = new SimulatedFile(other, memory().copy(other), number, stableBytes);
        copy.renames = renames;
        copy.cached = cached.clone();
        copy.cachedBytes = cachedBytes;
        copy.unforced.or(unforced);
        copy.lastWrites = lastWrites.clone();
        return copy;
    }

    /**
     * The power goes: of what was not forced chance lets something survive.
     *
     * @param inOrder whether that is a first part; else any sectors
     */
    void losePower(SplittableRandom random, boolean inOrder) {
        BitSet chosen = inOrder ? firstOnes(random) : chosen(random);
        long bytes = stableBytes;
        if (inOrder) {
            bytes = Math.max(bytes, Math.min(cachedBytes, (long) chosen.length() * sectors.bytes()));
        } else if (cachedBytes > stableBytes) {
            bytes = switch (random.nextInt(3)) {
                case 0 -> stableBytes;
                case 1 -> cachedBytes;
                default -> random.nextLong(stableBytes, cachedBytes + 1);
            };
        }
        chosen.clear(sectors.count(bytes), Math.max(sectors.count(bytes), chosen.length()));
        for (int sector : chosen.stream().toArray()) {
            stable.put(sector, content(sector), bytes);
        }
        stable.end();
        stable.cut(bytes);
        Arrays.fill(cached, null);
        unforced.clear();
        cachedBytes = bytes;
        stableBytes = bytes;
        heldBytes = bytes;
    }

    /** Cuts the file, or makes it longer with zeros; stable at once, as is what was only read. */
    void cut(long bytes) {
        for (int sector = 0; sector < cached.length; sector++) {
            if (cached[sector] != null) {
                memory().replace(sector, content(sector));
            }
        }
        stable.cut(bytes);
        Arrays.fill(cached, null);
        unforced.clear();
        cachedBytes = bytes;
        stableBytes = bytes;
        heldBytes = bytes;
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
        for (int sector = first; sector < end; sector++) {
            memory().replace(sector, content(sector));
            cached[sector] = null;
        }
        unforced.clear(first, end);
    }

    /** How many different contents of a sector, each on the device once before the present one, are remembered. */
    int earlierContents(int sector) {
        return memory().earlier(sector).length;
    }

    /** @param which 0 for the oldest that is remembered */
    byte[] earlierContent(int sector, int which) {
        byte[][] known = memory().earlier(sector);
        if (which >= known.length) {
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
        for (int sector = 0; sector < cached.length; sector++) {
            if (!Arrays.equals(content(sector), stable.sector(sector))) {
                return false;
            }
        }
        return stableBytes == cachedBytes;
    }
}
