package io.plog.app.measure;

import io.plog.app.cli.Failures;
import io.plog.measure.HostPort;
import io.plog.measure.MeasureOrder;
import io.plog.measure.PartFiles;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.Resumption;
import io.plog.measure.plan.Grid;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The trials of a run, and the one file made of their samples. What {@code measure} and {@code demo} have in common; prints nothing.
 *
 * <p>For one thread, but for {@link #stop}, which may come from any.
 */
public final class MeasureRun {
    private final MeasureOrder order;
    private final Grid plan;
    private final Path directory;
    private final PartFiles parts;
    private final TrialServers servers;
    private final List<TrialProcess> begun = new ArrayList<>(); // guarded by itself
    /** Whether everything is measured. */
    private boolean complete;

    private volatile boolean stopAsked;
    /** The trial whose progress is shown. */
    private volatile int shown;
    /** How many trials are over. */
    private volatile int over;

    /**
     * A run, or what is left of one that was interrupted.
     *
     * @param order of one that was interrupted, the same as before but for the server's address
     * @param directory where the results go; prepared, or the interrupted run's
     * @param servers where each trial finds its server
     */
    public MeasureRun(MeasureOrder order, Path directory, TrialServers servers) throws IOException {
        this.order = order;
        plan = order.plan();
        this.directory = directory;
        this.servers = servers;
        parts = new PartFiles(directory);
        Path samples = directory.resolve(SampleFileWriter.FILE_NAME);
        if (parts.list().isEmpty() && Files.exists(samples)) {
            complete = isWhole(samples);
            if (!complete) {
                Files.move(samples, parts.begin(0));
            }
        }
    }

    /**
     * Checks that a server is the one that the run began with, as far as its targets go.
     *
     * @throws PlanException if it is not
     */
    void checkSameTargets(RunInfo now) throws IOException, PlanException {
        List<Path> all = parts.list();
        if (all.isEmpty()) {
            return;
        }
        try (SampleFileReader reader = SampleFileReader.open(all.get(0))) {
            Resumption.checkSameTargets(reader.info(), now);
        }
    }

    private static boolean isWhole(Path samples) throws IOException {
        try (SampleFileReader reader = SampleFileReader.open(samples)) {
            return !reader.end().partial();
        }
    }

    /** Ends the measuring after the requests under way; {@link #run} then writes what there is, marked as partial. */
    public void stop() {
        stopAsked = true;
        synchronized (begun) {
            begun.forEach(TrialProcess::stop);
        }
    }

    /**
     * Measures and writes all samples. A server that goes away is no exception: the samples say that they are partial.
     *
     * @throws PlanException if a server cannot do what the plan asks for
     * @throws IOException if a server cannot be started or reached for the first trial, or a file cannot be written
     */
    public void run(ProgressListener listener) throws IOException, PlanException, InterruptedException {
        finish(trials(listener));
    }

    /** Runs what is left of each trial; returns why the run ended early, empty if it did not. */
    private String trials(ProgressListener listener) throws IOException, PlanException, InterruptedException {
        List<Integer> left = new ArrayList<>();
        List<Path> begunBefore = parts.list();
        for (int trial = 0; trial < plan.trials() && !complete; trial++) {
            Path part = parts.file(trial);
            if (!begunBefore.contains(part) || !isWhole(part)) {
                left.add(trial);
            }
        }
        String partial = "";
        for (int i = 0; i < left.size() && partial.isEmpty(); i += servers.atOnce()) {
            partial = stopAsked
                    ? "interrupted before trial " + (left.get(i) + 1)
                    : together(left.subList(i, Math.min(left.size(), i + servers.atOnce())), listener);
        }
        return partial;
    }

    /** Warms trials up at the same time and counts one after the other; returns why one ended early, empty if none did. */
    private String together(List<Integer> trials, ProgressListener listener)
            throws IOException, PlanException, InterruptedException {
        over = trials.get(0);
        shown = over;
        try {
            List<HostPort> addresses = servers.start(trials);
            for (int i = 0; i < trials.size(); i++) {
                begin(trials.get(i), addresses.get(i), listener);
            }
            for (TrialProcess trial : begun) {
                shown = trial.number();
                trial.awaitWarm();
            }
            String partial = "";
            for (int i = 0; i < begun.size() && partial.isEmpty(); i++) {
                partial = count(begun.get(i));
            }
            return partial;
        } finally {
            end();
        }
    }

    private void begin(int trial, HostPort server, ProgressListener listener) throws IOException {
        String name = plan.trials() == 1 ? "" : "trial " + (trial + 1) + "/" + plan.trials() + " ";
        ProgressListener ifShown = progress -> {
            if (shown == trial) {
                listener.progress(progress.inPart(over, plan.trials(), servers.atOnce(), name));
            }
        };
        synchronized (begun) {
            begun.add(TrialProcess.start(order.against(server), trial, fileOf(trial), ifShown, servers.clientWithin()));
            if (stopAsked) {
                begun.forEach(TrialProcess::stop);
            }
        }
    }

    /** Counts one trial; returns why it ended early, empty if it did not. */
    private String count(TrialProcess trial) throws IOException, PlanException, InterruptedException {
        over = trial.number();
        shown = over;
        try {
            RunInfo.End end = trial.count();
            if (!end.partial()) {
                return "";
            }
            return plan.trials() == 1 ? end.reason() : "trial " + (trial.number() + 1) + " " + end.reason();
        } catch (IOException e) {
            if (parts.list().isEmpty()) {
                throw e;
            }
            // What was measured before is worth keeping.
            return "trial " + (trial.number() + 1) + " failed: " + Failures.sentence(e);
        }
    }

    private void end() throws IOException, InterruptedException {
        try {
            for (TrialProcess trial : begun) {
                trial.close();
            }
        } finally {
            synchronized (begun) {
                begun.clear();
            }
            servers.stop();
        }
    }

    /** A run of one trial that was never interrupted needs no merging: its file is the result. */
    private Path fileOf(int trial) throws IOException {
        return plan.trials() == 1 && parts.list().isEmpty()
                ? directory.resolve(SampleFileWriter.FILE_NAME)
                : parts.begin(trial);
    }

    private void finish(String partial) throws IOException {
        if (parts.list().isEmpty()) {
            return; // one trial, which wrote the result itself
        }
        Path merging = directory.resolve(SampleFileWriter.FILE_NAME + ".tmp");
        Files.deleteIfExists(merging);
        RunInfo.End end = parts.merge(plan, partial, merging);
        Files.move(merging, directory.resolve(SampleFileWriter.FILE_NAME), StandardCopyOption.REPLACE_EXISTING);
        if (!end.partial()) {
            parts.delete();
        }
    }
}
