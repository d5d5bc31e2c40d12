package io.plog.log;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What an append waits for before it counts as durable. The names are the same in options, results and metrics.
 *
 * <p>Only {@link #FDATASYNC}, {@link #FSYNC}, {@link #DSYNC} and {@link #DIRECT} ask the device to make the bytes
 * stable. {@link #OFF} and {@link #WRITE} are controls for measurements: what they acknowledge can be lost.
 */
public enum Force {
    /** Nothing is logged. A server answers at once; {@link MessageLog} refuses to be opened this way. */
    OFF,
    /** Handed to the operating system only: survives the death of the process, not of the machine. */
    WRITE,
    /** {@code FileChannel.force(false)} after each group of appends. The default. */
    FDATASYNC,
    /** {@code FileChannel.force(true)} after each group of appends. */
    FSYNC,
    /** The segment is opened with {@code O_DSYNC}: each write returns when it is stable. */
    DSYNC,
    /** {@code O_DIRECT} and {@code O_DSYNC}: aligned writes that go around the page cache. */
    DIRECT;

    /** The name used on the command line, in results and in metrics: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether what was acknowledged this way is meant to survive a power cut. */
    public boolean isStable() {
        return this != OFF && this != WRITE;
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
