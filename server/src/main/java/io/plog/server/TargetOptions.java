package io.plog.server;

import io.plog.log.Force;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One target: a name that requests may be sent to, and the log that they go through.
 *
 * @param name for people and metrics: letters, digits, {@code - _ .}, at most 64
 * @param directory where its log lives; {@code null} only with {@link Force#OFF}, and not touched with it
 * @param force what a reply waits for; {@link Force#OFF} answers without logging
 * @param segmentBytes size of the log's segments; see {@link io.plog.log.LogOptions}
 * @param preparedSegments how many segments are initialised ahead
 * @param retainBytes the server drops the oldest whole segments once the log is larger than this; 0 keeps everything
 */
public record TargetOptions(
        String name, @Nullable Path directory, Force force, long segmentBytes, int preparedSegments, long retainBytes) {
    private static final long SEGMENT_BYTES = 64L << 20;

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
        if (directory == null && force != Force.OFF) {
            throw new IllegalArgumentException("target " + name + " with force=" + force.label()
                    + " has no directory: expected one, or force=off");
        }
        if (retainBytes != 0 && retainBytes < 2 * segmentBytes) {
            throw new IllegalArgumentException("target " + name + ": retain is " + retainBytes
                    + " bytes: expected at least two segments (" + 2 * segmentBytes + "), or 0 to keep everything");
        }
    }

    /** A target with the log's default sizes that keeps everything. */
    public static TargetOptions logged(String name, Path directory, Force force) {
        return new TargetOptions(name, directory, force, SEGMENT_BYTES, 1, 0);
    }

    /** A target that answers without logging. */
    public static TargetOptions unlogged(String name) {
        return new TargetOptions(name, null, Force.OFF, SEGMENT_BYTES, 1, 0);
    }

    /** The same with another segment size. */
    public TargetOptions withSegmentBytes(long bytes) {
        return new TargetOptions(name, directory, force, bytes, preparedSegments, retainBytes);
    }

    /** The same with another number of prepared segments. */
    public TargetOptions withPreparedSegments(int count) {
        return new TargetOptions(name, directory, force, segmentBytes, count, retainBytes);
    }

    /** The same with a bound on the log's size. */
    public TargetOptions withRetainBytes(long bytes) {
        return new TargetOptions(name, directory, force, segmentBytes, preparedSegments, bytes);
    }
}
