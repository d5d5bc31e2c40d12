package io.plog.simdisk;

import io.plog.log.LogOptions;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A {@link SimulatedDisk} in a directory that takes the time of a {@link DeviceModel} and forgets what it would forget. What is stable lies in the
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

    static final int BLOCK_BYTES = Storage.BLOCK_BYTES;

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

    /** What a force that is under way makes stable. */
    private record Due(long bytes, Runnable settling) {}

    private record Cached(long since, long bytes, Runnable settling) {}

    private final Path directory;
    private final DeviceModel model;
    private final Storage real;
    private final DeviceTime.Clock clock;
    private final DeviceTime time;
    private final SimulatedDisk disk;

    // Guarded by the disk.
    private final ArrayDeque<Due> due = new ArrayDeque<>(); // in the order of the device
    private final ArrayDeque<Cached> cache = new ArrayDeque<>();
    private long cachedBytes;
    private long settlingNanos; // that it takes of late

    ModelledDisk(Path directory, DeviceModel model, Storage real, DeviceTime.Clock clock) throws IOException {
        this.directory = directory;
        this.model = model;
        this.real = real;
        this.clock = clock;
        this.time = new DeviceTime(model, clock);
        this.disk = new SimulatedDisk(BLOCK_BYTES, 0, new InDirectory(real));
        for (String name : real.list()) {
            if (!isOwn(name)) {
                add(name, real.sizeOf(name));
            }
        }
    }

    private void add(String name, long bytes) {
        disk.directory().replace(name, disk.newFile(new RealFile(real, name), bytes));
    }

    /** Where what is stable lies. A name that is not stable yet is another one there. */
    private record InDirectory(Storage real) implements Place {
        @Override
        public StableFile create(Sectors sectors) {
            String unforced = UNFORCED + UUID.randomUUID();
            RealFile.unchecked(() -> {
                real.create(unforced).close();
                return unforced;
            });
            return new RealFile(real, unforced);
        }

        @Override
        public void apply(SimulatedDirectory.Change change, Map<String, SimulatedFile> stableBefore) {
            SimulatedFile file = change.file();
            String added = change.added();
            String removed = change.removed();
            SimulatedFile gone = stableBefore.get(added == null ? removed : added);
            RealFile.unchecked(() -> {
                if (gone != null && gone != file) {
                    realOf(gone).losesItsName();
                }
                if (file != null && added != null) {
                    realOf(file).rename(added);
                } else if (removed != null) {
                    real.delete(removed);
                }
                return change;
            });
        }
    }

    private static RealFile realOf(SimulatedFile file) {
        return (RealFile) file.stable();
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

    /**
     * Loses power now: every operation that comes throws {@link PowerLostException}.
     *
     * @param survivors what is stable all the same
     * @param seed decides which
     */
    public void cut(Survivors survivors, long seed) throws IOException {
        synchronized (disk) {
            disk.crash();
            if (survivors == Survivors.DROP) {
                return;
            }
            SplittableRandom random = new SplittableRandom(seed);
            List<Cached> held = new ArrayList<>(cache);
            checked(() -> {
                held.subList(0, random.nextInt(held.size() + 1)).forEach(each -> each.settling.run());
                disk.directory().losePower(random);
                disk.directory().files().forEach(file -> file.losePower(random, survivors == Survivors.PREFIX));
            });
        }
    }

    /** An error of the real directory. */
    private static void checked(Runnable operation) throws IOException {
        try {
            operation.run();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Whether it has lost power. */
    public boolean hasLostPower() {
        return disk.hasCrashed();
    }

    DeviceTime time() {
        return time;
    }

    /** Where a file begins on the device. */
    long placeOf(SimulatedFile file) {
        return file.number() * FILE_DISTANCE;
    }

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public FileHandle create(String name) throws IOException {
        try {
            return new ModelledFile(this, (OpenFile) disk.create(name), Access.WRITE);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** A write that is to be stable is forced here, where that takes time. */
    @Override
    public FileHandle open(String name, Access access) throws IOException {
        Access unforced = switch (access) {
            case READ, WRITE, WRITE_UNCACHED -> access;
            case WRITE_DSYNC -> Access.WRITE;
            case WRITE_DIRECT -> Access.WRITE_UNCACHED;
        };
        return new ModelledFile(this, (OpenFile) disk.open(name, unforced), access);
    }

    void closed(SimulatedFile file) throws IOException {
        synchronized (disk) {
            realOf(file).closed();
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        disk.delete(name);
    }

    /** When a commit of a file system's journal is stable, which lies elsewhere on the device. */
    private long metadataCommitted(long from) {
        return time.forced(from, 0, BLOCK_BYTES);
    }

    @Override
    public void forceDirectory() throws IOException {
        Due mine;
        long end;
        synchronized (disk) {
            disk.checkPower();
            List<SimulatedDirectory.Change> covered = disk.directory().takeUnforced();
            end = metadataCommitted(clock.now());
            mine = new Due(0, () -> disk.directory().settle(covered));
            due.add(mine);
        }
        stabilise(end, mine);
    }

    @Override
    public void forceParentDirectory() throws IOException {
        synchronized (disk) {
            disk.checkPower();
        }
        clock.await(metadataCommitted(clock.now()));
    }

    /** Forces a file of which too much is not forced. */
    void writeBack(SimulatedFile file) throws IOException {
        boolean tooMuch;
        synchronized (disk) {
            tooMuch = file.unforcedBytes() > MOST_UNFORCED_BYTES;
        }
        if (tooMuch) {
            force(file);
        }
    }

    /** Makes a file stable: its blocks, and its length in the file system's journal. */
    void force(SimulatedFile file) throws IOException {
        Due mine;
        long end;
        synchronized (disk) {
            disk.checkPower();
            end = clock.now();
            SimulatedFile.Content content = file.unforced();
            long bytes = (long) content.sectors().size() * BLOCK_BYTES;
            if (bytes > 0) {
                end = time.forced(end, placeOf(file) + (long) content.sectors().firstKey() * BLOCK_BYTES, bytes);
            }
            if (content.grows()) {
                end = metadataCommitted(end);
            }
            if (model.lies()) {
                file.hold(content);
            }
            mine = new Due(bytes, () -> file.settle(content));
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

    private long settlingNanos() {
        synchronized (disk) {
            return settlingNanos;
        }
    }

    /**
     * The device has done what was asked for before, too; else a thread that wakes up late would put older bytes over newer ones. What
     * cannot be settled stays, for the thread that waits for it to fail as well.
     */
    private void settleUpTo(Due mine) throws IOException {
        synchronized (disk) {
            disk.checkPower();
            while (due.contains(mine)) {
                checked(() -> settle(due.element()));
                due.remove();
            }
        }
    }

    /** At once, or when a disk that lies gets round to it. */
    private void settle(Due next) {
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
        synchronized (disk) {
            if (!disk.directory().has(name)) {
                add(name, 0);
            }
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

    private boolean isLeftOver(String name) {
        synchronized (disk) {
            return disk.directory().files().stream()
                    .noneMatch(file -> realOf(file).name().equals(name));
        }
    }

    @Override
    public Object identityOf(String name) throws IOException {
        if (name.isEmpty()) {
            return real.identityOf(name);
        }
        synchronized (disk) {
            disk.checkPower();
            SimulatedFile file = disk.directory().find(name);
            Object identity = real.identityOf(realOf(file).name());
            // Without inodes it is the name, which changes when it becomes stable.
            return identity.equals(realOf(file).name()) ? file : identity;
        }
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
    public void close() throws IOException {
        synchronized (disk) {
            if (disk.hasCrashed()) {
                return;
            }
            checked(() -> {
                cache.forEach(each -> each.settling.run());
                cache.clear();
                due.forEach(each -> each.settling.run());
                due.clear();
                disk.directory().settle(disk.directory().takeUnforced());
                disk.directory().files().forEach(SimulatedFile::force);
            });
            disk.crash();
        }
        for (String left : real.list()) {
            if (left.startsWith(UNFORCED)) {
                real.delete(left);
            }
        }
        real.close();
    }
}
