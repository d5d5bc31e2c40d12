package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that keeps what was forced apart from what was not, and can lose power.
 *
 * <p>Faults it knows:
 * <ul>
 *   <li>a crash at the n-th operation that changes something, in the middle of it;
 *   <li>after a crash, of the sectors, file lengths and directory entries that were not forced any subset survives, chosen
 *       from a seed: torn and out of order;
 *   <li>the n-th force fails as on Linux: the bytes are marked clean and stay readable, the disk does not have them, and the
 *       next force succeeds.
 * </ul>
 *
 * <p>Thread-safe. Time does not exist here.
 */
final class SimulatedDisk implements Storage {
    /** What every operation throws once the power is gone. */
    static final class PowerLost extends IOException {
        private static final long serialVersionUID = 1L;

        PowerLost() {
            super("the simulated disk lost power");
        }
    }

    private final int sectorBytes;
    private final Map<String, Content> names = new HashMap<>();
    private final Map<String, Content> stableNames = new HashMap<>();
    private final List<Entry> unforcedEntries = new ArrayList<>();
    private long operations;
    private long crashAt = Long.MAX_VALUE;
    private long forces;
    private long failForceAt = Long.MAX_VALUE;
    private boolean crashed;
    private boolean forceFailed;
    private boolean locked;

    /** A change of the directory that was not forced: a name that points to something else now, or to nothing. */
    private record Entry(
            @Nullable String removed,
            @Nullable String added,
            @Nullable Content content) {}

    private final class Content {
        byte[] cache = new byte[0];
        byte[] stable = new byte[0];
        final BitSet dirty = new BitSet();

        void write(long position, ByteBuffer source) {
            int end = (int) position + source.remaining();
            if (end > cache.length) {
                cache = Arrays.copyOf(cache, end);
            }
            dirty.set((int) position / sectorBytes, (end + sectorBytes - 1) / sectorBytes);
            source.get(cache, (int) position, source.remaining());
        }

        void force() {
            stable = Arrays.copyOf(stable, cache.length);
            for (int sector = dirty.nextSetBit(0); sector >= 0; sector = dirty.nextSetBit(sector + 1)) {
                copySector(cache, stable, sector);
            }
            dirty.clear();
        }

        /** What the disk holds after a crash: what was forced, and of the rest what chance lets survive. */
        Content survivor(SplittableRandom random) {
            Content after = new Content();
            int length = random.nextBoolean() ? cache.length : stable.length;
            int survives = random.nextInt(5); // of four dirty sectors; from none to all
            after.stable = Arrays.copyOf(stable, Math.max(length, stable.length));
            for (int sector = dirty.nextSetBit(0); sector >= 0; sector = dirty.nextSetBit(sector + 1)) {
                if (random.nextInt(4) < survives) {
                    copySector(cache, after.stable, sector);
                }
            }
            after.cache = after.stable.clone();
            return after;
        }

        private void copySector(byte[] from, byte[] to, int sector) {
            int at = sector * sectorBytes;
            int count = Math.min(sectorBytes, Math.min(from.length, to.length) - at);
            if (count > 0) {
                System.arraycopy(from, at, to, at, count);
            }
        }
    }

    /** @param sectorBytes what the device writes in one piece: 512 or 4096 */
    SimulatedDisk(int sectorBytes) {
        this.sectorBytes = sectorBytes;
    }

    /** Loses power in the middle of the n-th changing operation from now on. */
    synchronized void crashAtOperation(long n) {
        crashAt = operations + n;
    }

    /** Fails the n-th force of a file from now on, as Linux does. */
    synchronized void failForce(long n) {
        failForceAt = forces + n;
    }

    /** Takes back what was armed and has not happened. */
    synchronized void disarm() {
        crashAt = Long.MAX_VALUE;
        failForceAt = Long.MAX_VALUE;
    }

    synchronized boolean hasCrashed() {
        return crashed;
    }

    /** Whether the force that was to fail has failed. */
    synchronized boolean hasFailedForce() {
        return forceFailed;
    }

    /** Loses power now. */
    synchronized void crash() {
        crashed = true;
    }

    /** The disk as the next start of the machine finds it. */
    synchronized SimulatedDisk afterCrash(SplittableRandom random) {
        SimulatedDisk after = new SimulatedDisk(sectorBytes);
        Map<String, Content> surviving = new HashMap<>(stableNames);
        int survives = random.nextInt(5);
        for (Entry entry : unforcedEntries) {
            if (random.nextInt(4) < survives) {
                apply(entry, surviving);
            }
        }
        Map<Content, Content> copies = new HashMap<>();
        surviving.forEach((name, content) -> {
            Content copy = copies.computeIfAbsent(content, original -> {
                SimulatedDisk.Content made = original.survivor(random);
                Content own = after.new Content();
                own.cache = made.cache;
                own.stable = made.stable;
                return own;
            });
            after.names.put(name, copy);
            after.stableNames.put(name, copy);
        });
        return after;
    }

