package io.plog.app.study;

import io.plog.host.MachineFacts;
import io.plog.measure.PlanException;
import io.plog.measure.load.LoadListener;
import io.plog.measure.load.LoadPlan;
import io.plog.measure.load.LoadRun;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.study.CellOutcome;
import io.plog.measure.study.ServerWatch;
import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyOrder;
import io.plog.measure.study.StudyPlan;
import io.plog.study.ClientLateness;
import io.plog.study.Study;
import io.plog.study.StudyFile;
import io.plog.study.StudyResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives a study: cell by cell, each with a server of its own, first all capacities, then all loads. A cell that fails is noted, and
 * the next one follows. For one thread, but for {@link #stop}.
 */
final class StudyRun {
    /** Where the samples of the cells are, in the study's directory. */
    static final String CELLS = "cells";

    private static final int WARM_UPS_OF_CLIENT = 3;

    /** How often a cell is measured again at most. */
    private static final int MOST_AGAIN = 2;

    private final StudyPlan plan;
    private final Path out;
    private final Path logs;
    private final Consumer<String> say;
    private final Study study;
    private int begun;
    private String firstFailure = "";
    private volatile boolean stopAsked;
    private volatile @Nullable LoadRun current;

    /**
     * Starts nothing yet.
     *
     * @param out an empty directory for the results
     * @param logs an empty directory for the logs
     * @param say is told how far it is
     */
    StudyRun(StudyPlan plan, Path out, Path logs, Consumer<String> say) {
        this.plan = plan;
        this.out = out;
        this.logs = logs;
        this.say = say;
        study = new Study(plan, MachineFacts.version(), Instant.now().toString());
    }

    /** Ends it as soon as possible; what was measured is kept. May be called by any thread. */
    void stop() {
        stopAsked = true;
        LoadRun run = current;
        if (run != null) {
            run.stop();
        }
    }

    /**
     * Measures and writes {@code study.json}.
     *
     * @throws IOException if nothing could be measured, with the first cell's reason, or if the results cannot be written
     */
    StudyResults run() throws IOException, InterruptedException {
        cells(StudyOrder.capacities(plan));
        if (!stopAsked) {
            cells(StudyOrder.loads(plan, study::capacity));
        }
        if (study.measured() == 0) {
            throw new IOException(
                    stopAsked
                            ? "interrupted before anything was measured"
                            : "no cell could be measured: " + firstFailure);
        }
        StudyResults results = study.results(
                stopAsked ? "interrupted after " + study.measured() + " of " + plan.cells() + " cells" : "");
        StudyFile.write(results, out);
        return results;
    }

    private void cells(List<StudyCell> cells) throws IOException, InterruptedException {
        for (StudyCell cell : cells) {
            if (stopAsked) {
                return;
            }
            begun++;
            say.accept(String.format(Locale.ROOT, "%d/%d  %s", begun, plan.cells(), cell.label()));
            try {
                CellOutcome outcome = measureInTime(cell);
                if (outcome != null) {
                    study.add(outcome);
                }
            } catch (PlanException | IOException | IllegalStateException e) {
                if (!stopAsked) {
                    failed(cell, e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
                }
            }
        }
    }

    private void failed(StudyCell cell, String why) {
        firstFailure = firstFailure.isEmpty() ? cell.label() + ": " + why : firstFailure;
        study.addFailure(cell, why);
        say.accept("    failed: " + why);
    }

    /**
     * Measures a cell, and again while the client is too late: a machine that stops for some milliseconds once in a while would
     * else make every long study invalid. What is measured decides nothing here, and what was given up stays beside.
     */
    private @Nullable CellOutcome measureInTime(StudyCell cell)
            throws IOException, PlanException, InterruptedException {
        String name = String.format(Locale.ROOT, "%03d-%s", begun, cell.directoryName());
        for (int again = 0; ; again++) {
            Path directory =
                    Files.createDirectories(out.resolve(CELLS).resolve(again == 0 ? name : name + "-again-" + again));
            Measured measured = measure(cell, directory);
            if (measured == null || measured.lateness != ClientLateness.TOO_MUCH || again == MOST_AGAIN) {
                return measured == null ? null : measured.outcome;
            }
            study.addRepeat(cell);
            say.accept("    once more: the client was too late");
        }
    }

    private record Measured(CellOutcome outcome, ClientLateness lateness) {}

    /** Null if it was stopped in the middle: half a cell is no cell. */
    private @Nullable Measured measure(StudyCell cell, Path directory)
            throws IOException, PlanException, InterruptedException {
        try (StudyServer server = StudyServer.start(plan, cell, out, logs)) {
            LoadPlan load = plan.loadPlan(cell, server.port(), StudyServer.TARGET);
            // The client is brought to speed once, each server anew.
            for (int i = begun == 1 ? WARM_UPS_OF_CLIENT : 1; i > 0; i--) {
                LoadRun warmUp = begin(plan.warmUpPlan(cell, server.port(), StudyServer.TARGET));
                warmUp.runForNothing(directory.resolve("warm-up.tmp"));
            }
            LoadRun run = begin(load);
            Path samples = directory.resolve(SampleFileWriter.FILE_NAME);
            LoadRun.Outcome outcome;
            ServerWatch watch = new ServerWatch(server.adminPort(), load);
            try (watch) {
                outcome = run.run(samples, watch, LoadListener.NONE);
            }
            RunInfo.End end = outcome.end();
            current = null;
            server.stop();
            if (stopAsked) {
                return null;
            }
            // That the server could not keep up is a finding, not a failure.
            if (end.partial() && !outcome.overloaded()) {
                throw new IOException(end.reason());
            }
            return new Measured(
                    new CellOutcome(cell, samples, watch.cpuNanos(), watch.readyChannels()),
                    ClientLateness.of(outcome.summary()));
        } finally {
            current = null;
        }
    }

    private LoadRun begin(LoadPlan load) throws IOException, PlanException {
        LoadRun run = LoadRun.open(load);
        current = run;
        if (stopAsked) {
            run.stop();
        }
        return run;
    }
}
