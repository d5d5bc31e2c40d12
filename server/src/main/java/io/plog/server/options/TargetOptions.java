package io.plog.server.options;

import io.plog.log.Force;
import io.plog.log.LogOptions;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.Service;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One target: a name that requests may be sent to, the log that they go through, and the service that executes them.
 *
 * @param name for people and metrics: letters, digits, {@code - _ .}, at most 64
 * @param place where its log is kept, if there is one
 * @param segmentBytes size of the log's segments; see {@link io.plog.log.LogOptions}
 * @param reserveSegments how many segments are kept initialised ahead; see {@link io.plog.log.LogOptions}
 * @param retainBytes once the log is larger than this, the server saves a checkpoint and drops the oldest whole segments
 *     until it is not; 0 means that there is no such bound, {@link #KEEP_ALL} that checkpoints drop nothing either
 * @param checkpointBytes the server saves a checkpoint each time that the log has grown by this, at least 64 KiB, and, unless
 *     {@code retainBytes} says how much to keep, drops what that makes superfluous; 0 for no such checkpoints
 * @param checkAtStartBytes a log whose segments take more than this leaves the check of records that a checkpoint covers for
 *     later, when the server is at work; smaller ones are read as a whole before the port opens
 * @param service makes the service that executes the requests, in its first state; asked once for each start of a server
 */
public record TargetOptions(
        String name,
        LogPlace place,
        long segmentBytes,
        int reserveSegments,
        long retainBytes,
        long checkpointBytes,
        long checkAtStartBytes,
        Supplier<? extends Service> service) {
    private static final long SEGMENT_BYTES = 64L << 20;
    private static final int RESERVE_SEGMENTS = LogOptions.DEFAULT_RESERVE_SEGMENTS;

    /** With the reserve of a log; about half a second from a disk. */
    private static final long CHECK_AT_START_BYTES = 512L << 20;

    private static final long LEAST_CHECKPOINT_BYTES = 64L << 10;

    /** Another server replays at most about as much when it takes the log over: one to several seconds. */
    private static final long ADDRESS_CHECKPOINT_BYTES = 64L << 20;

    /** Value of {@code retainBytes}: checkpoints drop nothing. */
    public static final long KEEP_ALL = Long.MAX_VALUE;

    /**
     * Checks what can be checked without the disk.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public TargetOptions {
        if (!name.matches("[A-Za-z0-9_.-]{1,64}")) {
            throw new IllegalArgumentException(
                    "target name '" + name + "': expected 1 to 64 letters, digits, '-', '_' or '.'");
        }
        if (retainBytes != 0 && retainBytes < 2 * segmentBytes) {
            throw new IllegalArgumentException("target " + name + ": retain is " + retainBytes
                    + " bytes: expected at least two segments (" + 2 * segmentBytes + "), or 0 to keep everything");
        }
        if (checkpointBytes != 0 && checkpointBytes < LEAST_CHECKPOINT_BYTES) {
            throw new IllegalArgumentException("target " + name + ": checkpoint is " + checkpointBytes
                    + " bytes: expected at least " + LEAST_CHECKPOINT_BYTES + ", or 0 for none by size");
        }
    }

    /** A target with the log's default sizes that keeps everything. */
    public static TargetOptions logged(String name, Path directory, Force force) {
        return logged(name, List.of(directory), force);
    }

    /** The same with a log that is striped over several directories. */
    public static TargetOptions logged(String name, List<Path> directories, Force force) {
        return new TargetOptions(
                name,
                new LogPlace.Directories(directories, force),
                SEGMENT_BYTES,
                RESERVE_SEGMENTS,
                0,
                0,
                CHECK_AT_START_BYTES,
                BuiltInService.INVERT);
    }

    /** The same with a log at an address, which has a checkpoint after every 64 MiB. */
    public static TargetOptions at(String name, URI address) {
        return new TargetOptions(
                name,
                new LogPlace.Address(address),
                SEGMENT_BYTES,
                RESERVE_SEGMENTS,
                KEEP_ALL,
                ADDRESS_CHECKPOINT_BYTES,
                CHECK_AT_START_BYTES,
                BuiltInService.INVERT);
    }

    /** A target that answers without logging. */
    public static TargetOptions unlogged(String name) {
        return new TargetOptions(
                name,
                new LogPlace.Directories(List.of(), Force.OFF),
                SEGMENT_BYTES,
                RESERVE_SEGMENTS,
                0,
                0,
                CHECK_AT_START_BYTES,
                BuiltInService.INVERT);
    }

    /** The directories of its log, in order; none if it is at an address, or there is no log. */
    public List<Path> directories() {
        return place instanceof LogPlace.Directories own ? own.paths() : List.of();
    }

    /** The first of the directories, or the only one; {@code null} if there is none. */
    public @Nullable Path directory() {
        return directories().isEmpty() ? null : directories().get(0);
    }

    /** Whether requests are logged. */
    public boolean isLogged() {
        return place.isLogged();
    }

    /** What a reply waits for, as clients, metrics and reports name it. */
    public String forceLabel() {
        return place.forceLabel();
    }

    /**
     * The same with another way of forcing.
     *
     * @throws IllegalArgumentException if the log is at an address: what its replies wait for is said there
     */
    public TargetOptions withForce(Force mode) {
        if (!(place instanceof LogPlace.Directories own)) {
            throw new IllegalArgumentException("target " + name + ": force=" + mode.label()
                    + " is for a log in directories; this one is forced by its quorum, as its address says");
        }
        return new TargetOptions(
                name,
                new LogPlace.Directories(own.paths(), mode),
                segmentBytes,
                reserveSegments,
                retainBytes,
                checkpointBytes,
                checkAtStartBytes,
                service);
    }

    /** The same with another segment size. */
    public TargetOptions withSegmentBytes(long bytes) {
        return new TargetOptions(
                name, place, bytes, reserveSegments, retainBytes, checkpointBytes, checkAtStartBytes, service);
    }

    /** The same with another reserve. */
    public TargetOptions withReserveSegments(int count) {
        return new TargetOptions(
                name, place, segmentBytes, count, retainBytes, checkpointBytes, checkAtStartBytes, service);
    }

    /** The same with a bound on the log's size. */
    public TargetOptions withRetainBytes(long bytes) {
        return new TargetOptions(
                name, place, segmentBytes, reserveSegments, bytes, checkpointBytes, checkAtStartBytes, service);
    }

    /** The same with checkpoints by size, which drop what they make superfluous unless {@code retainBytes} is set. */
    public TargetOptions withCheckpointBytes(long bytes) {
        long retain = retainBytes == KEEP_ALL ? 0 : retainBytes;
        return new TargetOptions(name, place, segmentBytes, reserveSegments, retain, bytes, checkAtStartBytes, service);
    }

    /** The same with another size up to which a log is checked as a whole at the start. */
    public TargetOptions withCheckAtStartBytes(long bytes) {
        return new TargetOptions(
                name, place, segmentBytes, reserveSegments, retainBytes, checkpointBytes, bytes, service);
    }

    /** The same with another service. */
    public TargetOptions withService(Supplier<? extends Service> maker) {
        return new TargetOptions(
                name, place, segmentBytes, reserveSegments, retainBytes, checkpointBytes, checkAtStartBytes, maker);
    }
}
