package io.plog.benchmarks.result;

import java.util.Optional;

/**
 * What a block device has done since the machine started, from {@code /proc/diskstats}.
 *
 * @param sectorsWritten in units of 512 bytes, whatever the device's own
 * @param flushes flush requests; 0 for ever on kernels before 5.5
 */
public record DiskCounters(long sectorsWritten, long flushes) {
    private static final int NAME = 2;
    private static final int SECTORS_WRITTEN = 9;
    private static final int FLUSHES = 18;

    /**
     * Finds a device's line.
     *
     * @param diskstats the text of {@code /proc/diskstats}
     * @param device the device's name, such as {@code vda}
     */
    public static Optional<DiskCounters> parse(String diskstats, String device) {
        return diskstats
                .lines()
                .map(line -> line.trim().split("\\s+"))
                .filter(fields -> fields.length > SECTORS_WRITTEN && fields[NAME].equals(device))
                .findFirst()
                .map(fields -> new DiskCounters(
                        Long.parseLong(fields[SECTORS_WRITTEN]),
                        fields.length > FLUSHES ? Long.parseLong(fields[FLUSHES]) : 0));
    }

    /** What was written between another reading and this one, bytes. */
    public long bytesWrittenSince(DiskCounters earlier) {
        return (sectorsWritten - earlier.sectorsWritten) * 512;
    }

    /** How many flushes there were between another reading and this one. */
    public long flushesSince(DiskCounters earlier) {
        return flushes - earlier.flushes;
    }
}
