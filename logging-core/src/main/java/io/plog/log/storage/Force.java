package io.plog.log.storage;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What an append waits for before it counts as durable. The names are the same in options, results and metrics.
 *
 * <p>Only {@link #FDATASYNC}, {@link #FSYNC}, {@link #DSYNC} and {@link #DIRECT} ask the device to make the bytes
 * stable. {@link #OFF} and {@link #WRITE} are controls for measurements: what they acknowledge can be lost.
 *
 * <p>Everything that depends on the way of forcing is a property of its constant; no other class distinguishes the ways.
 */
public enum Force {
    /** Nothing is logged. A server answers at once; {@link io.plog.log.MessageLog} refuses to be opened this way. */
    OFF(Storage.Access.WRITE, Call.NONE, false),
    /** Handed to the operating system only: survives the death of the process, not of the machine. */
    WRITE(Storage.Access.WRITE, Call.NONE, false),
    /** {@code fdatasync} ({@code FileChannel.force(false)}) after each batch of appends. The default. */
    FDATASYNC(Storage.Access.WRITE_UNCACHED, Call.FDATASYNC, true),
    /** {@code fsync} ({@code FileChannel.force(true)}) after each batch of appends. */
    FSYNC(Storage.Access.WRITE, Call.FSYNC, true),
    /** The segment is opened with {@code O_DSYNC}: each write returns when it is stable. */
    DSYNC(Storage.Access.WRITE_DSYNC, Call.NONE, true),
    /** {@code O_DIRECT} and {@code O_DSYNC}: aligned writes that go around the page cache. */
    DIRECT(Storage.Access.WRITE_DIRECT, Call.NONE, true);

    /** The system call that makes a write stable. */
    private enum Call {
        NONE,
        FDATASYNC,
        FSYNC
    }

    private final Storage.Access access;
    private final boolean callsForce;
    private final boolean forcesMetadata;
    private final boolean stable;

    Force(Storage.Access access, Call call, boolean stable) {
        this.access = access;
        this.callsForce = call != Call.NONE;
        this.forcesMetadata = call == Call.FSYNC;
        this.stable = stable;
    }

    /** The name used on the command line, in results and in metrics: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether what was acknowledged this way is meant to survive a power cut. */
    public boolean isStable() {
        return stable;
    }

    /**
     * Refuses a way that leaves the bytes in the drive's cache: on macOS the JDK's calls that force a file flush it
     * ({@code F_FULLFSYNC}), but neither {@code O_DSYNC} nor {@code F_NOCACHE} does.
     *
     * @param system as the property {@code os.name} has it
     * @throws LogException if it does; in one sentence
     */
    public void checkFlushes(String system) throws LogException {
        if (stable && !callsForce && system.startsWith("Mac")) {
            throw new LogException("force=" + label() + " does not flush the drive on " + system
                    + ", so what is acknowledged could be lost; choose force=fdatasync");
        }
    }

    /** How a log opens the segments that it appends to. */
    public Storage.Access access() {
        return access;
    }

    /** Whether address, position and length of each write are multiples of 4096 bytes, wherever records begin and end. */
    public boolean writesWholeBlocks() {
        return access.writesWholeBlocks();
    }

    /** Whether each batch of appends is padded to whole blocks, so that no block with durable records is written again. */
    public boolean padsGroups() {
        return access == Storage.Access.WRITE_DIRECT;
    }

    /** Whether a system call of its own follows each write to make it stable, which takes time in addition to the write's. */
    public boolean callsForce() {
        return callsForce;
    }

    /**
     * Makes what was written stable, where the write itself did not: {@code fdatasync} or {@code fsync} if this way
     * {@link #callsForce}, otherwise nothing.
     *
     * @param file opened with {@link #access}
     * @throws IOException if the operating system reports an error; then what is stable is not known
     */
    public void force(Storage.FileHandle file) throws IOException {
        if (callsForce) {
            file.force(forcesMetadata);
        }
    }

    /**
     * The way of forcing with this label.
     *
     * @throws IllegalArgumentException if there is none; the message lists them all
     */
    public static Force ofLabel(String label) {
        for (Force force : values()) {
            if (force.label().equals(label)) {
                return force;
            }
        }
        throw new IllegalArgumentException("unknown way of forcing '" + label + "': expected one of "
                + Arrays.stream(values()).map(Force::label).collect(Collectors.joining(", ")));
    }
}
