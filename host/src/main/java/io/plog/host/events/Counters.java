package io.plog.host.events;

import java.util.List;

/**
 * What a process and its machine had used up by a moment: of use as the difference of two. -1 stands for what the system
 * does not tell.
 *
 * @param atNanos the moment, {@link System#nanoTime}
 * @param processors of the machine, as the JVM sees them
 * @param processCpuNanos processor time of the process
 * @param machineTicks time of all processors of the machine, in ticks
 * @param machineBusyTicks those in which a processor of this machine did something
 * @param machineStealTicks those in which the hypervisor ran something else
 * @param ownWrittenBytes what the process caused to be written to any disk
 * @param leastFreeMemoryBytes the least memory that was available since the time that was asked about
 * @param memoryBytes the machine's memory
 * @param clockStepNanos the least step of {@link System#nanoTime} seen
 * @param compilerNanos how long the process's just-in-time compilers have worked, see {@link CompilerThreads}
 * @param lateness how often the hiccup recorder's thread came to run late, by {@link LatenessHistogram} bucket
 * @param disks the devices that were asked for
 */
public record Counters(
        long atNanos,
        int processors,
        long processCpuNanos,
        long machineTicks,
        long machineBusyTicks,
        long machineStealTicks,
        long ownWrittenBytes,
        long leastFreeMemoryBytes,
        long memoryBytes,
        long clockStepNanos,
        long compilerNanos,
        List<Long> lateness,
        List<Disk> disks) {

    /** Bytes that a device has moved for everybody. */
    public record Disk(String device, long readBytes, long writtenBytes) {}
}
