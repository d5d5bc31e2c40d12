package io.plog.benchmarks.result;

import org.jspecify.annotations.Nullable;

/**
 * What one contestant did in one cell of one round. What could not be found out is null.
 *
 * @param contestant its name
 * @param cell the cell's label
 * @param round from 1
 * @param appends how many were measured
 * @param seconds from the first submission to the last completion
 * @param appendsPerSecond {@code appends / seconds}
 * @param p50Micros from submission to completion, microseconds; so are the next
 * @param cpuMicrosPerAppend processor time of the whole process, user and system, microseconds
 * @param allocatedBytesPerAppend what all threads of the JVM allocated
 * @param othersShare which share of all processors' time others had meanwhile, the kernel's own work included, 0 to 1
 */
public record Measurement(
        String contestant,
        String cell,
        int round,
        long appends,
        double seconds,
        double appendsPerSecond,
        double p50Micros,
        double p99Micros,
        double p999Micros,
        double maxMicros,
        @Nullable Double cpuMicrosPerAppend,
        @Nullable Double allocatedBytesPerAppend,
        double othersShare) {}
