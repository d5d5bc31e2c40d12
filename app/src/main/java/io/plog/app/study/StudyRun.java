package io.plog.app.study;

import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.Failures;
import io.plog.app.cli.ResultsDirectory;
import io.plog.client.Credentials;
import io.plog.host.Build;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.Resumption;
import io.plog.measure.load.LoadOrder;
import io.plog.measure.load.LoadRun;
import io.plog.measure.load.RateSearch;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.TrialRecord;
import io.plog.measure.samples.TrialRecord.RateAnswer;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
    /** Those that are measured. */
    private final Map<StudyCell, Path> files = new HashMap<>();
    /** That which was measured last before the study was interrupted, until it goes on. */
    private @Nullable StudyCell last;
    /** What a design kept in the trial before, by design and machine. */
    private final Map<String, Double> earlier = new LinkedHashMap<>();

    /** That all designs get, in all trials. */
    private @Nullable List<Double> rates;

    private int begun;
    private long nextShown = System.nanoTime();
    private String firstFailure = "";
    private String why = "interrupted";
    private volatile boolean stopAsked;
    private volatile @Nullable LoadRun current;

    /**
     * Starts nothing yet.
     *
     * @param command the command line that repeats it
     * @param out a directory for the results; the cells that are there already are not measured again
     * @param logs an empty directory for the logs
     * @param say gets how far it is
     */
    StudyRun(Designs plan, String command, Path out, DirectoryArgument logs, Consumer<String> say) {
        this.plan = plan;
        this.command = command;
        this.out = out;
        this.logs = logs;
        this.say = say;
        study = new StudySamples(plan, command, Build.current().version(), Instant.now());
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
                trial(trial, processors, progress);
            }
        }
        if (study.measured() == 0) {
            throw new IOException(
                    stopAsked
                            ? "interrupted before anything was measured"
                            : "no cell could be measured: " + firstFailure);
        }
        String early = stopAsked ? why + " after " + study.measured() + " of " + plan.cells() + " cells" : "";
        boolean whole;
        try {
            whole = write(early);
        } catch (IOException full) {
            Files.deleteIfExists(out.resolve(SampleFileWriter.FILE_NAME)); // its room may be enough
            whole = write(early);
        }
        if (whole) {
            ResultsDirectory.delete(out.resolve(ResultsDirectory.CELLS));
        }
    }

    /** Writes all cells that are measured; returns whether that is all of the study. */
    private boolean write(String early) throws IOException {
        Path written = out.resolve(SampleFileWriter.FILE_NAME + ".tmp");
        Files.deleteIfExists(written);
        try {
            boolean whole = study.write(written, early);
            Files.move(written, out.resolve(SampleFileWriter.FILE_NAME), StandardCopyOption.REPLACE_EXISTING);
            return whole;
        } catch (IOException full) {
            Files.deleteIfExists(written); // its room is for what is measured
            throw full;
        }
    }

    /** Writes all cells that are measured, for {@code plog view}: anew, hence for at most a thirtieth of the time. */
    private void showSoFar() throws IOException {
        long began = System.nanoTime();
        if (began - nextShown < 0) {
            return;
        }
        try {
            write("only " + study.measured() + " of " + plan.cells() + " cells are measured");
        } catch (IOException full) {
            // The next cell that cannot be written says so.
        }
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
    private Optional<Double> confirm(StudyCell cell, StudyServers servers) throws IOException, InterruptedException {
        double closed = study.acceptedPerSecond(cell);
        String design = cell.design().label() + " " + cell.processors();
        Optional<Double> kept =
                study.noted(cell, TrialRecord.ConfirmedRate.class).map(TrialRecord.ConfirmedRate::requestsPerSecond);
        kept.ifPresent(rate -> earlier.put(design, rate));
        Optional<Double> known = kept.or(
                () -> study.noted(cell, TrialRecord.TriedRate.class).map(TrialRecord.TriedRate::requestsPerSecond));
        if (known.isPresent() || stopAsked || cell.isControl() || !cell.sizes().equals(StudyCell.MIX) || closed <= 0) {
            return known;
        }
        String limit = "";
        RateSearch search = RateSearch.ofCapacity(closed, earlier.getOrDefault(design, 0.0));
        try {
            while (!search.isOver() && !stopAsked) {
                String missed = servers.missed(cell, search.rate(), search.isConfirming());
                limit = missed.isEmpty() ? limit : missed;
                search.answered(missed.isEmpty() ? RateAnswer.KEPT : RateAnswer.MISSED);
            }
        } catch (PlanException | IOException | IllegalStateException e) {
            failed(cell, e);
        }
        // Shares of a rate that was not confirmed are judged by themselves.
        double rate = search.found() > 0 ? search.found() : search.rate();
        if (search.found() > 0) {
            note(cell, new TrialRecord.ConfirmedRate(0, cell.trial(), rate));
            earlier.put(design, rate);
        } else if (!stopAsked) {
            note(cell, new TrialRecord.TriedRate(0, cell.trial(), rate));
        }
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
            String name = String.format(Locale.ROOT, "%03d", begun + 1);
            if (isThere(cell, name)) {
                begun++;
                continue;
            }
            if (stopAsked) {
                return;
            }
            goOn();
            String line = String.format(Locale.ROOT, "%d/%d  %s", begun + 1, plan.cells(), cell.label());
            progress.progress(new ProgressListener.Progress(begun, plan.cells(), line));
            begun++;
            try {
                Optional<String> disturbance = measure(cell, servers, name);
                for (int more = 1; more <= ALWAYS_REPEATED && isWithoutRate(cell); more++) {
                    String cause = disturbance.orElse("nothing accepted");
                    disturbance = measure(cell, servers, name);
                    repeated(cell, cause);
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

    /** Whether a cell was measured before the study was interrupted; then it is of the study. */
    private boolean isThere(StudyCell cell, String name) throws IOException {
        Path file = file(name);
        Load load = plan.loadPlan(cell, 1, StudyServer.target(cell));
        try {
            if (Resumption.of(file, load).isOfNothing()) {
                return false;
            }
        } catch (PlanException other) {
            return false; // its rate follows from what is measured again
        }
        study.add(CellOutcome.read(cell, load, file));
        files.put(cell, file);
        last = cell;
        return true;
    }

    /** Before the first cell that is not there is measured. */
    private void goOn() throws IOException {
        StudyCell before = last;
        last = null;
        if (before != null) {
            note(
                    before,
                    Resumption.interrupted(
                            0, before.trial(), Objects.requireNonNull(files.get(before)), Instant.now()));
        }
    }

    private Path file(String name) {
        return out.resolve(ResultsDirectory.CELLS).resolve(name).resolve(SampleFileWriter.FILE_NAME);
    }

    private void repeated(StudyCell cell, String why) throws IOException {
        note(cell, new TrialRecord.Repeated(0, cell.trial(), cell.label() + " (" + why + ")"));
    }

    /** Notes something of a cell, also for when the study is interrupted. */
    private void note(StudyCell cell, TrialRecord what) throws IOException {
        study.note(cell, what);
        Path file = files.get(cell);
        if (file != null) {
            SampleFileWriter.add(file, List.of(what));
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
                measure(cell, servers, before.name);
                repeated(cell, before.why);
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
        String sentence = Failures.sentence(e);
        if (out.toFile().getUsableSpace() < SampleFileWriter.SPARE_BYTES) {
            why = "the disk of " + out + " is full: " + sentence + ";";
            stopAsked = true;
            return;
        }
        firstFailure = firstFailure.isEmpty() ? cell.label() + ": " + sentence : firstFailure;
        study.addFailure(cell, sentence);
        say.accept("failed " + cell.label() + ": " + sentence);
    }

    /**
     * Measures a cell and adds it to the study, but not if it was stopped in the middle: half a cell is no cell.
     *
     * @return why it is worth repeating; empty if it is not
     */
    private Optional<String> measure(StudyCell cell, StudyServers servers, String name)
            throws IOException, PlanException, InterruptedException {
        Path whole = file(name);
        Path file = whole.resolveSibling("measuring.plog");
        Files.createDirectories(out.resolve(ResultsDirectory.CELLS).resolve(name));
        Files.deleteIfExists(file);
        try {
            StudyServer server = servers.of(cell.design());
            Load load = plan.loadPlan(cell, server.process().port(), StudyServer.target(cell));
            Double idle = cell.kind() == StudyCell.Kind.WORKLOAD ? servers.idleNetworkNanos(cell) : null;
            LoadRun run = begin(load);
            ServerCounters before = ServerCounters.of(server.process().adminPort());
            LoadRun.Outcome outcome = run.run(file, ProgressListener.NONE);
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
            Map<String, String> facts = outcome.info().server();
            SampleFileWriter.add(
                    file,
                    CellOutcome.records(
                            cell, facts, after.cpuNanosSince(before), idle, after.readyChannelsSince(before)));
            Files.move(file, whole, StandardCopyOption.REPLACE_EXISTING);
            files.put(cell, whole);
            CellOutcome measured = CellOutcome.read(cell, load, whole);
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
