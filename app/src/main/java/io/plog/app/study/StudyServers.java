package io.plog.app.study;

import io.plog.app.cli.DirectoryArgument;
import io.plog.host.CpuGroup;
import io.plog.measure.CompilerRest;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.load.LoadRun;
import io.plog.measure.load.LoadSummary;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.study.SteadyLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a trial on one machine, one of each design, for all of its cells: so each warms up once. Those at rest use next to
 * nothing. Used by one thread.
 */
final class StudyServers implements AutoCloseable {
    /** Of a warm-up at most: each has three loads, and a pause while compilers work. */
    private static final int MOST_ROUNDS = 3;

    private static final Duration WARM_UP_LOAD = Duration.ofMillis(700);

    /** While the capacity is searched. */
    private static final Duration SEARCH_WARM_UP = Duration.ofMillis(300);

    private static final Duration SEARCH_LOAD = Duration.ofMillis(1_200);

    private final Designs plan;
    private final Path out;
    private final DirectoryArgument logs;
    private final Loads loads;
    private final @Nullable CpuGroup limit;
    private final Map<StudyDesign, StudyServer> running = new LinkedHashMap<>();

    /** How loads are begun, so that they can be stopped. */
    @FunctionalInterface
    interface Loads {
        LoadRun begin(Load load) throws IOException, PlanException;
    }

    private StudyServers(Designs plan, Path out, DirectoryArgument logs, Loads loads, @Nullable CpuGroup limit) {
        this.plan = plan;
        this.out = out;
        this.logs = logs;
        this.loads = loads;
        this.limit = limit;
    }

    /**
     * Starts nothing yet.
     *
     * @param processors that the servers may use; 0 for no limit
     * @param out where servers write what they print
     * @param logs an empty directory for the logs
     * @throws IOException if they cannot be limited
     */
    static StudyServers open(Designs plan, double processors, Path out, DirectoryArgument logs, Loads loads)
            throws IOException {
        return new StudyServers(plan, out, logs, loads, processors == 0 ? null : CpuGroup.make(processors));
    }

    /** The one that runs, or a new one, warm. */
    StudyServer of(StudyDesign design) throws IOException, PlanException, InterruptedException {
        StudyServer before = running.get(design);
        if (before != null && before.process().isAlive()) {
            return before;
        }
        if (before != null) {
            before.close();
        }
        StudyServer server = StudyServer.start(plan, design, out, logs, limit);
        running.put(design, server);
        warmUp(server, design);
        return server;
    }

    /** Goes on until the compilers of server and client rest, which get the processors for themselves meanwhile. */
    private void warmUp(StudyServer server, StudyDesign design) throws IOException, PlanException {
        CompilerRest compilers = CompilerRest.with(server.process().adminPort());
        StudyCell logged = StudyCell.capacity(design, 0, plan.traffic().mix(), StudyCell.MIX, 0);
        StudyCell control = StudyCell.controlCapacity(design, 0, plan.traffic().mix());
        for (int round = 0; round < MOST_ROUNDS; round++) {
            warmUp(plan.loadPlan(control, server.process().port(), StudyServer.target(control)));
            double closed = warmUp(plan.loadPlan(logged, server.process().port(), StudyServer.target(logged)));
            if (closed > 0) {
                warmUp(plan.loadPlan(logged, closed / 2, server.process().port(), StudyServer.target(logged)));
            }
            if (compilers.rested()) {
                return;
            }
            for (int pause = 0; pause < CompilerRest.MOST_PAUSES && !compilers.rested(); pause++) {
                LockSupport.parkNanos(CompilerRest.PAUSE_NANOS);
            }
        }
    }

    /** What it answered in a second. */
    private double warmUp(Load load) throws IOException, PlanException {
        return loads.begin(load.warmUp(Duration.ZERO).duration(atMost(WARM_UP_LOAD)))
                .runForNothing(scratch("warm-up.tmp"))
                .acceptedPerSecond();
    }

    /** A file for samples that nobody keeps. A study that was killed in this directory may have left its own. */
    private Path scratch(String name) throws IOException {
        Path file = out.resolve(name);
        Files.deleteIfExists(file);
        return file;
    }

    private Duration atMost(Duration time) {
        Duration counted = Duration.ofNanos(plan.durationNanos());
        return counted.compareTo(time) < 0 ? counted : time;
    }

    /**
     * Why a design does not keep a rate; empty if it does.
     *
     * @param capacity the design's cell at infinite demand
     * @param confirm whether to look for as long as a cell takes
     */
    String missed(StudyCell capacity, double ratePerSecond, boolean confirm)
            throws IOException, PlanException, InterruptedException {
        StudyServer server = of(capacity.design());
        Load load = plan.loadPlan(capacity, ratePerSecond, server.process().port(), StudyServer.target(capacity));
        Load asked = confirm ? load : load.warmUp(atMost(SEARCH_WARM_UP)).duration(atMost(SEARCH_LOAD));
        LoadSummary found = loads.begin(asked).runForNothing(scratch("search.tmp"));
        return SteadyLoad.problem(found, confirm ? 1 : SteadyLoad.ROUGHLY);
    }

    /** The mean of what the server does not see of a cell's requests where nothing else is under way; null if there are none. */
    @Nullable
    Double idleNetworkNanos(StudyCell cell) throws IOException, PlanException, InterruptedException {
        StudyServer server = of(cell.design());
        Path file = scratch("idle.tmp");
        LongStream.Builder network = LongStream.builder();
        try {
            loads.begin(plan.idlePlan(cell, server.process().port(), StudyServer.target(cell)))
                    .run(file, ProgressListener.NONE);
            try (SampleFileReader reader = SampleFileReader.open(file)) {
                for (CellKey key : reader.cells()) {
                    reader.each(key, samples -> {
                        for (int i = 0; i < samples.count(); i++) {
                            network.add(samples.get(Column.END_TO_END, i) - samples.get(Column.RESIDENCE, i));
                        }
                    });
                }
            }
        } finally {
            Files.deleteIfExists(file);
        }
        OptionalDouble mean = network.build().average();
        return mean.isEmpty() ? null : (Double) mean.getAsDouble();
    }

    /** Ends them and takes away logs and limit. */
    @Override
    public void close() throws IOException {
        for (StudyServer server : running.values()) {
            server.close();
        }
        if (limit != null) {
            limit.close();
        }
    }
}
