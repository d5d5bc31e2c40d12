package io.plog.benchmarks.result;

import java.util.List;
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
 * @param flushesPerAppend flushes of the device; whatever else used the device is in it
 * @param deviceBytesPerPayloadByte bytes written to the device; whatever else used the device is in it
 * @param othersShare which share of all processors' time others had meanwhile, 0 to 1: on a quiet machine next to nothing
 * @param latencyMicros the distribution, at {@link SampleQuantiles#SHARES}; empty if unknown
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
        @Nullable Double flushesPerAppend,
        @Nullable Double deviceBytesPerPayloadByte,
        double othersShare,
        List<Double> latencyMicros) {}
