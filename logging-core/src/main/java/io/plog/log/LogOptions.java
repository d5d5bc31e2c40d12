package io.plog.log;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.StripeId;
import io.plog.log.segment.SegmentOptions;
import io.plog.log.storage.Force;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a log is kept. An object never changes: each {@code with} method says what a value means and makes a copy. A value is
 * checked against its own range when it is set, and values that depend on each other when a log is opened; so they may be set in
 * any order, and after that no other code asks whether they make sense.
 */
public final class LogOptions implements Cloneable {
    /** What an append does when the queue before the log is full. */
    public enum Overflow {
        /** The caller waits until there is room. Never choose this on a thread that must not block. */
        WAIT,
        /** The append is refused at once with {@link io.plog.log.storage.LogRefusedException.QueueFull}; nothing was written. */
        REFUSE
    }

    /** When the records are checked whose effect is in the log's checkpoint. All others are checked at the opening. */
    public enum Check {
        /** Before the log is opened: if one is damaged, the log refuses to open. */
        AT_OPENING,
        /**
         * While the log is at work, so that it opens in a time that hardly depends on its size: if one is damaged, the log fails
         * for good when it is found, and acknowledges appends until then. For an embedder that restores the checkpoint and reads
         * only what lies behind it. A striped log is checked at the opening all the same.
         */
        IN_BACKGROUND
    }

    /** Opens a directory of this machine's disks. */
    public static final Storage.Opener ON_DISK = DiskStorage::new;

    /** Segments are a multiple of this, so that every way of forcing can write them in whole pages. */
    public static final int SEGMENT_GRAIN_BYTES = SegmentHeader.GRAIN_BYTES;

    /** The most directories over which a log can be striped. */
    public static final int MOST_DIRECTORIES = StripeId.MOST;

    /** How many records {@link DurableLog#append(List)} takes at most. */
    public static final int MOST_LISTED_RECORDS = SegmentOptions.MOST_RECORDS;

    /** Every segment takes at least so many of the largest records. */
    private static final int RECORDS_IN_SEGMENT = 4;

    private static final int MIB = 1024 * 1024;

    /** The size of a segment unless another is chosen, in bytes. */
    static final long DEFAULT_SEGMENT_BYTES = 64L * MIB;

    /** The most segments that can be kept ready. */
    public static final int MOST_RESERVE_SEGMENTS = 1024;

    /** How many segments are kept ready unless another number is chosen. */
    public static final int DEFAULT_RESERVE_SEGMENTS = 4;

    private List<Path> directories;
    private Force force = Force.FDATASYNC;
    private int groupsInFlight;
    private long segmentBytes = DEFAULT_SEGMENT_BYTES;
    private long firstSegmentBytes;
    private int reserveSegments = DEFAULT_RESERVE_SEGMENTS;
    private long firstIndex = 1;
    private int maxRecordBytes = MIB;
    private int maxQueuedRecords = 16_384;
    private long maxQueuedBytes = 64L * MIB;
    private int maxBatchBytes = 4 * MIB;
    private Overflow overflow = Overflow.WAIT;
    private Duration idleMark = Duration.ofMillis(200);
    private Duration spin = Duration.ofNanos(200_000);
    private Check check = Check.AT_OPENING;
    private LogListener listener = LogListener.NONE;
    private @Nullable LogRuntime runtime;
    private Storage.Opener storage = ON_DISK;

    private LogOptions(List<Path> directories) {
        this.directories = List.copyOf(Objects.requireNonNull(directories, "directories"));
        groupsInFlight = directories.size() == 1 ? 2 : 1;
        checkEach();
    }

    /** The defaults, for a log in this directory. */
    public static LogOptions in(Path directory) {
        return in(List.of(Objects.requireNonNull(directory, "directory")));
    }

    /** The defaults, for a log that is striped over these directories, in this order. */
    public static LogOptions in(List<Path> directories) {
        return new LogOptions(directories);
    }

