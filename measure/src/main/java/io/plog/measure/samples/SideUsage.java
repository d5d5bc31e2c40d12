package io.plog.measure.samples;

import io.plog.host.events.Counters;
import io.plog.host.events.EventKind;
import io.plog.host.events.KindTotal;
import io.plog.host.events.LatenessHistogram;
import io.plog.host.events.Recorded;
import java.util.ArrayList;
import java.util.List;

/**
 * What one side used up while the requests of a run were counted, or while a load or a study's cell went on, warm-up included.
 * -1 stands for what the system does not report.
 *
 * @param seconds how long that was
 * @param processors of the side's machine, as its JVM sees them
 * @param processCpu processors that the process kept busy, on average, and with the client's those of the run's processes that
 *     only waited; up to {@code processors}
 * @param machineCpuShare share of the machine's processor time that was used by anybody, 0 to 1
 * @param stealShare share of the machine's processor time that the hypervisor gave to others, 0 to 1
 * @param leastFreeMemoryBytes the least memory that was available to new programs
 * @param memoryBytes the machine's memory
 * @param hiccupP99Nanos how late a thread that was ready to run came to run, at the 99th percentile; at most a quarter high
 * @param hiccupMaxNanos the same at worst
 * @param clockStepNanos the least step seen of the clock that measures
 * @param compilers processors that the process's own just-in-time compilers kept busy, on average
 * @param preparingShare share of the time in which a segment of a log was prepared, or several at once
 * @param collectingShare share of the time in which the process collected garbage
 * @param disks the devices below the server's logs
 */
public record SideUsage(
        double seconds,
        int processors,
        double processCpu,
        double machineCpuShare,
        double stealShare,
        long leastFreeMemoryBytes,
        long memoryBytes,
        long hiccupP99Nanos,
        long hiccupMaxNanos,
        long clockStepNanos,
        double compilers,
        double preparingShare,
        double collectingShare,
        List<Disk> disks) {

    /**
     * A device while the run went on.
     *
     * @param writtenBytes by everybody
     * @param othersWrittenBytes at least so much of it was not written by the server; -1 if the server cannot say
     */
    public record Disk(String device, long readBytes, long writtenBytes, long othersWrittenBytes) {}

    /**
     * The difference of two looks at the same side.
     *
     * @param besidesNanos processor time that other processes of the side used meanwhile
     */
    public static SideUsage between(Recorded earlier, Recorded later, long besidesNanos) {
        Counters before = earlier.counters();
        Counters after = later.counters();
        long nanos = after.atNanos() - before.atNanos();
        boolean ticks = before.machineTicks() >= 0 && after.machineTicks() > before.machineTicks();
        double allTicks = ticks ? after.machineTicks() - before.machineTicks() : -1;
        boolean cpu = before.processCpuNanos() >= 0 && after.processCpuNanos() >= 0 && nanos > 0;
        return new SideUsage(
                nanos / 1e9,
                after.processors(),
                cpu ? (after.processCpuNanos() - before.processCpuNanos() + besidesNanos) / (double) nanos : -1,
                ticks ? (after.machineBusyTicks() - before.machineBusyTicks()) / allTicks : -1,
                ticks ? (after.machineStealTicks() - before.machineStealTicks()) / allTicks : -1,
                after.leastFreeMemoryBytes(),
                after.memoryBytes(),
                LatenessHistogram.quantileNanos(before.lateness(), after.lateness(), 0.99),
                LatenessHistogram.quantileNanos(before.lateness(), after.lateness(), 1),
                after.clockStepNanos(),
                before.compilerNanos() >= 0 && after.compilerNanos() >= 0 && nanos > 0
                        ? (after.compilerNanos() - before.compilerNanos()) / (double) nanos
                        : -1,
                share(EventKind.SEGMENT_PREPARATION, earlier, later),
                share(EventKind.GC, earlier, later),
                disks(before, after));
    }

    private static double share(EventKind kind, Recorded earlier, Recorded later) {
        double all = later.counters().atNanos() - earlier.counters().atNanos();
        return all > 0 ? Math.min(1, (nanos(kind, later) - nanos(kind, earlier)) / all) : -1;
    }

    private static long nanos(EventKind kind, Recorded recorded) {
        return recorded.totals().stream()
                .filter(total -> total.kind().equals(kind.label()))
                .mapToLong(KindTotal::totalNanos)
                .sum();
    }

    private static List<Disk> disks(Counters before, Counters after) {
        boolean known = before.ownWrittenBytes() >= 0 && after.ownWrittenBytes() >= 0;
        long own = after.ownWrittenBytes() - before.ownWrittenBytes();
        List<Disk> disks = new ArrayList<>();
        for (Counters.Disk now : after.disks()) {
            for (Counters.Disk then : before.disks()) {
                if (then.device().equals(now.device())) {
                    long written = now.writtenBytes() - then.writtenBytes();
                    disks.add(new Disk(
                            now.device(),
                            now.readBytes() - then.readBytes(),
                            written,
                            known ? Math.max(0, written - own) : -1));
                }
            }
        }
        return disks;
    }
}
