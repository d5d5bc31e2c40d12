package io.plog.server.options;

import io.plog.log.Force;
import io.plog.log.LogOptions;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.Service;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One target: a name that requests may be sent to, the log that they go through, and the service that executes them.
 *
 * @param name for people and metrics: letters, digits, {@code - _ .}, at most 64
 * @param directories where its log lives: one directory, or several over which it is striped, in order; none only with
 *     {@link Force#OFF}, and not touched with it
 * @param force what a reply waits for; {@link Force#OFF} answers without logging
 * @param segmentBytes size of the log's segments; see {@link io.plog.log.LogOptions}
 * @param reserveSegments how many segments are kept initialised ahead; see {@link io.plog.log.LogOptions}
 * @param retainBytes once the log is larger than this, the server saves a checkpoint and drops the oldest whole segments
 *     until it is not; 0 means that there is no such bound
 * @param checkpointBytes the server saves a checkpoint each time that the log has grown by this, at least 64 KiB, and, unless
 *     {@code retainBytes} says how much to keep, drops what that makes superfluous; 0 for no such checkpoints
 * @param service makes the service that executes the requests, in its first state; asked once for each start of a server
 */
public record TargetOptions(
        String name,
        List<Path> directories,
        Force force,
        long segmentBytes,
        int reserveSegments,
        long retainBytes,
        long checkpointBytes,
        Supplier<? extends Service> service) {
    private static final long SEGMENT_BYTES = 64L << 20;
    private static final int RESERVE_SEGMENTS = LogOptions.DEFAULT_RESERVE_SEGMENTS;
    private static final long LEAST_CHECKPOINT_BYTES = 64L << 10;

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
        directories = List.copyOf(directories);
        if (directories.isEmpty() && force != Force.OFF) {
            throw new IllegalArgumentException("target " + name + " with force=" + force.label()
                    + " has no directory: expected one, or force=off");
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
                name, directories, force, SEGMENT_BYTES, RESERVE_SEGMENTS, 0, 0, BuiltInService.INVERT);
    }

    /** A target that answers without logging. */
    public static TargetOptions unlogged(String name) {
        return new TargetOptions(
                name, List.of(), Force.OFF, SEGMENT_BYTES, RESERVE_SEGMENTS, 0, 0, BuiltInService.INVERT);
    }

    /** The first of the directories, or the only one; {@code null} if there is none. */
    public @Nullable Path directory() {
        return directories.isEmpty() ? null : directories.get(0);
    }

    /** The same with another way of forcing. */
    public TargetOptions withForce(Force mode) {
        return new TargetOptions(
                name, directories, mode, segmentBytes, reserveSegments, retainBytes, checkpointBytes, service);
    }

    /** The same with another segment size. */
    public TargetOptions withSegmentBytes(long bytes) {
        return new TargetOptions(
                name, directories, force, bytes, reserveSegments, retainBytes, checkpointBytes, service);
    }

    /** The same with another reserve. */
    public TargetOptions withReserveSegments(int count) {
        return new TargetOptions(name, directories, force, segmentBytes, count, retainBytes, checkpointBytes, service);
    }

    /** The same with a bound on the log's size. */
    public TargetOptions withRetainBytes(long bytes) {
        return new TargetOptions(
                name, directories, force, segmentBytes, reserveSegments, bytes, checkpointBytes, service);
    }

    /** The same with checkpoints by size. */
    public TargetOptions withCheckpointBytes(long bytes) {
        return new TargetOptions(name, directories, force, segmentBytes, reserveSegments, retainBytes, bytes, service);
    }

    /** The same with another service. */
    public TargetOptions withService(Supplier<? extends Service> maker) {
        return new TargetOptions(
                name, directories, force, segmentBytes, reserveSegments, retainBytes, checkpointBytes, maker);
    }
}