    /** The defaults, for a log in one directory that is not of this machine's disks: of a simulated one, say. */
    public static LogOptions on(Storage directory) {
        return in(Path.of("")).withStorage(path -> directory);
    }

    /**
     * For many logs in one process, or logs that mostly hold little: begins with a segment of 128 KiB and grows with what is in it,
     * forces one batch at a time, and takes memory as it is needed.
     */
    public static LogOptions small(Path directory) {
        return in(directory)
                .withFirstSegmentBytes(2 * SEGMENT_GRAIN_BYTES)
                .withGroupsInFlight(1)
                .withMaxQueuedRecords(256);
    }

    private LogOptions with(Consumer<LogOptions> change) {
        try {
            LogOptions copy = (LogOptions) clone();
            change.accept(copy);
            copy.checkEach();
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void checkEach() {
        check("number of directories", directories.size(), 1, MOST_DIRECTORIES);
        if (new HashSet<>(directories).size() < directories.size()) {
            throw new IllegalArgumentException("the same directory twice: " + directories);
        }
        check("groupsInFlight", groupsInFlight, 1, 8);
        Objects.requireNonNull(overflow, "overflow");
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(storage, "storage");
        Objects.requireNonNull(force, "force");
        if (force == Force.OFF) {
            throw new IllegalArgumentException("force=off keeps no log, so there is none to open; serve without one");
        }
        check("segmentBytes", segmentBytes, SEGMENT_GRAIN_BYTES, SegmentHeader.MOST_SEGMENT_BYTES);
        checkGrain("segmentBytes", segmentBytes);
        check("firstSegmentBytes", firstSegmentBytes, 0, SegmentHeader.MOST_SEGMENT_BYTES);
        checkGrain("firstSegmentBytes", firstSegmentBytes);
        check("reserveSegments", reserveSegments, 1, MOST_RESERVE_SEGMENTS);
        checkFirstIndex(firstIndex);
        check("maxRecordBytes", maxRecordBytes, 1, 64L * MIB);
        check("maxQueuedRecords", maxQueuedRecords, 1, 1 << 20);
        check("maxQueuedBytes", maxQueuedBytes, 1, Long.MAX_VALUE);
        check("maxBatchBytes", maxBatchBytes, 1, 1024L * MIB);
        checkDuration("idleMark", idleMark, Duration.ofNanos(1), Duration.ofHours(1));
        checkDuration("spin", spin, Duration.ZERO, Duration.ofMillis(1));
    }

    /**
     * Checks the values against each other, when a log is opened with them.
     *
     * @throws IllegalArgumentException if two do not go together; the message names both, with their values, and what to change
     */
    void checkTogether() {
        if (firstIndex > 1 && directories.size() > 1) {
            throw new IllegalArgumentException("firstIndex is " + firstIndex + ", and there are " + directories.size()
                    + " directories: a log of several begins with 1");
        }
        if (maxRecordBytes > segmentBytes / RECORDS_IN_SEGMENT) {
            throw new IllegalArgumentException(
                    "maxRecordBytes is " + maxRecordBytes + " and segmentBytes is " + segmentBytes
                            + ": a record takes at most a quarter of a segment. Set maxRecordBytes to at most "
                            + segmentBytes / RECORDS_IN_SEGMENT + ", or segmentBytes to at least "
                            + RecordHeader.align((long) maxRecordBytes * RECORDS_IN_SEGMENT, SEGMENT_GRAIN_BYTES));
        }
        checkHoldsRecord("maxQueuedBytes", maxQueuedBytes);
        checkHoldsRecord("maxBatchBytes", maxBatchBytes);
    }

    private void checkHoldsRecord(String name, long value) {
        if (value < maxRecordBytes) {
            throw new IllegalArgumentException(name + " is " + value + " and maxRecordBytes is " + maxRecordBytes
                    + ": the largest record would never fit. Set " + name + " to at least " + maxRecordBytes
                    + ", or maxRecordBytes to at most " + value);
        }
    }

    private static void checkGrain(String name, long value) {
        if (value % SEGMENT_GRAIN_BYTES != 0) {
            throw new IllegalArgumentException(
                    name + " is " + value + ": expected a multiple of " + SEGMENT_GRAIN_BYTES);
        }
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ": expected " + least + " to " + most);
        }
    }

