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
import io.plog.measure.ProgressListener;
import io.plog.measure.plan.Recovery;
import io.plog.measure.samples.CellKey;
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
    private final DirectoryArgument place;
    private final String command;
    private final List<Log> logs = new ArrayList<>();
    private final List<SideEvents> events = new ArrayList<>();
    private final List<TrialRecord> records = new ArrayList<>();
    private final Thread measuring = Thread.currentThread();
    private volatile boolean stopped;

    /** A log, its server's options, and what its requests came to. */
    private static final class Log {
        private final RunInfo.Target target;
        private final Path output;
        private final List<String> options;
        private final long requests;
        private final Samples samples = new Samples(1);
        private long acknowledged;

        Log(RunInfo.Target target, Path output, List<String> options, long requests) {
            this.target = target;
            this.output = output;
            this.options = options;
            this.requests = requests;
        }
    }

    /**
     * Measures nothing yet.
     *
     * @param place an empty directory, deleted in the end; logs and the servers' output go there
     * @param command the command line that repeats it
     */
    RecoveryRun(Recovery plan, DirectoryArgument place, String command) throws IOException {
        this.plan = plan;
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
        measuring.interrupt();
    }

    /** Runs all trials and writes what they showed; one that fails ends it. */
    void run(Path results, ProgressListener listener) throws IOException {
        Instant startedAt = Instant.now();
        long began = System.nanoTime();
        List<Log> order = new ArrayList<>();
        for (int trial = 0; trial < plan.trials(); trial++) {
            order.addAll(logs);
        }
        Collections.shuffle(order, new Random(plan.seed()));
        String early = "";
        int done = 0;
        try (EventRecorder recorder = EventRecorder.start(new EventStore(), List.of())) {
            for (Log next : order) {
                String line = (done + 1) + "/" + order.size() + "  " + next.requests + " requests, checkpoint "
                        + next.target.dimensions().get(Recovery.CHECKPOINT);
                listener.progress(new ProgressListener.Progress(done, order.size(), line));
                trial(next, recorder, began);
                done++;
            }
        } catch (IOException | InterruptedException e) {
            early = (stopped ? "interrupted" : Failures.sentence(e) + "; the log is kept in " + place.directory())
                    + " after " + done + " of " + order.size() + " kills";
        }
        Thread.interrupted(); // else nothing could be written
        if (early.isEmpty() || stopped) {
            ResultsDirectory.delete(place.directory());
        }
        RunInfo info = new RunInfo(
                Build.current().version(),
                startedAt.toString(),
                command,
                plan,
                ClientFacts.collect(true),
                Map.of(),
                logs.stream().map(log -> log.target).toList());
        try (SampleFileWriter writer = SampleFileWriter.create(results.resolve(SampleFileWriter.FILE_NAME), info)) {
            for (Log log : logs) {
                writer.append(new CellKey(log.target.id(), Recovery.PAYLOAD_BYTES), log.samples);
            }
            for (SideEvents each : events) {
                writer.append(each);
            }
            writer.end(new RunInfo.End(!early.isEmpty(), early, System.nanoTime() - began, records));
        }
    }

    /** Fills the log and kills the server; what it was about to prepare, the next one makes up for, so no trial follows from it. */
    private void fill(Log log) throws IOException, InterruptedException {
        try (ChildProcess server = ChildProcess.server(log.output, 0, log.options);
                RecoveryLoad load = new RecoveryLoad(server.port(), Recovery.TARGET, FILLING)) {
            long warm = load.awaitAcknowledged(log.requests / 2);
            long warmNanos = System.nanoTime();
            double counted = load.awaitAcknowledged(log.requests) - warm;
            records.add(
                    new TrialRecord.FilledRate(log.target.id(), 0, counted * 1e9 / (System.nanoTime() - warmNanos)));
            load.kill(server::kill);
            log.acknowledged = load.acknowledged();
        }
    }

    /**
     * One trial.
     *
     * @param recorder of this process, on the machine of the servers
     * @param began when the run did
     * @throws IOException if a server does not start, a request fails, or the log lacks what was acknowledged
     */
    private void trial(Log log, EventRecorder recorder, long began) throws IOException, InterruptedException {
        if (log.acknowledged == 0) {
            fill(log);
        }
        Path output = log.output;
        int trial = (int) log.samples.count();
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
                log.samples.begin();
                log.samples.set(Column.TRIAL, trial);
                log.samples.set(Column.INTENDED, killed - began);
                log.samples.set(Column.SENT, killed - began);
                log.samples.set(Column.END_TO_END, firstAnswer);
                log.samples.set(Column.PAYLOAD_BYTES, Recovery.PAYLOAD_BYTES);
                records.add(new TrialRecord.Recovered(
                        id,
                        trial,
                        firstAnswer - found.openNanos() - found.replayNanos(),
                        found.openNanos(),
                        found.replayNanos(),
                        found.recoveredIndex(),
                        found.replayed(),
                        found.repeats()));
                events.add(new SideEvents(trial, SideEvents.CLIENT, Map.of(), 0, List.of(), List.of(usage), List.of())
                        .ofCell(id, trial));
                log.acknowledged += load.acknowledged();
                second.kill(); // an orderly stop would save the state, and leave the next trial nothing to replay
            }
        }
    }
}
