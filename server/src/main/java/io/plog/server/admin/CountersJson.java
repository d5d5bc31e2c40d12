package io.plog.server.admin;

import com.sun.management.OperatingSystemMXBean;
import io.plog.host.LinuxFiles;
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

    /** The counters now. Reads {@code /proc}, so not for an event loop. */
    public String json() {
        StringBuilder json = new StringBuilder(1_024)
                .append("{\"schemaVersion\":1,\"atNanos\":")
                .append(System.nanoTime());
        json.append(",\"design\":\"")
                .append(design.label())
                .append("\",\"processorNanos\":")
                .append(processorNanos());
        long[] split = userAndSystemNanos(LinuxFiles.read(Path.of("/proc/self/stat"), ""));
        if (split != null) {
            json.append(",\"userNanos\":")
                    .append(split[0])
                    .append(",\"systemNanos\":")
                    .append(split[1]);
        }
        json.append(",\"loops\":[");
        String comma = "";
        for (EventLoopCounts.Loop loop : turns.loops()) {
            json.append(comma).append("{\"readyChannels\":");
            loop.ready().appendTo(json);
            json.append('}');
            comma = ",";
        }
        json.append("],\"targets\":[");
        comma = "";
        for (Target target : targets) {
            json.append(comma).append("{\"name\":\"").append(target.name()).append("\",\"batchRecords\":");
            target.meters().batches().appendTo(json);
            json.append('}');
            comma = ",";
        }
        return json.append("]}\n").toString();
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
