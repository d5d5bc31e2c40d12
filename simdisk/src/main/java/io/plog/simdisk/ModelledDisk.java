package io.plog.simdisk;

import io.plog.log.LogOptions;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A disk in a directory that takes the time of a {@link DeviceModel} and forgets what it would forget. What is stable lies in the
 * directory's files, written without forcing them; what is not, in the memory of this process. So the end of the process by
 * {@code kill -9} is a power cut of this disk: the next one that opens the directory finds what a disk would hold.
 *
 * <p>An orderly {@link #close} makes everything stable, as a machine does that is shut down. {@link #cut} loses power on purpose.
 *
 * <p>It says nothing about the real disk, and keeps nothing over a real power cut. Thread-safe.
 */
public final class ModelledDisk implements Storage {
    /** Names the model that the directory's files were written on. */
    private static final String MARKER = "simulated-disk";

    /** Of a log; closing it once more would release it. */
    private static final String LOCK = "log.lock";

    /** Begins the names of files whose names are not stable. */
    private static final String UNFORCED = "unforced-";

    /** Files lie so far from each other on the device. */
    private static final long FILE_DISTANCE = 1L << 30;

    /** How much may be unforced before it is written back, as a kernel does. */
    private static final long MOST_UNFORCED_BYTES = 32L << 20;

    /** How long a disk that lies keeps in its cache what it said was stable, and how much. */
    private static final long CACHED_NANOS = 1_000_000_000L;

    private static final long MOST_CACHED_BYTES = 8L << 20;

    /** A new time of settling counts for one part of so many: a few that a busy machine delayed change little. */
    private static final int SETTLINGS = 8;

    /** What survives of the bytes and names that were not stable when the power goes. */
    public enum Survivors {
        /** Nothing. */
        DROP,
        /** Of each file a first part, and of the changes of names the first ones. */
        PREFIX,
        /** Any blocks, and of the changes of names the first ones. */
        RANDOM
    }

    /**
     * A change of a name that is not stable yet.
     *
     * @param gone the file that had the name, and has none any more
     */
    private record Change(
            @Nullable String removed,
            @Nullable String added,
            @Nullable CachedFile file,
            @Nullable CachedFile gone) {}

    /** What makes something stable in the directory. */
    private interface Settling {
        void run() throws IOException;
    }

    /** What a force that is under way makes stable. */
    private record Due(long bytes, Settling settling) {}

    private record Cached(long since, long bytes, Settling settling) {}

    private final Path directory;
    private final DeviceModel model;
    private final Storage real;
    private final DeviceTime.Clock clock;
    private final DeviceTime time;
    private final Map<String, CachedFile> names = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final Set<CachedFile> touched = new LinkedHashSet<>(); // with bytes that may not be stable
    private final ArrayDeque<Due> due = new ArrayDeque<>(); // in the order of the device
    private final ArrayDeque<Cached> cache = new ArrayDeque<>();
    private long cachedBytes;
    private long unforcedBytes;
    private long settlingNanos; // that it takes of late
    private long files;
    private boolean off;

    ModelledDisk(Path directory, DeviceModel model, Storage real, DeviceTime.Clock clock) throws IOException {
        this.directory = directory;
        this.model = model;
        this.real = real;
        this.clock = clock;
        this.time = new DeviceTime(model, clock);
        for (String name : real.list()) {
            if (!isOwn(name)) {
                names.put(name, new CachedFile(real, name, nextPlace(), real.sizeOf(name)));
            }
        }
    }

    /**
     * Opens the disk in a directory, which must be empty or have been one of the same model before.
     *
     * @throws io.plog.log.storage.LogException if it is not; the message says what to do
     * @throws IOException if the directory cannot be used
     */
    public static ModelledDisk open(Path directory, DeviceModel model) throws IOException {
        return open(directory, model, DeviceTime.REAL);
    }

    static ModelledDisk open(Path directory, DeviceModel model, DeviceTime.Clock clock) throws IOException {
        Storage real = LogOptions.ON_DISK.open(directory);
        Optional<String> before = modelOf(directory);
        if (before.isPresent() && !before.get().equals(model.label())) {
            throw new LogException(
                    "the files in " + directory + " were written on the simulated disk " + before.get()
                            + ", not on " + model.label() + ": name sim:" + before.get() + "@" + directory
                            + ", or another directory",
                    null);
        }
        if (before.isEmpty()) {
            if (!real.list().isEmpty()) {
                throw new LogException(
                        "directory " + directory + " has files that were not written on a simulated disk:" + " leave "
                                + model.prefix() + " out, or name an empty directory",
                        null);
            }
            Files.writeString(directory.resolve(MARKER), model.label() + "\n", StandardCharsets.US_ASCII);
        }
        return new ModelledDisk(directory, model, real, clock);
    }

    /**
     * The model that a directory's files were written on; empty if on none.
     *
     * @throws IOException if that cannot be read
     */
    public static Optional<String> modelOf(Path directory) throws IOException {
        Path marker = directory.resolve(MARKER);
        return Files.exists(marker) // also false if the directory is a file
                ? Optional.of(
                        Files.readString(marker, StandardCharsets.US_ASCII).strip())
                : Optional.empty();
    }

    /**
     * Makes the files of a simulated disk those of a real one: stable, which they were only in the simulation, and refused by every
     * simulated disk from now on. Does nothing to other directories.
     *
     * @return the model that the files were written on; empty if on none
     * @throws io.plog.log.storage.LogLockedException if a process has the disk open
     */
    public static Optional<String> makeReal(Path directory) throws IOException {
        Optional<String> model = modelOf(directory);
        if (model.isPresent()) {
            Storage real = LogOptions.ON_DISK.open(directory);
            Closeable lock = real.lock(LOCK);
            try {
                makeReal(directory, real);
            } finally {
                lock.close();
            }
        }
        return model;
    }

    private static void makeReal(Path directory, Storage real) throws IOException {
        for (String name : real.list()) {
            if (name.startsWith(UNFORCED)) {
                real.delete(name);
            } else if (!isOwn(name) && !name.equals(LOCK) && Files.isRegularFile(directory.resolve(name))) {
                try (FileHandle file = real.open(name, Access.WRITE)) {
                    file.force(true);
                }
            }
        }
        real.forceDirectory();
        real.forceParentDirectory();
        real.delete(MARKER);
        real.forceDirectory();
    }

    private static boolean isOwn(String name) {
        return name.equals(MARKER) || name.startsWith(PowerSwitch.REQUEST) || name.startsWith(UNFORCED);
    }

    private long nextPlace() {
        files++;
        return files * FILE_DISTANCE;
    }

    /**
     * Loses power now: every operation that comes throws {@link PowerLostException}.
     *
     * @param survivors what is stable all the same
     * @param seed decides which
     */
    public synchronized void cut(Survivors survivors, long seed) throws IOException {
        off = true;
        if (survivors == Survivors.DROP) {
            return;
        }
        SplittableRandom random = new SplittableRandom(seed);
        List<Cached> held = new ArrayList<>(cache);
        for (Cached each : held.subList(0, random.nextInt(held.size() + 1))) {
            each.settling.run();
        }
        settleNames(List.copyOf(changes.subList(0, random.nextInt(changes.size() + 1))));
        for (CachedFile file : touched) {
            file.settle(survivor(file.unforced(), survivors, random));
        }
    }

    private static CachedFile.Content survivor(CachedFile.Content all, Survivors survivors, SplittableRandom random) {
        Map<Long, byte[]> blocks = new TreeMap<>();
        int kept = random.nextInt(all.blocks().size() + 1);
        long bytes = 0;
        for (Map.Entry<Long, byte[]> block : all.blocks().entrySet()) {
            boolean survives = survivors == Survivors.PREFIX ? blocks.size() < kept : random.nextBoolean();
            if (survives) {
                blocks.put(block.getKey(), block.getValue());
                bytes = Math.min(all.bytes(), (block.getKey() + 1) * CachedFile.BLOCK_BYTES);
            }
        }
        return new CachedFile.Content(blocks, bytes, all.grows());
    }

    /** Whether it has lost power. */
    public synchronized boolean hasLostPower() {
        return off;
    }

    private void checkPower() throws PowerLostException {
        if (off) {
            throw new PowerLostException();
        }
    }

    @Override
    public synchronized List<String> list() throws IOException {
        checkPower();
        return new ArrayList<>(names.keySet());
    }

    private CachedFile find(String name) throws IOException {
        checkPower();
        CachedFile file = names.get(name);
        if (file == null) {
            throw new NoSuchFileException(directory.resolve(name).toString());
        }
        return file;
    }

    @Override
    public synchronized FileHandle create(String name) throws IOException {
        checkPower();
        if (names.containsKey(name)) {
            throw new FileAlreadyExistsException(directory.resolve(name).toString());
        }
        String unforced = UNFORCED + UUID.randomUUID();
        real.create(unforced).close();
        CachedFile file = new CachedFile(real, unforced, nextPlace(), 0);
        names.put(name, file);
        changes.add(new Change(null, name, file, null));
        return new ModelledFile(this, file, Access.WRITE);
    }

    @Override
    public synchronized FileHandle open(String name, Access access) throws IOException {
        return new ModelledFile(this, find(name), access);
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        CachedFile file = find(from);
        names.remove(from);
        CachedFile gone = names.put(to, file);
        changes.add(new Change(from, to, file, gone));
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        checkPower();
        CachedFile file = names.remove(name);
        if (file != null) {
            changes.add(new Change(name, null, null, file));
        }
    }

    /** When a commit of a file system's journal is stable, which lies elsewhere on the device. */
    private long metadataCommitted(long from) {
        return time.forced(from, 0, CachedFile.BLOCK_BYTES);
    }

    @Override
    public void forceDirectory() throws IOException {
        Due mine;
        long end;
        synchronized (this) {
            checkPower();
            List<Change> covered = List.copyOf(changes);
            changes.clear();
            end = metadataCommitted(clock.now());
            mine = new Due(0, () -> settleNames(covered));
            due.add(mine);
        }
        stabilise(end, mine);
    }

    @Override
    public void forceParentDirectory() throws IOException {
        synchronized (this) {
            checkPower();
        }
        clock.await(metadataCommitted(clock.now()));
    }

    /** In their order, so that a crash in the middle leaves the first ones. */
    private void settleNames(List<Change> covered) throws IOException {
        for (Change change : covered) {
            CachedFile file = change.file();
            CachedFile gone = change.gone();
            String added = change.added();
            if (gone != null) {
                unforcedBytes -= gone.losesItsName();
            }
            if (file != null && added != null) {
                real.rename(file.realName(), added);
                file.renamed(added);
            } else if (change.removed() != null) {
                real.delete(change.removed());
            }
        }
    }

    /** Something was written into the cache, which grew. Takes the time of a write that goes around the page cache. */
    void written(CachedFile file, long grown, boolean uncached) throws IOException {
        boolean tooMuch;
        synchronized (this) {
            checkPower();
            touched.add(file);
            unforcedBytes += grown;
            tooMuch = unforcedBytes > MOST_UNFORCED_BYTES;
        }
        if (uncached) {
            time.write();
        }
        if (tooMuch) {
            force(file);
        }
    }

    void read(CachedFile file, long position, int bytes, boolean uncached) throws IOException {
        synchronized (this) {
            checkPower();
        }
        if (uncached) {
            time.read(file.placeOf(position), bytes);
        }
    }

    /** Makes a file stable: its blocks, and its length in the file system's journal. */
    void force(CachedFile file) throws IOException {
        Due mine;
        long end;
        synchronized (this) {
            checkPower();
            touched.remove(file);
            end = clock.now();
            CachedFile.Content content = file.unforced();
            if (content.size() > 0) {
                end = time.forced(end, file.placeOf(content.begin()), content.size());
            }
            if (content.grows()) {
                end = metadataCommitted(end);
            }
            if (model.lies()) {
                unforcedBytes -= file.hold(content);
            }
            mine = new Due(content.size(), () -> {
                unforcedBytes -= file.settle(content);
            });
            due.add(mine);
        }
        stabilise(end, mine);
    }

    /**
     * Returns when the device is done. Settling takes time that the device does not, so it begins sooner by what it took of late.
     */
    private void stabilise(long end, Due mine) throws IOException {
        clock.await(end - settlingNanos());
        settleUpTo(mine);
        clock.await(end);
    }

    private synchronized long settlingNanos() {
        return settlingNanos;
    }

    /**
     * The device has done what was asked for before, too; else a thread that wakes up late would put older bytes over newer ones. What
     * cannot be settled stays, for the thread that waits for it to fail as well.
     */
    private synchronized void settleUpTo(Due mine) throws IOException {
        checkPower();
        while (due.contains(mine)) {
            settle(due.element());
            due.remove();
        }
    }

    /** At once, or when a disk that lies gets round to it. */
    private void settle(Due next) throws IOException {
        long now = clock.now();
        if (!model.lies()) {
            next.settling.run();
            settlingNanos += (clock.now() - now - settlingNanos) / SETTLINGS;
            return;
        }
        cache.add(new Cached(now, next.bytes, next.settling));
        cachedBytes += next.bytes;
        while (!cache.isEmpty() && (now - cache.peek().since > CACHED_NANOS || cachedBytes > MOST_CACHED_BYTES)) {
            Cached oldest = cache.remove();
            cachedBytes -= oldest.bytes;
            oldest.settling.run();
        }
    }

    @Override
    public Closeable lock(String name) throws IOException {
        Closeable lock = real.lock(name);
        synchronized (this) {
            names.computeIfAbsent(name, created -> new CachedFile(real, created, nextPlace(), 0));
        }
        try {
            for (String left : real.list()) { // files whose names a power cut took
                if (left.startsWith(UNFORCED) && isLeftOver(left)) {
                    real.delete(left);
                }
            }
            PowerSwitch power = PowerSwitch.watch(directory, this);
            return () -> {
                try (lock) {
                    power.close();
                }
            };
        } catch (Throwable e) {
            try (lock) {
                throw e;
            }
        }
    }

    private synchronized boolean isLeftOver(String name) {
        return names.values().stream().noneMatch(file -> file.realName().equals(name));
    }

    @Override
    public synchronized Object identityOf(String name) throws IOException {
        if (name.isEmpty()) {
            return real.identityOf(name);
        }
        CachedFile file = find(name);
        Object identity = real.identityOf(file.realName());
        // Without inodes it is the name, which changes when it becomes stable.
        return identity.equals(file.realName()) ? file : identity;
    }

    @Override
    public synchronized long sizeOf(String name) throws IOException {
        return find(name).size();
    }

    @Override
    public boolean mayBeOpenIn(long pid) throws IOException {
        return real.mayBeOpenIn(pid);
    }

    @Override
    public String describe() {
        return model.prefix() + directory;
    }

    /** Makes everything stable, if it has power. */
    @Override
    public synchronized void close() throws IOException {
        if (off) {
            return;
        }
        for (Cached each : cache) {
            each.settling.run();
        }
        cache.clear();
        for (Due each : due) {
            each.settling.run();
        }
        due.clear();
        settleNames(changes);
        changes.clear();
        for (CachedFile file : touched) {
            unforcedBytes -= file.settle(file.unforced());
        }
        touched.clear();
        off = true;
        try (Stream<Path> left = Files.list(directory)) {
            for (Path file : left.filter(each -> each.getFileName().toString().startsWith(UNFORCED))
                    .toList()) {
                Files.deleteIfExists(file);
            }
        }
        real.close();
    }
}
