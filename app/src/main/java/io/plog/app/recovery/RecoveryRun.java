package io.plog.app.recovery;

import io.plog.app.cli.ChildProcess;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.Failures;
import io.plog.app.cli.LogOption;
import io.plog.app.cli.ResultsDirectory;
import io.plog.host.Build;
import io.plog.host.ClientFacts;
import io.plog.host.DirectoryFacts;
import io.plog.host.events.EventRecorder;
import io.plog.host.events.EventStore;
import io.plog.host.events.Recorded;
import io.plog.log.LogOptions;
import io.plog.log.storage.Force;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.Resumption;
import io.plog.measure.plan.Recovery;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.CellTurn;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.SideUsage;
import io.plog.measure.samples.TrialRecord;
import io.plog.measure.study.ServerCounters;
import io.plog.measure.study.StudySamples;
import io.plog.stats.text.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Kills servers on logs of some lengths with some distances between checkpoints. Each log is filled once; in each trial its server
 * is killed in the middle of a load and started again. For one thread, but {@link #stop}.
 */
final class RecoveryRun {
    /** The distance between checkpoints where there are none. */
    static final String NONE = "none";

    /** The number of the client that fills the log; those of the trials count from 1. */
    private static final int FILLING = 1_000;

    /** Requests before a kill. */
    private static final int FEWEST = 2 * Recovery.OUTSTANDING;

    private static final long SEGMENT_BYTES = 64 << 20;
    private static final long SEGMENTS_AHEAD = LogOptions.DEFAULT_RESERVE_SEGMENTS + 2;
    private static final long RECORD_OVERHEAD_BYTES = 100;

    private final Recovery plan;
    private final Resumption before;
    private final DirectoryArgument place;
    private final String command;
    private final List<Log> logs = new ArrayList<>();
    private final Thread measuring = Thread.currentThread();
    private volatile boolean stopped;

    /** A log, its server's options, and what its requests came to. */
    private static final class Log {
        private final RunInfo.Target target;
        private final Path output;
        private final List<String> options;
        private final long requests;
        private int trials;
        private long acknowledged;

        Log(RunInfo.Target target, Path output, List<String> options, long requests) {
            this.target = target;
            this.output = output;
            this.options = options;
            this.requests = requests;
        }

        CellKey cell() {
            return new CellKey(target.id(), Recovery.PAYLOAD_BYTES);
        }
    }

    /**
     * Measures nothing yet.
     *
     * @param before what was measured before
     * @param place an empty directory, deleted in the end; logs and the servers' output go there
     * @param command the command line that repeats it
     */
    RecoveryRun(Recovery plan, Resumption before, DirectoryArgument place, String command) throws IOException {
        this.plan = plan;
        this.before = before;
        this.place = place;
        this.command = command;
        Map<String, String> ofDisk =
                new LinkedHashMap<>(DirectoryFacts.of(place.directory()).asMap());
        ofDisk.put("service", "chain");
        for (long requests : plan.requests()) {
            for (long bytes : plan.checkpoints()) {
                String checkpoint = bytes == 0 ? NONE : ByteSize.format(bytes);
                Path output = place.directory().resolve(checkpoint + "-" + requests);
                DirectoryArgument its = place.in(Files.createDirectories(output.resolve("log")));
                Map<String, String> dimensions = new LinkedHashMap<>();
                dimensions.put(Recovery.CHECKPOINT, checkpoint);
                dimensions.put(Recovery.REQUESTS, Long.toString(requests));
                Map<String, String> facts = new LinkedHashMap<>(ofDisk);
                facts.put(StudySamples.LABEL, requests + " requests, checkpoint " + checkpoint);
                logs.add(new Log(
                        new RunInfo.Target(
                                logs.size() + 1, Recovery.TARGET, Force.FDATASYNC.label(), facts, dimensions),
                        output,
                        List.of(
                                "--log",
                                LogOption.of(Recovery.TARGET, its) + ",service=chain" + checkpoint(checkpoint)),
                        requests));
            }
        }
    }

    /** How {@code --log} takes it. */
    static String checkpoint(String size) {
        return size.equals(NONE) ? "" : ",checkpoint=" + size;
    }

    /** What all logs take at most: what no checkpoint replaces, and the segments that are made ahead. */
    static long spaceBytes(Recovery plan) {
        long bytes = 0;
        for (long requests : plan.requests()) {
            long all = requests * (Recovery.PAYLOAD_BYTES + RECORD_OVERHEAD_BYTES);
            for (long checkpoint : plan.checkpoints()) {
                bytes += (checkpoint == 0 ? all : Math.min(all, 2 * checkpoint)) + SEGMENTS_AHEAD * SEGMENT_BYTES;
            }
        }
        return bytes;
    }

    /** Ends it as soon as possible; what was measured is kept. May be called by any thread. */
    void stop() {
        stopped = true;
        synchronized (this) {
            measuring.interrupt();
        }
    }

    /** Runs all trials that are left, and writes what each showed when it is over; one that fails ends it. */
    void run(ProgressListener listener) throws IOException, PlanException {
        long began = System.nanoTime() - before.lastEndNanos();
        List<Log> order = new ArrayList<>();
        for (int trial = 0; trial < plan.trials(); trial++) {
            order.addAll(logs);
        }
        Collections.shuffle(order, new Random(plan.seed()));
        String early = "";
        int done = 0;
        try (SampleFileWriter writer = before.writer(info(), 0);
                EventRecorder recorder = EventRecorder.start(new EventStore(), List.of())) {
            try {
                for (Log next : order) {
                    if (stopped) {
                        throw new InterruptedException();
                    }
                    String line = (done + 1) + "/" + order.size() + "  " + next.requests + " requests, checkpoint "
                            + next.target.dimensions().get(Recovery.CHECKPOINT);
                    listener.progress(new ProgressListener.Progress(done, order.size(), line));
                    if (before.count(next.trials, new CellTurn(0, next.cell())) == 0) {
                        trial(next, recorder, began, writer);
                    }
                    next.trials++;
                    done++;
                }
            } catch (IOException | InterruptedException e) {
                early = (stopped ? "interrupted" : Failures.sentence(e) + "; the log is kept in " + place.directory())
                        + " after " + done + " of " + order.size() + " kills";
            }
            if (early.isEmpty() || stopped) {
                ResultsDirectory.delete(place.directory());
            }
            RunInfo.End end = new RunInfo.End(!early.isEmpty(), early, System.nanoTime() - began);
            write(() -> writer.end(end));
        }
    }

    private interface Writing {
        void run() throws IOException;
    }

    /** Writes although it may be stopped: an interrupt would close the file. */
    private synchronized void write(Writing writing) throws IOException {
        Thread.interrupted();
        writing.run();
    }

    private RunInfo info() {
        return new RunInfo(
                Build.current().version(),
                Instant.now(),
                command,
                plan,
                ClientFacts.collect(true),
                Map.of(),
                logs.stream().map(log -> log.target).toList());
    }

    /** Fills the log and kills the server; what it was about to prepare, the next one makes up for, so no trial follows from it. */
    private void fill(Log log, SampleFileWriter writer) throws IOException, InterruptedException {
        try (ChildProcess server = ChildProcess.server(log.output, 0, log.options);
                RecoveryLoad load = new RecoveryLoad(server.port(), Recovery.TARGET, FILLING)) {
            long warm = load.awaitAcknowledged(log.requests / 2);
            long warmNanos = System.nanoTime();
            double counted = load.awaitAcknowledged(log.requests) - warm;
            double rate = counted * 1e9 / (System.nanoTime() - warmNanos);
            load.kill(server::kill);
            log.acknowledged = load.acknowledged();
            write(() -> writer.append(List.of(new TrialRecord.FilledRate(log.target.id(), 0, rate))));
        }
    }

    /**
     * One trial.
     *
     * @param recorder of this process, on the machine of the servers
     * @param began when the run did
     * @throws IOException if a server does not start, a request fails, or the log lacks what was acknowledged
     */
    private void trial(Log log, EventRecorder recorder, long began, SampleFileWriter writer)
            throws IOException, InterruptedException {
        if (log.acknowledged == 0) {
            fill(log, writer);
        }
        Path output = log.output;
        int trial = log.trials;
        int id = log.target.id();
        try (ChildProcess first = ChildProcess.server(output, 0, log.options);
                RecoveryLoad load = new RecoveryLoad(first.port(), Recovery.TARGET, trial + 1L)) {
            load.awaitAcknowledged(FEWEST);
            Recorded before = recorder.recorded(Long.MAX_VALUE);
            long killed = load.kill(first::kill);
            long then = log.acknowledged + load.acknowledged();
            try (ChildProcess second = ChildProcess.server(output, first.port(), log.options)) {
                long firstAnswer = load.finish() - killed;
                SideUsage usage = SideUsage.between(
                        before,
                        recorder.recorded(Long.MAX_VALUE),
                        second.cpuTime().toNanos());
                ServerCounters.OfTarget found =
                        ServerCounters.of(second.adminPort()).targets().get(0);
                if (found.recoveredIndex() < then) {
                    throw new IOException("LOST: " + then + " requests were acknowledged, and the log ends with "
                            + found.recoveredIndex());
                }
                Samples sample = new Samples(1);
                sample.begin();
                sample.set(Column.TRIAL, trial);
                sample.set(Column.INTENDED, killed - began);
                sample.set(Column.SENT, killed - began);
                sample.set(Column.END_TO_END, firstAnswer);
                sample.set(Column.PAYLOAD_BYTES, Recovery.PAYLOAD_BYTES);
                log.acknowledged += load.acknowledged();
                second.kill(); // an orderly stop would save the state, and leave the next trial nothing to replay
                TrialRecord recovered = new TrialRecord.Recovered(
                        id,
                        trial,
                        firstAnswer - found.openNanos() - found.replayNanos(),
                        found.openNanos(),
                        found.replayNanos(),
                        found.recoveredIndex(),
                        found.replayed(),
                        found.repeats());
                SideEvents events =
                        new SideEvents(trial, SideEvents.CLIENT, Map.of(), 0, List.of(), List.of(usage), List.of());
                write(() -> {
                    writer.append(List.of(recovered));
                    writer.append(events.ofCell(id, trial));
                    writer.append(log.cell(), sample); // the last: with it the trial is whole
                });
            }
        }
    }
}