    private static void checkDuration(String name, Duration value, Duration least, Duration most) {
        Objects.requireNonNull(value, name);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " is " + value + ": expected " + least + " to " + most);
        }
    }

    /**
     * Where the log lives: one directory, or several of which each holds a part of the records (a <em>striped</em> log, 2 to
     * 16, best on devices of their own). Each must exist and be writable, and belong to this log alone; of a log with one
     * directory the last name may be missing. A log is opened with
     * as many directories as it was created with.
     */
    public LogOptions withDirectories(List<Path> paths) {
        return with(copy -> copy.directories = List.copyOf(Objects.requireNonNull(paths, "directories")));
    }

    /** Where the log lives, in order. */
    public List<Path> directories() {
        return directories;
    }

    /** What opens the directories: {@link #ON_DISK} unless another is chosen, simulated disks for instance. */
    public LogOptions withStorage(Storage.Opener value) {
        return with(copy -> copy.storage = value);
    }

    public Storage.Opener storage() {
        return storage;
    }

    /** What an append waits for; not {@link Force#OFF}. */
    public LogOptions withForce(Force value) {
        return with(copy -> copy.force = value);
    }

    public Force force() {
        return force;
    }

    /**
     * How many batches of appends may be written and forced at once in each directory, 1 to 8; default 2, and 1 for a
     * striped log. More than one is only used while more appends wait than are in flight; they are acknowledged in order
     * all the same.
     */
    public LogOptions withGroupsInFlight(int value) {
        return with(copy -> copy.groupsInFlight = value);
    }

    public int groupsInFlight() {
        return groupsInFlight;
    }

    /** The size of a segment file: a multiple of 64 KiB, from 64 KiB to 1 GiB; default 64 MiB. */
    public LogOptions withSegmentBytes(long value) {
        return with(copy -> copy.segmentBytes = value);
    }

    public long segmentBytes() {
        return segmentBytes;
    }

    /**
     * The size of a new log's first segment, a multiple of 64 KiB; 0, the default, for {@link #withSegmentBytes}. If it is less, each
     * further segment is a quarter of what the log holds, up to {@code segmentBytes}; until that is reached only one is kept ready. Such
     * a log takes little space while it holds little, and is slower while it grows.
     */
    public LogOptions withFirstSegmentBytes(long value) {
        return with(copy -> copy.firstSegmentBytes = value);
    }

    public long firstSegmentBytes() {
        return firstSegmentBytes == 0 ? segmentBytes : Math.min(firstSegmentBytes, segmentBytes);
    }

    /** Opens the directories. That of a log with one is made if it is missing and its parent is there. */
    List<Storage> openStorages() throws IOException {
        if (storage.equals(ON_DISK)) {
            force.checkFlushes(System.getProperty("os.name", ""));
            if (directories.size() == 1) {
                DiskStorage.makeIfMissing(directories.get(0));
            }
        }
        List<Storage> opened = new ArrayList<>();
        for (Path directory : directories) {
            opened.add(storage.open(directory));
        }
        return opened;
    }

    /** What the segments are made and written with. */
    SegmentOptions segments() {
        return new SegmentOptions(
                force,
                force.isStable() ? groupsInFlight : 1, // without a force there is nothing to overlap
                firstSegmentBytes(),
                segmentBytes,
                firstIndex,
                check == Check.IN_BACKGROUND,
                Math.min(SegmentOptions.MOST_RECORDS, maxQueuedRecords),
                maxBatchBytes,
                maxRecordBytes,
                Math.min(maxBatchBytes, maxQueuedBytes));
    }

    /**
     * How many segments are kept initialised ahead of the one in use, 1 to 1024; default 4. They are ready before the log
     * is opened, and the log cannot lose their space to others. A log that never drops its beginning writes each byte
     * twice in the long run, first as a zero, and only the reserve takes that out of the way of appends.
     */
    public LogOptions withReserveSegments(int value) {
        return with(copy -> copy.reserveSegments = value);
    }

    public int reserveSegments() {
        return reserveSegments;
    }

    /**
     * The index that the first record of a new log gets, 1 to 2^62; default 1. A log that exists is not asked. A log of
     * several directories begins with 1.
     */
    public LogOptions withFirstIndex(long value) {
        return with(copy -> copy.firstIndex = value);
    }

    public long firstIndex() {
        return firstIndex;
    }

    /** Refuses an index with which no log can begin. */
    static void checkFirstIndex(long value) {
        check("firstIndex", value, 1, RecordHeader.MOST_NUMBER);
    }

    /**
     * The largest payload of one record, 1 to 64 MiB; at most a quarter of {@code segmentBytes} when the log is opened;
     * default 1 MiB.
     */
    public LogOptions withMaxRecordBytes(int value) {
        return with(copy -> copy.maxRecordBytes = value);
    }

    public int maxRecordBytes() {
        return maxRecordBytes;
    }

    /** How many appends may wait at once, 1 to 1,048,576; default 16,384. */
    public LogOptions withMaxQueuedRecords(int value) {
        return with(copy -> copy.maxQueuedRecords = value);
    }

    public int maxQueuedRecords() {
        return maxQueuedRecords;
    }

    /**
     * How many payload bytes may wait at once, at least 1, and at least {@code maxRecordBytes} when the log is opened;
     * default 64 MiB.
     */
    public LogOptions withMaxQueuedBytes(long value) {
        return with(copy -> copy.maxQueuedBytes = value);
    }

    public long maxQueuedBytes() {
        return maxQueuedBytes;
    }

    /**
     * How many payload bytes are written and forced together, 1 to 1 GiB, and at least {@code maxRecordBytes} when the log
     * is opened; default 4 MiB.
     */
    public LogOptions withMaxBatchBytes(int value) {
        return with(copy -> copy.maxBatchBytes = value);
    }

    public int maxBatchBytes() {
        return maxBatchBytes;
    }

    /** What happens when the queue is full; default {@link Overflow#WAIT}. */
    public LogOptions withOverflow(Overflow value) {
        return with(copy -> copy.overflow = value);
    }

    public Overflow overflow() {
        return overflow;
    }

    /**
     * How long after the last append the durable watermark is written by itself, off the path of any append; positive, at
     * most an hour; default 200 ms.
     */
    public LogOptions withIdleMark(Duration value) {
        return with(copy -> copy.idleMark = value);
    }

    public Duration idleMark() {
        return idleMark;
    }

    /**
     * How long the log's thread looks for work before it parks, 0 to 1 ms; default 200 µs. It trades processor time right
     * after an append for a hand-off of a few microseconds instead of tens.
     */
    public LogOptions withSpin(Duration value) {
        return with(copy -> copy.spin = value);
    }

    public Duration spin() {
        return spin;
    }

    /** Whose threads do the log's work; null, the default, for threads of its own. */
    public LogOptions withRuntime(@Nullable LogRuntime value) {
        return with(copy -> copy.runtime = value);
    }

    public @Nullable LogRuntime runtime() {
        return runtime;
    }

    /** When records that a checkpoint covers are checked; default {@link Check#AT_OPENING}. */
    public LogOptions withCheck(Check value) {
        return with(copy -> copy.check = value);
    }

    public Check check() {
        return check;
    }

    /** What receives the log's own measurements; default {@link LogListener#NONE}. */
    public LogOptions withListener(LogListener value) {
        return with(copy -> copy.listener = value);
    }

    public LogListener listener() {
        return listener;
    }
}