    /** The disk as the next process finds it when only the process died: all that was written is there, forced or not. */
    synchronized SimulatedDisk afterKill() {
        crashed = true;
        SimulatedDisk after = new SimulatedDisk(sectorBytes);
        after.names.putAll(names);
        after.stableNames.putAll(stableNames);
        after.unforcedEntries.addAll(unforcedEntries);
        return after;
    }

    private static void apply(Entry entry, Map<String, Content> directory) {
        if (entry.removed() != null) {
            directory.remove(entry.removed());
        }
        if (entry.added() != null && entry.content() != null) {
            directory.put(entry.added(), entry.content());
        }
    }

    /** Counts a changing operation; returns whether the power goes in the middle of it. */
    private boolean powerGoes() throws PowerLost {
        if (crashed) {
            throw new PowerLost();
        }
        operations++;
        crashed = operations == crashAt;
        return crashed;
    }

    private void change(Entry entry) throws PowerLost {
        boolean goes = powerGoes();
        apply(entry, names);
        unforcedEntries.add(entry);
        if (goes) {
            throw new PowerLost();
        }
    }

    @Override
    public synchronized List<String> list() throws IOException {
        if (crashed) {
            throw new PowerLost();
        }
        return new ArrayList<>(names.keySet());
    }

    @Override
    public synchronized StorageFile create(String name) throws IOException {
        if (names.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
        Content content = new Content();
        change(new Entry(null, name, content));
        return new OpenFile(content, false);
    }

    @Override
    public synchronized StorageFile open(String name, Access access) throws IOException {
        if (crashed) {
            throw new PowerLost();
        }
        Content content = names.get(name);
        if (content == null) {
            throw new NoSuchFileException(name);
        }
        return new OpenFile(content, access == Access.WRITE_DSYNC || access == Access.WRITE_DIRECT);
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        Content content = names.get(from);
        if (content == null) {
            throw new NoSuchFileException(from);
        }
        change(new Entry(from, to, content));
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        if (!names.containsKey(name)) {
            throw new NoSuchFileException(name);
        }
        change(new Entry(name, null, null));
    }

    @Override
    public synchronized void forceDirectory() throws IOException {
        if (powerGoes()) {
            throw new PowerLost();
        }
        stableNames.clear();
        stableNames.putAll(names);
        unforcedEntries.clear();
    }

    @Override
    public void forceParentDirectory() {}

    @Override
    public synchronized Closeable lock(String name) throws IOException {
        if (locked) {
            throw new LogLockedException("locked");
        }
        locked = true;
        return () -> {
            synchronized (this) {
                locked = false;
            }
        };
    }

    @Override
    public String describe() {
        return "a simulated disk";
    }

    @Override
    public void close() {}

    private final class OpenFile implements StorageFile {
        private final Content content;
        private final boolean forcesEachWrite;

        OpenFile(Content content, boolean forcesEachWrite) {
            this.content = content;
            this.forcesEachWrite = forcesEachWrite;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            synchronized (SimulatedDisk.this) {
                if (crashed) {
                    throw new PowerLost();
                }
                int count = (int) Math.min(target.remaining(), content.cache.length - position);
                if (count <= 0) {
                    return -1;
                }
                target.put(content.cache, (int) position, count);
                return count;
            }
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
            synchronized (SimulatedDisk.this) {
                boolean goes = powerGoes();
                long at = position;
                for (int i = offset; i < offset + length; i++) {
                    int count = sources[i].remaining();
                    content.write(at, sources[i]);
                    at += count;
                }
                if (goes) {
                    throw new PowerLost();
                }
                if (forcesEachWrite) {
                    content.force();
                }
                return at - position;
            }
        }

        @Override
        public void force(boolean metadata) throws IOException {
            synchronized (SimulatedDisk.this) {
                if (powerGoes()) {
                    throw new PowerLost();
                }
                forces++;
                if (forces == failForceAt) {
                    content.dirty.clear();
                    forceFailed = true;
                    throw new IOException("Input/output error");
                }
                content.force();
            }
        }

        @Override
        public long size() throws IOException {
            synchronized (SimulatedDisk.this) {
                if (crashed) {
                    throw new PowerLost();
                }
                return content.cache.length;
            }
        }

        @Override
        public void close() {}
    }
}
