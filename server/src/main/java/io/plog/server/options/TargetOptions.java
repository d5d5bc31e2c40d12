package io.plog.server.options;

import io.plog.log.LogOptions;
import io.plog.log.storage.Force;
import io.plog.log.storage.Storage;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.Service;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One target: a name that requests may be sent to, the log that they go through, and the service that executes them. An object
 * never changes: each {@code with} method says what a value means and makes a copy, which is checked. Thread-safe.
 */
public final class TargetOptions implements Cloneable {
    /** With the reserve of a log; about half a second from a disk. */
    public static final int CHECK_AT_START_MEBIBYTES = 512;

    public static final long LEAST_CHECKPOINT_BYTES = 64L << 10;

    /** Another server replays at most about as much when it takes the log over: one to several seconds. */
    private static final long ADDRESS_CHECKPOINT_BYTES = 64L << 20;

    /** Value of {@code retainBytes}: checkpoints drop nothing. */
    public static final long KEEP_ALL = Long.MAX_VALUE;

    private final String name;
    private LogPlace place;
    private long segmentBytes = 64L << 20;
    private int reserveSegments = LogOptions.DEFAULT_RESERVE_SEGMENTS;
    private long retainBytes;
    private long checkpointBytes;
    private long checkAtStartBytes = (long) CHECK_AT_START_MEBIBYTES << 20;
    private Supplier<? extends Service> service = BuiltInService.INVERT;
    private Storage.Opener storage = LogOptions.ON_DISK;

    private TargetOptions(String name, LogPlace place) {
        this.name = name;
        this.place = place;
        check();
    }

    /** A target with the log's default sizes that keeps everything. */
    public static TargetOptions logged(String name, Path directory, Force force) {
        return logged(name, List.of(directory), force);
    }

    /**
     * A target whose log is striped over several directories.
     *
     * @param name for people and metrics: letters, digits, {@code - _ .}, at most 64
     */
    public static TargetOptions logged(String name, List<Path> directories, Force force) {
        return new TargetOptions(name, new LogPlace.Directories(directories, force));
    }

    /** A target whose log is at an address, with a checkpoint after every 64 MiB. */
    public static TargetOptions at(String name, URI address) {
        return new TargetOptions(name, new LogPlace.Address(address))
                .withRetainBytes(KEEP_ALL)
                .with(copy -> copy.checkpointBytes = ADDRESS_CHECKPOINT_BYTES);
    }

    /** A target that answers without logging. */
    public static TargetOptions unlogged(String name) {
        return logged(name, List.of(), Force.OFF);
    }

    private TargetOptions with(Consumer<TargetOptions> change) {
        try {
            TargetOptions copy = (TargetOptions) clone();
            change.accept(copy);
            copy.check();
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void check() {
        if (!name.matches("[A-Za-z0-9_.-]{1,64}")) {
            throw new IllegalArgumentException(
                    "target name '" + name + "': expected 1 to 64 letters, digits, '-', '_' or '.'");
        }
        if (segmentBytes < LogOptions.SEGMENT_GRAIN_BYTES || segmentBytes % LogOptions.SEGMENT_GRAIN_BYTES != 0) {
            throw new IllegalArgumentException("target " + name + ": segment is " + segmentBytes
                    + " bytes: expected a multiple of " + LogOptions.SEGMENT_GRAIN_BYTES);
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

    public String name() {
        return name;
    }

    public LogPlace place() {
        return place;
    }

    /** The directories of its log, in order; none if it is at an address, or there is no log. */
    public List<Path> directories() {
        return place instanceof LogPlace.Directories own ? own.paths() : List.of();
    }

    public boolean isLogged() {
        return place.isLogged();
    }

    /** What a reply waits for, as clients, metrics and reports name it. */
    public String forceLabel() {
        return place.forceLabel();
    }

    /**
     * With another way of forcing.
     *
     * @throws IllegalArgumentException if the log is at an address: what its replies wait for is said there
     */
    public TargetOptions withForce(Force mode) {
        if (!(place instanceof LogPlace.Directories own)) {
            throw new IllegalArgumentException("target " + name + ": force=" + mode.label()
                    + " is for a log in directories; this one is forced by its quorum, as its address says");
        }
        return with(copy -> copy.place = new LogPlace.Directories(own.paths(), mode));
    }

    /** With directories that something else opens, a simulated disk for instance; see {@link LogOptions}. */
    public TargetOptions withStorage(Storage.Opener storage) {
        return with(copy -> copy.storage = storage);
    }

    public Storage.Opener storage() {
        return storage;
    }

    /** With segments of this size; see {@link LogOptions}. */
    public TargetOptions withSegmentBytes(long segmentBytes) {
        return with(copy -> copy.segmentBytes = segmentBytes);
    }

    public long segmentBytes() {
        return segmentBytes;
    }

    /** With so many segments initialised ahead; see {@link LogOptions}. */
    public TargetOptions withReserveSegments(int reserveSegments) {
        return with(copy -> copy.reserveSegments = reserveSegments);
    }

    public int reserveSegments() {
        return reserveSegments;
    }

    /**
     * With a bound on the log's size: once it is larger, the server saves a checkpoint and drops the oldest whole
     * segments until it is not. At least two segments; 0 means that there is no such bound, {@link #KEEP_ALL} that
     * checkpoints drop nothing either.
     */
    public TargetOptions withRetainBytes(long retainBytes) {
        return with(copy -> copy.retainBytes = retainBytes);
    }

    public long retainBytes() {
        return retainBytes;
    }

    /**
     * With a checkpoint each time that the log has grown by this, at least {@value #LEAST_CHECKPOINT_BYTES}, which drops what it makes superfluous unless
     * {@code retainBytes} says how much to keep; 0 for no such checkpoints.
     */
    public TargetOptions withCheckpointBytes(long bytes) {
        return with(copy -> {
            copy.retainBytes = retainBytes == KEEP_ALL ? 0 : retainBytes;
            copy.checkpointBytes = bytes;
        });
    }

    public long checkpointBytes() {
        return checkpointBytes;
    }

    /**
     * With another size up to which a log is checked as a whole before the port opens. The check of records that a
     * checkpoint covers is left for later in a log whose segments take more.
     */
    public TargetOptions withCheckAtStartBytes(long checkAtStartBytes) {
        return with(copy -> copy.checkAtStartBytes = checkAtStartBytes);
    }

    public long checkAtStartBytes() {
        return checkAtStartBytes;
    }

    /** With another service: its maker is asked once for each start of a server, for one in its first state. */
    public TargetOptions withService(Supplier<? extends Service> service) {
        return with(copy -> copy.service = service);
    }

    public Supplier<? extends Service> service() {
        return service;
    }
}
