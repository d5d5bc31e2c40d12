package io.plog.benchmarks.result;

import java.util.Arrays;

/**
 * What all processors together have done since the machine started, from {@code /proc/stat}, in ticks. What the kernel does
 * by itself is not counted: interrupts, and its own threads, serve the disk for whoever is measured.
 *
 * @param busy running a process, or taken by the hypervisor for another machine
 * @param total also idle and waiting for disks
 */
public record MachineTime(long busy, long total) {
    private static final int FIELDS =
            8; // user, nice, system, idle, iowait, irq, softirq, steal; the guests are in user
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;
    private static final int IRQ = 5;
    private static final int SOFT_IRQ = 6;

    // In a process's stat, behind its name.
    private static final int PARENT = 1;
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    /** The process whose children are the kernel's threads. */
    private static final String KTHREADD = "2";

    /**
     * Reads the first line.
     *
     * @param stat the text of {@code /proc/stat}
     * @param kernelTicks what the kernel's own threads have used
     */
    public static MachineTime parse(String stat, long kernelTicks) {
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
        long asleep = fields[IDLE] + fields[IO_WAIT];
        return new MachineTime(total - asleep - fields[IRQ] - fields[SOFT_IRQ] - kernelTicks, total);
    }

    /**
     * What one process has used, if it is a thread of the kernel; otherwise 0.
     *
     * @param processStat the text of its {@code /proc/PID/stat}
     */
    public static long kernelTicks(String processStat) {
        String[] fields =
                processStat.substring(processStat.lastIndexOf(')') + 1).strip().split(" ", -1);
        boolean kernel = fields.length > SYSTEM_TICKS && fields[PARENT].equals(KTHREADD);
        return kernel ? Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]) : 0;
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
