package io.plog.app.study;

import io.plog.app.cli.LogOption;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.cli.ServerProcess;
import io.plog.host.CpuGroup;
import io.plog.log.LogOptions;
import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server of one cell: a process of its own with a fresh log, limited to a part of the processors if the cell says so. Closing
 * it ends the process and takes away log and limit. Used by one thread.
 */
final class StudyServer implements AutoCloseable {
    /** The logged target's name. */
    private static final String LOGGED = "study";

    /** The name that a server gives to its target without a log. */
    private static final String IN_MEMORY = "off";

    private static final long MIB = 1 << 20;

    /** Large enough that a cell seldom changes segments, small enough that a fresh log is there at once. */
    private static final long SEGMENT_BYTES = 128 * MIB;

    private static final int SEGMENTS_KEPT = 2;
    private static final int SEGMENTS_IN_RESERVE = 2;
    private static final int SPARE_CONNECTIONS = 16;

    private final ServerProcess process;
    private final @Nullable CpuGroup group;
    private final Path log;
    private final String target;

    private StudyServer(ServerProcess process, @Nullable CpuGroup group, Path log, String target) {
        this.process = process;
        this.group = group;
        this.log = log;
        this.target = target;
    }

    /** What the log of one server takes at most: those kept, those prepared, and the ones in between. */
    static long spaceBytes(StudyPlan plan) {
        return segmentBytes(plan) * (SEGMENTS_KEPT + SEGMENTS_IN_RESERVE + 3);
    }

    private static long segmentBytes(StudyPlan plan) {
        long grain = LogOptions.SEGMENT_GRAIN_BYTES;
        // A record takes at most a quarter of a segment.
        long least = Math.max(SEGMENT_BYTES, 4L * plan.mostBytes() + MIB);
        return (least + grain - 1) / grain * grain;
    }

    /**
     * Starts it.
     *
     * @param output where it writes what it prints
     * @param logs a directory in which the log gets one of its own
     * @throws IOException if it cannot be started
     */
    static StudyServer start(StudyPlan plan, StudyCell cell, Path output, Path logs)
            throws IOException, InterruptedException {
        Path log = Files.createTempDirectory(logs, "log-");
        CpuGroup group = null;
        ServerProcess process = null;
        try {
            group = cell.processors() == 0 ? null : CpuGroup.make(cell.processors());
            process = ServerProcess.start(output, options(plan, cell, log));
            if (group != null) {
                group.add(process.pid());
            }
            return new StudyServer(process, group, log, cell.isControl() ? IN_MEMORY : LOGGED);
        } catch (IOException | InterruptedException | RuntimeException e) {
            if (process != null) {
                process.kill();
            }
            if (group != null) {
                group.close();
            }
            ResultsDirectory.delete(log);
            throw e;
        }
    }

    private static List<String> options(StudyPlan plan, StudyCell cell, Path log) {
        List<String> options = new ArrayList<>(cell.isControl() ? List.of("--unlogged") : logOptions(plan, log));
        options.addAll(List.of(
                "--design",
                cell.design().option(),
                "--event-loops",
                Integer.toString(cell.design().eventLoops()),
                "--max-payload",
                Long.toString(Math.max(MIB, plan.mostBytes())),
                "--max-connections",
                Integer.toString(plan.traffic().connections() + SPARE_CONNECTIONS)));
        return options;
    }

    private static List<String> logOptions(StudyPlan plan, Path log) {
        long segment = segmentBytes(plan);
        return List.of(
                "--log",
                LogOption.of(LOGGED, log) + ",force=" + plan.force() + ",segment=" + segment + ",reserve="
                        + SEGMENTS_IN_RESERVE * segment + ",retain=" + SEGMENTS_KEPT * segment);
    }

    /** The name of the target that the cell's requests go to. */
    String target() {
        return target;
    }

    int port() {
        return process.port();
    }

    int adminPort() {
        return process.adminPort();
    }

    /**
     * Asks it to end, and waits until it has.
     *
     * @throws IOException if it has ended before, or ends with an error
     */
    void stop() throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new IOException(process.ending());
        }
        process.stop();
    }

    @Override
    public void close() throws IOException {
        try {
            process.kill();
            if (group != null) {
                group.close();
            }
        } finally {
            ResultsDirectory.delete(log);
        }
    }
}
