package io.plog.simdisk;

import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.Storage;
import io.plog.log.storage.Storage.FileHandle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that keeps what was forced apart from what was not, fails on demand, and can lose power. To test a
 * service, open its log on one, let it work, crash it, and start the service again on what is left:
 *
 * <pre>{@code
 * SimulatedDisk disk = new SimulatedDisk(512, seed);
 * disk.faults().crashAtOperation(n);
 * try (MessageLog log = MessageLog.open(LogOptions.on(disk))) {
 *     work(log); // until a PowerLostException is the cause of a failure
 * }
 * MessageLog log = MessageLog.open(LogOptions.on(disk.afterCrash(anotherSeed))); // whatever was acknowledged is there
 * }</pre>
 *
 * <p>What it knows: a crash at any changing operation, after which any subset of the unforced sectors, lengths and
 * directory entries is there, torn and out of order; the death of the process only; short writes, failing writes and forces, no space
 * ({@link #faults}); and damage to what lies on it ({@link #damage}).
 *
 * <p>Everything that is left to chance comes from the seeds given, so the same calls have the same outcome. Operations
 * take no time. Thread-safe; so that a test repeats exactly, its threads must take turns.
 *
 * <p>What it cannot show: a device that lies about a flush, bytes of a sector torn within the sector, another file system's
 * rules for directories than "any subset of the unforced changes".
 */
public final class SimulatedDisk implements Storage {
    /** In the name of a segment that is being made; it is random. */
    private static final Pattern WRITER_ID = Pattern.compile("\\.[0-9a-f]{8}\\.");

    private final Sectors sectors;
    private final Place place;
    private final SplittableRandom random;
    private final Faults faults;
    private final Damage damage;
    private SimulatedDirectory directory;
    private long files; // how many there were
    private boolean off;
    private boolean locked;
    private int openFiles;
    private @Nullable List<String> trace;

    /** An empty directory, with the seed 0. */
    public SimulatedDisk(int sectorBytes) {
        this(sectorBytes, 0);
    }

    /**
     * An empty directory, the entry of which in its parent is stable.
     *
     * @param sectorBytes what the device writes in one piece: 512 or 4096
     * @param seed decides how far an interrupted operation went and what a partly failed one did
     */
    public SimulatedDisk(int sectorBytes, long seed) {
        this(sectorBytes, seed, MemoryFile.PLACE);
    }

    SimulatedDisk(int sectorBytes, long seed, Place place) {
        sectors = new Sectors(sectorBytes);
        this.place = place;
        directory = new SimulatedDirectory(place);
        random = new SplittableRandom(seed);
        faults = new Faults(this, random);
        damage = new Damage(this);
    }

    /** Makes the directory one that was just created: until its parent is forced, a crash may leave it empty. */
    public synchronized SimulatedDisk inNewDirectory() {
        directory.isNew();
        return this;
    }

    /** What is to go wrong from now on. */
    public Faults faults() {
        return faults;
    }

    /** Changes what lies on the disk, behind the back of its user. */
    public Damage damage() {
        return damage;
    }

    /** Loses power now: every operation that comes throws {@link PowerLostException}. */
    public synchronized void crash() {
        off = true;
    }

    /** Whether it has lost power. */
    public synchronized boolean hasCrashed() {
        return off;
    }

    /** The disk as the next start of the machine finds it, the survivors chosen by a seed. This one is off from now on. */
    public SimulatedDisk afterCrash(long seed) {
        return afterCrash(new SplittableRandom(seed));
    }

    /** The disk after a power cut, the survivors chosen by a source of chance that the caller continues to use. */
    public synchronized SimulatedDisk afterCrash(SplittableRandom chance) {
        off = true;
        SimulatedDisk after = new SimulatedDisk(sectors.bytes(), chance.nextLong());
        after.trace = trace == null ? null : new ArrayList<>(trace);
        after.directory = directory.survivor(after.sectors, chance);
        return after;
    }

    /**
     * The disk as the next process finds it when only the process died, at this moment or in the middle of the operation
     * that was to crash: all that was written is there, forced or not. This one is off from now on.
     */
    public synchronized SimulatedDisk afterKill() {
        off = true;
        return copy();
    }

    /** A copy, forced and unforced apart, with no fault armed; the two share nothing. */
    public synchronized SimulatedDisk copy() {
        SimulatedDisk copy = new SimulatedDisk(sectors.bytes(), random.nextLong());
        copy.trace = trace == null ? null : new ArrayList<>(trace);
        copy.directory = directory.copy(copy.sectors);
        return copy;
    }

    /** Makes all names stable, as a file system may by itself. */
    public synchronized void settleNames() {
        directory.settle(directory.takeUnforced());
    }

    /** How many bytes the device writes in one piece. */
    public int sectorBytes() {
        return sectors.bytes();
    }

    /** The names that a process sees, sorted. */
    public synchronized List<String> files() {
        return directory.list();
    }

    /** What a process reads from a file, all of it. Works on a disk that is off, too. */
    public synchronized byte[] bytes(String name) throws NoSuchFileException {
        return directory.find(name).bytes();
    }

    /** How often a file got another name; what a crash took back of that counts, too. */
    public synchronized int renames(String name) throws NoSuchFileException {
        return directory.find(name).renames();
    }

    /** Whether a crash could take nothing of a file's content; its name is another matter. */
    public synchronized boolean isStable(String name) throws NoSuchFileException {
        return directory.find(name).isStable();
    }

    /** How many operations there were that change something, or make something stable. */
    public synchronized long operations() {
        return faults.operations();
    }

    /** The name of a file without its writer's id, if it has one, so that two runs of a history read the same. */
    public static String withoutWriterId(String name) {
        return WRITER_ID.matcher(name).replaceFirst(".");
    }

    /** Notes every changing operation from now on, for {@link #trace}, also on the disks that this one becomes. */
    public synchronized SimulatedDisk keepTrace() {
        trace = new ArrayList<>();
        return this;
    }

    /** The operations since {@link #keepTrace}, in order: what was done, and to which file. */
    public synchronized List<String> trace() {
        return trace == null ? List.of() : new ArrayList<>(trace);
    }

    /** Puts a line of the caller's own into the trace. */
    public synchronized void note(String line) {
        if (trace != null) {
            trace.add(line);
        }
    }

    /** How many files are open. */
    public synchronized int openFiles() {
        return openFiles;
    }

    Sectors sectors() {
        return sectors;
    }

    SimulatedDirectory directory() {
        return directory;
    }

    /** @param bytes of what is stable already */
    SimulatedFile newFile(Place.StableFile stable, long bytes) {
        return new SimulatedFile(sectors, stable, ++files, bytes);
    }

    void fileClosed() {
        openFiles--;
    }

    void checkPower() throws PowerLostException {
        if (off) {
            throw new PowerLostException();
        }
    }

    /** Counts a changing operation; returns whether the power goes in the middle of it. */
    boolean begin(String what, String name) throws PowerLostException {
        checkPower();
        if (trace != null) {
            trace.add(what + " " + withoutWriterId(name));
        }
        off = faults.powerGoes();
        return off;
    }

    private interface Change {
        void make() throws IOException;
    }

    /** A change of the directory; one that the power interrupts may survive and may not, as any that is not forced. */
    private void change(boolean powerGoes, Change change) throws IOException {
        Faults.Outcome outcome = faults.change();
        if (outcome != Faults.Outcome.FAILED && !(powerGoes && faults.partOf(1) == 0)) {
            change.make();
        }
        if (powerGoes) {
            throw new PowerLostException();
        }
        failIf(outcome != Faults.Outcome.DONE);
    }

    @Override
    public synchronized List<String> list() throws IOException {
        checkPower();
        return directory.list();
    }

    @Override
    public synchronized FileHandle create(String name) throws IOException {
        checkPower();
        directory.checkFree(name);
        SimulatedFile file = newFile(place.create(sectors), 0);
        change(begin("create", name), () -> directory.add(name, file));
        openFiles++;
        return new OpenFile(this, file, name, Access.WRITE);
    }

    @Override
    public synchronized FileHandle open(String name, Access access) throws IOException {
        checkPower();
        SimulatedFile file = directory.find(name);
        openFiles++;
        return new OpenFile(this, file, name, access);
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        checkPower();
        directory.find(from);
        change(begin("rename", from + " to " + to), () -> {
            if (directory.has(to) && directory.linksOf(to) == 1) {
                faults.freed(directory.find(to).size());
            }
            directory.find(from).renamed();
            directory.rename(from, to);
        });
    }

    @Override
    public synchronized void link(String name, String second) throws IOException {
        checkPower();
        directory.checkFree(second);
        SimulatedFile file = directory.find(name);
        change(begin("link", second), () -> directory.add(second, file));
    }

    @Override
    public synchronized int linksOf(String name) throws IOException {
        checkPower();
        return directory.linksOf(name);
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        checkPower();
        if (!directory.has(name)) {
            return;
        }
        SimulatedFile file = directory.find(name);
        change(begin("delete", name), () -> {
            faults.freed(directory.linksOf(name) == 1 ? file.size() : 0);
            directory.remove(name);
        });
    }

    @Override
    public synchronized void forceDirectory() throws IOException {
        beginForce("directory");
        directory.settle(directory.takeUnforced());
    }

    @Override
    public synchronized void forceParentDirectory() throws IOException {
        beginForce("parent");
        directory.forceParent();
    }

    private void beginForce(String name) throws IOException {
        if (begin("force", name)) {
            throw new PowerLostException();
        }
        failIf(faults.forceFails());
    }

    private void failIf(boolean fails) throws IOException {
        if (fails) {
            throw failure();
        }
    }

    /** What a failing operation throws; the trace says so. */
    IOException failure() {
        note("  it fails");
        return new IOException("Input/output error");
    }

    /**
     * Forgets the writer's lock, as the kernel does when somebody deletes the lock's file, or when the process that holds it
     * opens that file once more and closes it.
     */
    public synchronized void dropLock() {
        locked = false;
    }

    @Override
    public synchronized Closeable lock(String name) throws IOException {
        checkPower();
        if (locked) {
            throw new LogLockedException("the log on " + describe() + " is already open");
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
}
