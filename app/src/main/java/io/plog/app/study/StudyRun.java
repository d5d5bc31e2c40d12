package io.plog.app.study;

import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.Failures;
import io.plog.app.cli.ResultsDirectory;
import io.plog.client.Credentials;
import io.plog.host.Build;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.load.LoadOrder;
import io.plog.measure.load.LoadRun;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.study.CapacitySearch;
import io.plog.measure.study.CellOutcome;
import io.plog.measure.study.ServerCounters;
import io.plog.measure.study.StudyOrder;
import io.plog.measure.study.StudySamples;
import io.plog.results.study.Disturbance;
import java.io.IOException;
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
 * Drives a study, trial by trial: all cells at infinite demand; a look for the largest rate
 * that each design keeps; then all loads. A cell that fails is noted, and the next one follows. For one thread, but for
 * {@link #stop}.
 */
final class StudyRun {
    /** So few cells, and a cell so often, may always be measured again. */
    private static final int ALWAYS_REPEATED = 2;

    private final Designs plan;
    private final String command;
    private final Path out;
    private final DirectoryArgument logs;
    private final Consumer<String> say;
    private final StudySamples study;
    /** What a design kept in the trial before, by design and machine. */
    private final Map<String, Double> earlier = new LinkedHashMap<>();

    /** That all designs get, in all trials. */
    private @Nullable List<Double> rates;

    private int begun;
    private long nextShown = System.nanoTime();
    private String firstFailure = "";
    private volatile boolean stopAsked;
    private volatile @Nullable LoadRun current;

    /**
     * Starts nothing yet.
     *
     * @param command the command line that repeats it
     * @param out an empty directory for the results
     * @param logs an empty directory for the logs
     * @param say gets how far it is
     */
    StudyRun(Designs plan, String command, Path out, DirectoryArgument logs, Consumer<String> say) {
        this.plan = plan;
        this.command = command;
        this.out = out;
        this.logs = logs;
        this.say = say;
        study = new StudySamples(
                plan, command, Build.current().version(), Instant.now().toString());
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
     * @throws IOException if nothing could be measured, with the first cell's reason, or if the results cannot be written
     */
    void run(ProgressListener progress) throws IOException, InterruptedException {
        for (int trial = 0; trial < plan.trials(); trial++) {
            for (double processors : plan.machines()) {
                if (!stopAsked) {
                    trial(trial, processors, progress);
                }
            }
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
        ResultsDirectory.delete(out.resolve(ResultsDirectory.CELLS));
    }

    /** Writes all cells that are measured, for {@code plog view}: anew, hence for at most a thirtieth of the time. */
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
        nextShown = now + 29 * (now - began);
    }

    /** One trial on one machine. */
    private void trial(int trial, double processors, ProgressListener progress)
            throws IOException, InterruptedException {
        try (StudyServers servers = StudyServers.open(plan, processors, out, logs, this::begin)) {
            Map<StudyCell, Disturbed> disturbed = new LinkedHashMap<>();
            List<StudyCell> capacities = StudyOrder.capacities(plan, trial, processors);
            cells(capacities, servers, disturbed, progress);
            Map<StudyDesign, Double> confirmed = new LinkedHashMap<>();
            for (StudyCell cell : capacities) {
                confirm(cell, servers).ifPresent(rate -> confirmed.put(cell.design(), rate));
            }
            if (rates == null) {
                rates = StudyOrder.absoluteRates(plan, design -> confirmed.getOrDefault(design, 0.0));
            }
            List<StudyCell> loads =
                    StudyOrder.loads(plan, trial, processors, design -> confirmed.getOrDefault(design, 0.0), rates);
            cells(loads, servers, disturbed, progress);
            int all = capacities.size() + loads.size();
            if (isAlwaysDisturbed(disturbed.size(), all)) {
                say.accept(disturbed.size() + " of " + all
                        + " cells were disturbed: this machine is not quiet, so none is measured again");
            } else {
                again(disturbed, servers);
            }
        }
    }

    /** Looks for the largest rate that a design keeps, from its cell at infinite demand on; empty if there is none. */
    private Optional<Double> confirm(StudyCell cell, StudyServers servers) throws InterruptedException {
        double closed = study.acceptedPerSecond(cell);
        if (stopAsked || cell.isControl() || !cell.sizes().equals(StudyCell.MIX) || closed <= 0) {
            return Optional.empty();
        }
        String design = cell.design().label() + " " + cell.processors();
        String limit = "";
        CapacitySearch search = new CapacitySearch(closed, earlier.getOrDefault(design, 0.0));
        try {
            while (!search.isOver() && !stopAsked) {
                String missed = servers.missed(cell, search.rate(), search.isConfirming());
                limit = missed.isEmpty() ? limit : missed;
                search.answered(missed.isEmpty());
            }
        } catch (PlanException | IOException | IllegalStateException e) {
            failed(cell, e);
        }
        if (search.found() > 0) {
            study.confirm(cell, search.found());
            earlier.put(design, search.found());
        }
        // Shares of a rate that was not confirmed are judged by themselves.
        double rate = search.found() > 0 ? search.found() : search.rate();
        say.accept(String.format(
                Locale.ROOT,
                "       %s %s %,.0f/s%s",
                cell.design().label(),
                search.found() > 0 ? "keeps" : "may keep",
                rate,
                limit.isEmpty() ? "" : " (at more: " + limit + ")"));
        return Optional.of(rate);
    }

    private void cells(
            List<StudyCell> cells, StudyServers servers, Map<StudyCell, Disturbed> disturbed, ProgressListener progress)
            throws IOException, InterruptedException {
        for (StudyCell cell : cells) {
            if (stopAsked) {
                return;
            }
            String line = String.format(Locale.ROOT, "%d/%d  %s", begun + 1, plan.cells(), cell.label());
            progress.progress(new ProgressListener.Progress(begun, plan.cells(), line));
            begun++;
            String name = String.format(Locale.ROOT, "%03d", begun);
            try {
                Optional<String> disturbance = measure(cell, servers, name);
                for (int more = 1; more <= ALWAYS_REPEATED && isWithoutRate(cell); more++) {
                    study.addRepeat(cell, disturbance.orElse("nothing accepted"));
                    disturbance = measure(cell, servers, name + "-" + more);
                }
                if (isWithoutRate(cell)) {
                    throw new IOException("none of its requests was accepted in its time, so no other load has a rate");
                }
                disturbance.ifPresent(why -> disturbed.put(cell, new Disturbed(name, why)));
            } catch (PlanException | IOException | IllegalStateException e) {
                failed(cell, e);
            }
        }
    }

    /** Whether other cells follow from its rate, and it has none. */
    private boolean isWithoutRate(StudyCell cell) {
        return cell.isInfiniteDemand() && study.acceptedPerSecond(cell) <= 0 && !stopAsked;
    }

    /** Whether so many disturbed cells are more than chance: measuring again would take long and change nothing. */
    static boolean isAlwaysDisturbed(int disturbed, int cells) {
        return disturbed > ALWAYS_REPEATED && disturbed * 3 > cells;
    }

    /** A measurement to be repeated: where it is, and why. */
    private record Disturbed(String name, String why) {}

    /**
     * Measures again, after all others, since a hypervisor takes processors for a while. The last measurement
     * counts whatever it says.
     */
    private void again(Map<StudyCell, Disturbed> disturbed, StudyServers servers)
            throws IOException, InterruptedException {
        for (Map.Entry<StudyCell, Disturbed> each : disturbed.entrySet()) {
            if (stopAsked) {
                return;
            }
            StudyCell cell = each.getKey();
            Disturbed before = each.getValue();
            say.accept("again  " + cell.label() + ": " + before.why);
            try {
                measure(cell, servers, before.name + "-again");
                study.addRepeat(cell, before.why);
            } catch (PlanException | IOException | IllegalStateException e) {
                // The one before is kept.
                say.accept("    failed: " + Failures.sentence(e));
            }
        }
    }

    private void failed(StudyCell cell, Exception e) {
        if (stopAsked) {
            return;
        }
        String why = Failures.sentence(e);
        firstFailure = firstFailure.isEmpty() ? cell.label() + ": " + why : firstFailure;
        study.addFailure(cell, why);
        say.accept("failed " + cell.label() + ": " + why);
    }

    /**
     * Measures a cell and adds it to the study, but not if it was stopped in the middle: half a cell is no cell.
     *
     * @return why it is worth repeating; empty if it is not
     */
    private Optional<String> measure(StudyCell cell, StudyServers servers, String name)
            throws IOException, PlanException, InterruptedException {
        Path directory =
                Files.createDirectories(out.resolve(ResultsDirectory.CELLS).resolve(name));
        try {
            StudyServer server = servers.of(cell.design());
            Load load = plan.loadPlan(cell, server.process().port(), StudyServer.target(cell));
            Double idle = cell.kind() == StudyCell.Kind.WORKLOAD ? servers.idleNetworkNanos(cell) : null;
            LoadRun run = begin(load);
            ServerCounters before = ServerCounters.of(server.process().adminPort());
            LoadRun.Outcome outcome = run.run(directory.resolve(SampleFileWriter.FILE_NAME), ProgressListener.NONE);
            ServerCounters after = ServerCounters.of(server.process().adminPort());
            RunInfo.End end = outcome.end();
            current = null;
            server.check();
            if (stopAsked) {
                return Optional.empty();
            }
            // That the server could not keep up is a finding, not a failure.
            if (end.partial() && !outcome.overloaded()) {
                throw new IOException(end.reason());
            }
            CellOutcome measured =
                    new CellOutcome(cell, outcome, after.cpuNanosSince(before), idle, after.readyChannelsSince(before));
            study.add(measured);
            showSoFar();
            return Disturbance.of(measured);
        } finally {
            current = null;
        }
    }

    private LoadRun begin(Load load) throws IOException, PlanException {
        LoadRun run = LoadRun.open(new LoadOrder(load, Credentials.NONE, null, command));
        current = run;
        if (stopAsked) {
            run.stop();
        }
        return run;
    }
}
