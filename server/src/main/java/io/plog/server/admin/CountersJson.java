package io.plog.server.admin;

import com.sun.management.OperatingSystemMXBean;
import io.plog.host.events.RecordJson;
import io.plog.server.monitoring.EventLoopCounts;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * What the admin port answers to {@code GET /counters}: numbers that only grow, so that a client that asks twice knows what
 * happened in between. Stateless.
 */
public final class CountersJson {
    private CountersJson() {}

    /** What is answered. */
    public record Answer(int schemaVersion, long atNanos, long processorNanos, List<OfLoop> loops) {}

    /** How many channels completed a read in a turn of an event loop: the largest number of a range, and how often. */
    public record OfLoop(List<List<Long>> readyChannels) {}

    /** The counters now. */
    public static String of(EventLoopCounts turns) {
        return RecordJson.of(new Answer(
                1,
                System.nanoTime(),
                processorNanos(),
                turns.loops().stream()
                        .map(loop -> new OfLoop(loop.ready().occurrences()))
                        .toList()));
    }

    /** Processor time of this process, as exactly as the JVM knows it. */
    private static long processorNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }
}
