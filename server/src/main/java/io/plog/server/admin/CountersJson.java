package io.plog.server.admin;

import com.sun.management.OperatingSystemMXBean;
import io.plog.host.events.RecordJson;
import io.plog.server.monitoring.EventLoopCounts;
import io.plog.server.targets.OpeningReport;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * What the admin port answers to {@code GET /counters}: what targets began with, and numbers that only grow, so that a client that
 * asks twice knows what happened in between. Stateless.
 */
public final class CountersJson {
    private CountersJson() {}

    public record Answer(
            int schemaVersion, long atNanos, long processorNanos, List<OfLoop> loops, List<OfTarget> targets) {}

    /** How many channels completed a read in a turn of an event loop: the largest number of a range, and how often. */
    public record OfLoop(List<List<Long>> readyChannels) {}

    /**
     * A target with a log of its own.
     *
     * @param recoveredIndex the last record that its log had when the server started
     * @param openNanos how long the log took to open
     * @param replayed records that were executed again
     * @param replayNanos how long that took
     * @param repeats repeated requests that got their recorded answers
     */
    public record OfTarget(
            String name, long recoveredIndex, long openNanos, long replayed, long replayNanos, long repeats) {
        /** Of what was found when the log was opened. */
        public OfTarget(String name, OpeningReport opening, long repeats) {
            this(
                    name,
                    opening.recovery().lastIndex(),
                    opening.duration().toNanos(),
                    opening.replay().requests(),
                    opening.replay().duration().toNanos(),
                    repeats);
        }
    }

    public static String of(EventLoopCounts turns, List<OfTarget> targets) {
        return RecordJson.of(new Answer(
                1,
                System.nanoTime(),
                processorNanos(),
                turns.loops().stream()
                        .map(loop -> new OfLoop(loop.ready().occurrences()))
                        .toList(),
                targets));
    }

    /** Processor time of this process, as exactly as the JVM knows it. */
    private static long processorNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }
}
