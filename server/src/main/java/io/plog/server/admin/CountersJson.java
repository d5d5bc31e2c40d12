package io.plog.server.admin;

import com.sun.management.OperatingSystemMXBean;
import io.plog.host.LinuxFiles;
import io.plog.host.events.RecordJson;
import io.plog.server.monitoring.EventLoopCounts;
import io.plog.server.options.DesignOption;
import io.plog.server.targets.Target;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the admin port answers to {@code GET /counters}: numbers that only grow, so that a client that asks twice knows what
 * happened in between. Safe for any thread.
 */
public final class CountersJson {
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    /** What {@code sysconf(_SC_CLK_TCK)} says on every Linux. */
    private static final long TICK_NANOS = 10_000_000;

    private final DesignOption design;
    private final EventLoopCounts turns;
    private final List<Target> targets;

    /** Of a server; {@code targets} may grow. */
    public CountersJson(DesignOption design, EventLoopCounts turns, List<Target> targets) {
        this.design = design;
        this.turns = turns;
        this.targets = targets;
    }

    /** What is answered. Processor times of user and system are null where the system does not tell them. */
    public record Answer(
            int schemaVersion,
            long atNanos,
            String design,
            long processorNanos,
            @Nullable Long userNanos,
            @Nullable Long systemNanos,
            List<OfLoop> loops,
            List<OfTarget> targets) {}

    /** How many channels completed a read in a turn of an event loop: the largest number of a range, and how often. */
    public record OfLoop(List<List<Long>> readyChannels) {}

    /** How many records shared a force of a target's log, in the same form. */
    public record OfTarget(String name, List<List<Long>> batchRecords) {}

    /** The counters now. Reads {@code /proc}, so not for an event loop. */
    public String json() {
        long[] split = userAndSystemNanos(LinuxFiles.read(Path.of("/proc/self/stat"), ""));
        return RecordJson.of(new Answer(
                1,
                System.nanoTime(),
                design.label(),
                processorNanos(),
                split == null ? null : split[0],
                split == null ? null : split[1],
                turns.loops().stream()
                        .map(loop -> new OfLoop(loop.ready().occurrences()))
                        .toList(),
                targets.stream()
                        .map(target -> new OfTarget(
                                target.name(), target.meters().batches().occurrences()))
                        .toList()));
    }

    /** Processor time of this process, user and system, as exactly as the JVM knows it. */
    private static long processorNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    /** The two parts of it in the text of {@code /proc/self/stat}, in ticks of 10 ms; {@code null} if it does not say. */
    public static long @Nullable [] userAndSystemNanos(String stat) {
        // The name of the program, in parentheses, may contain anything.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        if (fields.length <= SYSTEM_TICKS) {
            return null;
        }
        try {
            return new long[] {
                TICK_NANOS * Long.parseLong(fields[USER_TICKS]), TICK_NANOS * Long.parseLong(fields[SYSTEM_TICKS])
            };
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
