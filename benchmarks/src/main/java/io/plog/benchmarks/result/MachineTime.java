package io.plog.benchmarks.result;

import java.util.Arrays;

/**
 * What all processors together have done since the machine started, from {@code /proc/stat}, in ticks.
 *
 * @param busy running anything, or taken by the hypervisor for another machine
 * @param total also idle and waiting for disks
 */
public record MachineTime(long busy, long total) {
    private static final int FIELDS =
            8; // user, nice, system, idle, iowait, irq, softirq, steal; the guests are in user
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;

    /**
     * Reads the first line.
     *
     * @param stat the text of {@code /proc/stat}
     */
    public static MachineTime parse(String stat) {
        String line = stat.lines().findFirst().orElse("");
        long[] fields = Arrays.stream(line.trim().split("\\s+"))
                .skip(1)
                .limit(FIELDS)
                .mapToLong(Long::parseLong)
                .toArray();
        if (!line.startsWith("cpu ") || fields.length < FIELDS) {
            throw new IllegalArgumentException("not the beginning of /proc/stat: " + line);
        }
        long total = Arrays.stream(fields).sum();
        return new MachineTime(total - fields[IDLE] - fields[IO_WAIT], total);
    }

    /**
     * Which share of the processors' time went to others than the process that was measured, 0 to 1.
     *
     * @param earlier a reading before
     * @param ownShare the share that the process itself had, of all processors
     */
    public double othersSince(MachineTime earlier, double ownShare) {
        double share = (double) (busy - earlier.busy) / Math.max(1, total - earlier.total);
        return Math.max(0, share - ownShare);
    }
}
