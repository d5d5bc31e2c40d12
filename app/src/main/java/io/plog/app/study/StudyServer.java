package io.plog.app.study;

import io.plog.app.cli.ChildProcess;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.LogOption;
import io.plog.app.cli.ResultsDirectory;
import io.plog.host.CpuGroup;
import io.plog.log.LogOptions;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.server.options.TransportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server of a design in a trial: a process of its own with a fresh log. It has a target without a log, too. Closing it ends
 * the process and takes away the log. Used by one thread.
 */
record StudyServer(ChildProcess process, Path log) implements AutoCloseable {
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

    /** What the log of one server takes at most: those kept, those prepared, and the ones in between. */
    static long spaceBytes(Designs plan) {
        return segmentBytes(plan) * (SEGMENTS_KEPT + SEGMENTS_IN_RESERVE + 3);
    }

    private static long segmentBytes(Designs plan) {
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
     * @param limit of its processor time; null for none
     * @throws IOException if it cannot be started
     */
    static StudyServer start(
            Designs plan, StudyDesign design, Path output, DirectoryArgument logs, @Nullable CpuGroup limit)
            throws IOException, InterruptedException {
        Path log = Files.createTempDirectory(logs.directory(), "log-");
        ChildProcess process = null;
        try {
            process = ChildProcess.server(output, 0, options(plan, design, logs.in(log)));
            if (limit != null) {
                limit.add(process.pid());
            }
            return new StudyServer(process, log);
        } catch (IOException | InterruptedException | RuntimeException e) {
            if (process != null) {
                process.kill();
            }
            ResultsDirectory.delete(log);
            throw e;
        }
    }

    private static List<String> options(Designs plan, StudyDesign design, DirectoryArgument log) {
        long segment = segmentBytes(plan);
        return List.of(
                "--unlogged",
                "--log",
                LogOption.of(LOGGED, log) + ",force=" + plan.force() + ",segment=" + segment + ",reserve="
                        + SEGMENTS_IN_RESERVE * segment + ",retain=" + SEGMENTS_KEPT * segment,
                "--design",
                design.option(),
                "--transport", // io_uring sends the replies of a turn at its end, which changes what a design is
                TransportOption.EPOLL.label(),
                "--event-loops",
                Integer.toString(design.eventLoops()),
                "--max-payload",
                Long.toString(Math.max(MIB, plan.mostBytes())),
                "--max-connections",
                Integer.toString(plan.traffic().connections() + SPARE_CONNECTIONS));
    }

    /** The name of the target that a cell's requests go to. */
    static String target(StudyCell cell) {
        return cell.isControl() ? IN_MEMORY : LOGGED;
    }

    /**
     * Looks whether it still serves.
     *
     * @throws IOException if it has ended
     */
    void check() throws IOException {
        if (!process.isAlive()) {
            throw new IOException(process.ending());
        }
    }

    @Override
    public void close() throws IOException {
        process.kill();
        ResultsDirectory.delete(log);
    }
}
