package io.plog.app.study;

import io.plog.app.cli.RunProgress;
import io.plog.host.Build;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.load.LoadPlan;
import io.plog.measure.load.LoadRun;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.study.CellOutcome;
import io.plog.measure.study.ServerWatch;
import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyOrder;
import io.plog.measure.study.StudyPlan;
import io.plog.measure.study.StudySamples;
import io.plog.results.model.Results;
import io.plog.results.study.Disturbance;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives a study: cell by cell, each with a server of its own, first all capacities, then all loads. A cell that fails is noted, and
 * the next one follows. For one thread, but for {@link #stop}.
 */
final class StudyRun {
    /** Where the samples of the cells are until all are measured, in the study's directory. */
    static final String CELLS = "cells";

    /** So few cells may always be measured again. */
    private static final int ALWAYS_REPEATED = 2;

    private static final int WARM_UPS_OF_CLIENT = 3;

    /** For quiet moments, of the whole study. */
    private static final int MOST_SECONDS_OF_WAITING = 120;

    private final StudyPlan plan;
    private final Path out;
    private final Path logs;
    private final int repeats;
    private final Consumer<String> say;
    private final StudySamples study;
    private final IdleWait quiet = IdleWait.ofThisMachine(MOST_SECONDS_OF_WAITING);
    private int begun;
    private long nextShown = System.nanoTime();
    private String firstFailure = "";
    private volatile boolean stopAsked;
    private volatile @Nullable LoadRun current;

    /**
     * Starts nothing yet.
     *
     * @param out an empty directory for the results
     * @param logs an empty directory for the logs
     * @param repeats how often a cell that something disturbed is measured again at most
     * @param say gets how far it is
     */
    StudyRun(StudyPlan plan, Path out, Path logs, int repeats, Consumer<String> say) {
        this.plan = plan;
        this.out = out;
        this.logs = logs;
        this.repeats = repeats;
        this.say = say;
        study = new StudySamples(plan, Build.current().version(), Instant.now().toString());
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
     * Measures and writes all samples into one file.
     *
     * @return the file
     * @throws IOException if nothing could be measured, with the first cell's reason, or if the results cannot be written
     */
    Path run() throws IOException, InterruptedException {
        try (RunProgress progress = new RunProgress(out, Results.Kind.STUDY.label())) {
            return run(progress);
        }
    }

    private Path run(RunProgress progress) throws IOException, InterruptedException {
        cells(StudyOrder.capacities(plan), progress);
        if (!stopAsked) {
            cells(StudyOrder.loads(plan, study::capacity, study::capacityInMemory), progress);
        }
        if (study.measured() == 0) {
            throw new IOException(
                    stopAsked
                            ? "interrupted before anything was measured"
                            : "no cell could be measured: " + firstFailure);
        }
        Path samples = out.resolve(SampleFileWriter.FILE_NAME);
        study.write(
                samples, stopAsked ? "interrupted after " + study.measured() + " of " + plan.cells() + " cells" : "");
        Files.deleteIfExists(out.resolve(SampleFileWriter.SPOOL_NAME));
        deleteParts();
        return samples;
    }

    /** Writes all cells that are measured, for {@code plog view}: anew, hence for at most a tenth of the time. */
    private void showSoFar() throws IOException {
        long began = System.nanoTime();
        if (began - nextShown < 0) {
            return;
        }
        Path written = out.resolve(SampleFileWriter.FILE_NAME + ".tmp");
        Files.deleteIfExists(written);
        study.write(written, study.measured() + " of " + plan.cells() + " cells are measured");
        Files.move(written, out.resolve(SampleFileWriter.SPOOL_NAME), StandardCopyOption.REPLACE_EXISTING);
        long now = System.nanoTime();
        nextShown = now + 9 * (now - began);
    }

    /** What the one file has now; what was measured again stays. */
    private void deleteParts() throws IOException {
        for (Path part : study.files()) {
            Files.delete(part);
            deleteIfEmpty(part.getParent());
        }
        deleteIfEmpty(out.resolve(CELLS));
    }

    private static void deleteIfEmpty(@Nullable Path directory) throws IOException {
        try {
            if (directory != null) {
                Files.deleteIfExists(directory);
            }
        } catch (DirectoryNotEmptyException e) {
            // A measurement that another one replaced.
        }
    }

    private void cells(List<StudyCell> cells, RunProgress progress) throws IOException, InterruptedException {
        Map<StudyCell, Disturbed> disturbed = new LinkedHashMap<>();
        for (StudyCell cell : cells) {
            if (stopAsked) {
                return;
            }
            progress.at(begun, plan.cells(), cell.label());
            begun++;
            say.accept(String.format(Locale.ROOT, "%d/%d  %s", begun, plan.cells(), cell.label()));
            String name = String.format(Locale.ROOT, "%03d-%s", begun, cell.directoryName());
            try {
                measure(cell, name).ifPresent(why -> disturbed.put(cell, new Disturbed(name, why)));
            } catch (PlanException | IOException | IllegalStateException e) {
                failed(cell, e);
            }
        }
        if (isAlwaysDisturbed(disturbed.size(), cells.size())) {
            say.accept(disturbed.size() + " of " + cells.size()
                    + " cells were disturbed: this machine is not quiet, so none is measured again");
        } else {
            again(disturbed);
        }
    }

    /** Whether so many disturbed cells are more than chance: measuring again would take long and change nothing. */
    static boolean isAlwaysDisturbed(int disturbed, int cells) {
        return disturbed > ALWAYS_REPEATED && disturbed * 3 > cells;
    }

    /** A measurement that was disturbed: where it is, and by what. */
    private record Disturbed(String name, String why) {}

    /**
     * Measures again what was disturbed from outside, after all others and in a quiet moment: a machine that is taken away for a
     * minute would else make every long study invalid. What the server did decides nothing here, the last measurement counts
     * whatever it says, and what was given up stays next to it.
     */
    private void again(Map<StudyCell, Disturbed> disturbed) throws IOException, InterruptedException {
        for (int again = 1; again <= repeats && !disturbed.isEmpty() && !stopAsked; again++) {
            say.accept("measuring again what was disturbed, each in a quiet moment");
            for (Map.Entry<StudyCell, Disturbed> each : new LinkedHashMap<>(disturbed).entrySet()) {
                quiet.await(() -> stopAsked);
                if (stopAsked) {
                    return;
                }
                StudyCell cell = each.getKey();
                say.accept("again  " + cell.label() + ": " + each.getValue().why);
                try {
                    Optional<String> why = measure(cell, each.getValue().name + "-again-" + again);
                    study.addRepeat(cell, each.getValue().why);
                    disturbed.remove(cell);
                    why.ifPresent(still -> disturbed.put(cell, new Disturbed(each.getValue().name, still)));
                } catch (PlanException | IOException | IllegalStateException e) {
                    // The disturbed one is kept, and makes the study invalid.
                    say.accept("    failed: " + reason(e));
                }
            }
        }
    }

    private void failed(StudyCell cell, Exception e) {
        if (stopAsked) {
            return;
        }
        String why = reason(e);
        firstFailure = firstFailure.isEmpty() ? cell.label() + ": " + why : firstFailure;
        study.addFailure(cell, why);
        say.accept("    failed: " + why);
    }

    private static String reason(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /**
     * Measures a cell and adds it to the study, but not if it was stopped in the middle: half a cell is no cell.
     *
     * @return what disturbed it; empty if nothing did
     */
    private Optional<String> measure(StudyCell cell, String name)
            throws IOException, PlanException, InterruptedException {
        Path directory = Files.createDirectories(out.resolve(CELLS).resolve(name));
        try (StudyServer server = StudyServer.start(plan, cell, out, logs)) {
            LoadPlan load = plan.loadPlan(cell, server.port(), server.target());
            // The client is brought to speed once, each server anew.
            for (int i = study.measured() == 0 ? WARM_UPS_OF_CLIENT : 1; i > 0; i--) {
                LoadRun warmUp = begin(plan.warmUpPlan(cell, server.port(), server.target()));
                warmUp.runForNothing(directory.resolve("warm-up.tmp"));
            }
            LoadRun run = begin(load);
            Path samples = directory.resolve(SampleFileWriter.FILE_NAME);
            LoadRun.Outcome outcome;
            ServerWatch watch = new ServerWatch(server.adminPort(), load);
            try (watch) {
                outcome = run.run(samples, watch, ProgressListener.NONE);
            }
            RunInfo.End end = outcome.end();
            current = null;
            server.stop();
            if (stopAsked) {
                return Optional.empty();
            }
            // That the server could not keep up is a finding, not a failure.
            if (end.partial() && !outcome.overloaded()) {
                throw new IOException(end.reason());
            }
            CellOutcome measured = new CellOutcome(cell, samples, watch.cpuNanos(), watch.readyChannels());
            study.add(measured);
            showSoFar();
            return Disturbance.of(measured);
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
