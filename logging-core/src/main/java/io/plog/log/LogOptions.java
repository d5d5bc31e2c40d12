package io.plog.log;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How a log is kept. Every value is checked against its own range here, and those that depend on each other when a log is
 * opened with them; so they may be set in any order, and after that no other code asks whether they make sense.
 *
 * @param directories where the log lives: one directory, or several of which each holds a part of the records (a
 *     <em>striped</em> log, 2 to 16, best on devices of their own). Each must exist and be writable, and belong to this
 *     log alone. A log is opened with as many directories as it was created with
 * @param force what an append waits for; not {@link Force#OFF}
 * @param groupsInFlight how many batches of appends may be written and forced at once in each directory, 1 to 8; default 2,
 *     and 1 for a striped log. More than one is only used while more appends wait than are in flight; they are acknowledged
 *     in order all the same
 * @param segmentBytes size of a segment file: a multiple of 64 KiB, from 64 KiB to 1 GiB; default 64 MiB
 * @param reserveSegments how many segments are kept initialised ahead of the one in use, 1 to 1024; default 4. They are ready
 *     before the log is opened, and the log cannot lose their space to others. A log that never drops its beginning writes each
 *     byte twice in the long run, first as a zero, and only the reserve takes that out of the way of appends
 * @param maxRecordBytes the largest payload of one record, 1 to 64 MiB; at most a quarter of
 *     {@code segmentBytes} when the log is opened; default 1 MiB
 * @param maxQueuedRecords appends that may wait at once, 1 to 1,048,576; default 16,384
 * @param maxQueuedBytes payload bytes that may wait at once, at least 1, and at least {@code maxRecordBytes} when the log is
 *     opened; default 64 MiB
 * @param maxBatchBytes payload bytes written and forced together, 1 to 1 GiB, and at least {@code maxRecordBytes} when the log
 *     is opened; default 4 MiB
 * @param overflow what happens when the queue is full; default {@link Overflow#WAIT}
 * @param idleMark how long after the last append the durable watermark is written by itself, off the path of any
 *     append; positive, at most an hour; default 200 ms
 * @param spin how long the log's thread looks for work before it parks, 0 to 1 ms; default 200 µs. It trades processor
 *     time right after an append for a hand-off of a few microseconds instead of tens
 * @param check when records that a checkpoint covers are checked; default {@link Check#AT_OPENING}
 * @param listener receives the log's own measurements; default {@link LogListener#NONE}
 */
public record LogOptions(
        List<Path> directories,
        Force force,
        int groupsInFlight,
        long segmentBytes,
        int reserveSegments,
        int maxRecordBytes,
        int maxQueuedRecords,
        long maxQueuedBytes,
        int maxBatchBytes,
        Overflow overflow,
        Duration idleMark,
        Duration spin,
        Check check,
        LogListener listener) {

    /** What an append does when the queue before the log is full. */
    public enum Overflow {
        /** The caller waits until there is room. Never choose this on a thread that must not block. */
        WAIT,
        /** The append is refused at once with {@link LogRefusedException.QueueFull}; nothing was written. */
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

    /** Segments are a multiple of this, so that every way of forcing can write them in whole pages. */
    public static final int SEGMENT_GRAIN_BYTES = 64 * 1024;

    /** The most directories over which a log can be striped. */
    public static final int MOST_DIRECTORIES = StripeId.MOST;

    /** Every segment takes at least so many of the largest records. */
    private static final int RECORDS_IN_SEGMENT = 4;

    private static final int MIB = 1024 * 1024;

    /** The size of a segment unless another is chosen, in bytes. */
    static final long DEFAULT_SEGMENT_BYTES = 64L * MIB;

    /** The most segments that can be kept ready. */
    public static final int MOST_RESERVE_SEGMENTS = 1024;

    /** How many segments are kept ready unless another number is chosen. */
    public static final int DEFAULT_RESERVE_SEGMENTS = 4;

    /**
     * Checks every value by itself.
     *
     * @throws IllegalArgumentException if one is out of its range; the message names it, its value and the range
     */
    public LogOptions {
        directories = List.copyOf(directories);
        check("number of directories", directories.size(), 1, MOST_DIRECTORIES);
        if (new HashSet<>(directories).size() < directories.size()) {
            throw new IllegalArgumentException("the same directory twice: " + directories);
        }
        check("groupsInFlight", groupsInFlight, 1, 8);
        Objects.requireNonNull(overflow, "overflow");
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(listener, "listener");
        if (force == Force.OFF) {
            throw new IllegalArgumentException("force=off keeps no log, so there is none to open; serve without one");
        }
        check("segmentBytes", segmentBytes, SEGMENT_GRAIN_BYTES, 1024L * MIB);
        if (segmentBytes % SEGMENT_GRAIN_BYTES != 0) {
            throw new IllegalArgumentException(
                    "segmentBytes is " + segmentBytes + ": expected a multiple of " + SEGMENT_GRAIN_BYTES);
        }
        check("reserveSegments", reserveSegments, 1, MOST_RESERVE_SEGMENTS);
        check("maxRecordBytes", maxRecordBytes, 1, 64L * MIB);
        check("maxQueuedRecords", maxQueuedRecords, 1, 1 << 20);
        check("maxQueuedBytes", maxQueuedBytes, 1, Long.MAX_VALUE);
        check("maxBatchBytes", maxBatchBytes, 1, 1024L * MIB);
        checkDuration("idleMark", idleMark, Duration.ofNanos(1), Duration.ofHours(1));
        checkDuration("spin", spin, Duration.ZERO, Duration.ofMillis(1));
    }

    /** The defaults, for a log in this directory. */
    public static LogOptions in(Path directory) {
        return in(List.of(directory));
    }

    /** The defaults, for a log that is striped over these directories, in this order. */
    public static LogOptions in(List<Path> directories) {
        return new LogOptions(
                directories,
                Force.FDATASYNC,
                directories.size() == 1 ? 2 : 1,
                DEFAULT_SEGMENT_BYTES,
                DEFAULT_RESERVE_SEGMENTS,
                MIB,
                16_384,
                64L * MIB,
                4 * MIB,
                Overflow.WAIT,
                Duration.ofMillis(200),
                Duration.ofNanos(200_000),
                Check.AT_OPENING,
                LogListener.NONE);
    }

    /**
     * Checks the values against each other, when a log is opened with them.
     *
     * @throws IllegalArgumentException if two do not go together; the message names both, with their values, and what to change
     */
    void checkTogether() {
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

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ": expected " + least + " to " + most);
        }
    }

    private static void checkDuration(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " is " + value + ": expected " + least + " to " + most);
        }
    }

    /** The first, and usually only, of {@link #directories}. */
    public Path directory() {
        return directories.get(0);
    }

    /** The same with other {@code directories}. */
    public LogOptions withDirectories(List<Path> directories) {
        return with(draft -> draft.directories = directories);
    }

    /** The same with another {@code force}. */
    public LogOptions withForce(Force force) {
        return with(draft -> draft.force = force);
    }

    /** The same with another {@code groupsInFlight}. */
    public LogOptions withGroupsInFlight(int groupsInFlight) {
        return with(draft -> draft.groupsInFlight = groupsInFlight);
    }

    /** The same with another {@code segmentBytes}. */
    public LogOptions withSegmentBytes(long segmentBytes) {
        return with(draft -> draft.segmentBytes = segmentBytes);
    }

    /** The same with another {@code reserveSegments}. */
    public LogOptions withReserveSegments(int reserveSegments) {
        return with(draft -> draft.reserveSegments = reserveSegments);
    }

    /** The same with another {@code maxRecordBytes}. */
    public LogOptions withMaxRecordBytes(int maxRecordBytes) {
        return with(draft -> draft.maxRecordBytes = maxRecordBytes);
    }

    /** The same with another {@code maxQueuedRecords}. */
    public LogOptions withMaxQueuedRecords(int maxQueuedRecords) {
        return with(draft -> draft.maxQueuedRecords = maxQueuedRecords);
    }

    /** The same with another {@code maxQueuedBytes}. */
    public LogOptions withMaxQueuedBytes(long maxQueuedBytes) {
        return with(draft -> draft.maxQueuedBytes = maxQueuedBytes);
    }

    /** The same with another {@code maxBatchBytes}. */
    public LogOptions withMaxBatchBytes(int maxBatchBytes) {
        return with(draft -> draft.maxBatchBytes = maxBatchBytes);
    }

    /** The same with another {@code overflow}. */
    public LogOptions withOverflow(Overflow overflow) {
        return with(draft -> draft.overflow = overflow);
    }

    /** The same with another {@code idleMark}. */
    public LogOptions withIdleMark(Duration idleMark) {
        return with(draft -> draft.idleMark = idleMark);
    }

    /** The same with another {@code spin}. */
    public LogOptions withSpin(Duration spin) {
        return with(draft -> draft.spin = spin);
    }

    /** The same with another {@code check}. */
    public LogOptions withCheck(Check check) {
        return with(draft -> draft.check = check);
    }

    /** The same with another {@code listener}. */
    public LogOptions withListener(LogListener listener) {
        return with(draft -> draft.listener = listener);
    }

    private LogOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** The values of options that are about to be made, not checked yet. */
    private static final class Draft {
        private List<Path> directories;
        private Force force;
        private int groupsInFlight;
        private long segmentBytes;
        private int reserveSegments;
        private int maxRecordBytes;
        private int maxQueuedRecords;
        private long maxQueuedBytes;
        private int maxBatchBytes;
        private Overflow overflow;
        private Duration idleMark;
        private Duration spin;
        private Check check;
        private LogListener listener;

        Draft(LogOptions options) {
            directories = options.directories;
            force = options.force;
            groupsInFlight = options.groupsInFlight;
            segmentBytes = options.segmentBytes;
            reserveSegments = options.reserveSegments;
            maxRecordBytes = options.maxRecordBytes;
            maxQueuedRecords = options.maxQueuedRecords;
            maxQueuedBytes = options.maxQueuedBytes;
            maxBatchBytes = options.maxBatchBytes;
            overflow = options.overflow;
            idleMark = options.idleMark;
            spin = options.spin;
            check = options.check;
            listener = options.listener;
        }

        LogOptions options() {
            return new LogOptions(
                    directories,
                    force,
                    groupsInFlight,
                    segmentBytes,
                    reserveSegments,
                    maxRecordBytes,
                    maxQueuedRecords,
                    maxQueuedBytes,
                    maxBatchBytes,
                    overflow,
                    idleMark,
                    spin,
                    check,
                    listener);
        }
    }
}
