package io.plog.measure;

import io.plog.client.ClientOptions;
import io.plog.client.RpcException;
import io.plog.measure.ledger.AuditLedgerWriter;
import io.plog.measure.ledger.LedgerException;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.Trial;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The experiment: every target with every size, interleaved in randomised blocks, one request outstanding on each
 * connection, every sample kept. {@code docs/measurement.md} says what is recorded and why in this order.
 *
 * <p>{@link #open} connects and checks the plan against the server; {@link #run} measures, once. {@link #stop} may come
 * from any thread.
 */
public final class Experiment implements Closeable {
    /** No server that works is silent for so long. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final Duration TIMEOUT_AFTER_STOP = Duration.ofSeconds(5);

    private final MeasurePlan plan;
    private final List<MeasuringConnection> connections;
    private final List<TargetDescription> targets;
    private final RunInfo info;

    private volatile boolean stopAsked;
    private volatile boolean failed;
    private volatile boolean silent;
    private volatile @Nullable Now now;

    /** Requests of the trial, warm-up included; fewer when that has ended before its most. */
    private volatile long planned;

    /** Where the run is, for the progress reports. */
    private record Now(CellKey cell, int block, boolean warmup) {}

    /** Requests of each cell in a round of a warm-up that ends by evidence. */
    private static final long ROUND = 200;

    private Experiment(
            MeasurePlan plan, List<MeasuringConnection> connections, List<TargetDescription> targets, RunInfo info) {
        this.plan = plan;
        this.connections = connections;
        this.targets = targets;
        this.info = info;
    }

    /**
     * Connects as often as the plan says, and checks that the server can do what it asks for.
     *
     * @throws RpcException if the server cannot be reached
     * @throws PlanException if it lacks a target, or a size is over its limit
     */
    public static Experiment open(MeasurePlan plan) throws RpcException, PlanException {
        ClientOptions options = ClientOptions.defaults();
        List<MeasuringConnection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < plan.grid().connections(); i++) {
                connections.add(MeasuringConnection.connect(
                        plan.host(), plan.port(), options.withClientId(options.clientId() + i)));
            }
            Welcome welcome = connections.get(0).welcome();
            List<TargetDescription> targets = PlanCheck.targets(plan, welcome);
            PlanCheck.sizes(plan, welcome);
            RunInfo info = PlanCheck.describe(
                    plan, welcome, targets, connections.get(0).isLoopback());
            return new Experiment(plan, connections, targets, info);
        } catch (RpcException | PlanException | RuntimeException e) {
            connections.forEach(MeasuringConnection::close);
            throw e;
        }
    }

    /**
     * Checks that a server can do what a plan asks for, without measuring.
     *
     * @return what would be measured, as it would stand in the sample file
     * @throws RpcException if the server cannot be reached
     * @throws PlanException if it lacks a target, or a size is over its limit
     */
    public static RunInfo check(MeasurePlan plan) throws RpcException, PlanException {
        try (Experiment opened = open(plan)) {
            return opened.info;
        }
    }

    /** Ends the run after the requests under way; what was measured is kept, marked as partial. */
    public void stop() {
        stopAsked = true;
    }

    /**
     * Measures one trial. Whatever happens to the server or the connections meanwhile, the samples so far are in the file, and
     * the returned end says what happened.
     *
     * @param samplesFile created
     * @throws LedgerException if the ledger cannot be opened; one that fails later ends the run like a connection
     * @throws IOException if the sample file cannot be written
     */
    public RunInfo.End run(Path samplesFile, Trial trial, ProgressListener listener) throws IOException {
        planned = plan.grid().warmup().requests() * cells() + lacking(trial);
        LedgerOptions ledger = plan.ledger();
        AuditLedgerWriter opened = ledger == null ? null : AuditLedgerWriter.open(ledger);
        try (EventRecording events = EventRecording.start(plan.host(), trial.number(), info, plan.awake());
                SampleFileWriter writer = SampleFileWriter.create(samplesFile, info.startedAt(Instant.now()))) {
            long start = System.nanoTime();
            String failure = withLedger(opened, writer, trial, start, listener);
            RunInfo.End end = new RunInfo.End(!failure.isEmpty(), failure, System.nanoTime() - start);
            events.writeTo(writer, start);
            writer.end(end);
            return end;
        }
    }

    /** Runs everything and closes the ledger, whose last force is as much a part of the run as the others. */
    private String withLedger(
            @Nullable AuditLedgerWriter opened,
            SampleFileWriter writer,
            Trial trial,
            long start,
            ProgressListener listener)
            throws IOException {
        List<ConnectionWorker> workers = new ArrayList<>();
        try (AuditLedgerWriter ledger = opened) {
            for (int i = 0; i < connections.size(); i++) {
                workers.add(new ConnectionWorker(connections.get(i), i, start, ledger, () -> stopAsked || failed));
            }
            return measure(workers, new SampleSink(writer), ledger, trial, start, listener);
        } catch (LedgerException e) {
            return reason(e, total(workers));
        }
    }

    /** Runs everything and says why it ended early; empty if it did not. */
    private String measure(
            List<ConnectionWorker> workers,
            SampleSink sink,
            @Nullable AuditLedgerWriter ledger,
            Trial trial,
            long start,
            ProgressListener listener)
            throws IOException {
        ExperimentWatchdog watchdog = new ExperimentWatchdog(
                () -> total(workers),
                () -> report(total(workers), start, listener),
                replyTimeout(),
                TIMEOUT_AFTER_STOP,
                () -> stopAsked,
                this::cutSilent);
        CellRunner cells = new CellRunner(plan, trial.number(), connections, workers, () -> failed = true);
        try (watchdog;
                cells) {
            @Nullable IOException failure = warmUp(trial, cells, sink);
            for (int block = 0; block < plan.grid().blocks() && failure == null && !stopAsked; block++) {
                long requests = plan.grid().iterationsInBlock(trial.number(), block);
                failure = block(trial, block, false, requests, cells, sink, null);
                sink.writeOut();
                if (ledger != null) {
                    ledger.flush();
                }
            }
            return reason(failure, total(workers));
        }
    }

    /** Warms up all cells, in rounds if the evidence decides when they are steady. */
    private @Nullable IOException warmUp(Trial trial, CellRunner cells, SampleSink sink) throws IOException {
        long left = plan.grid().warmup().requests();
        long round = plan.grid().warmup().byEvidence() ? ROUND : left;
        SteadyWatch watch = new SteadyWatch();
        List<CellKey> all = order(trial, 0);
        @Nullable IOException failure = null;
        for (int block = -1; left > 0 && failure == null && !stopAsked && !watch.steady(all); block--) {
            long requests = Math.min(round, left);
            failure = block(trial, block, true, requests, cells, sink, watch);
            left -= requests;
        }
        if (!stopAsked && failure == null) {
            long most = planned;
            planned = most - left * cells();
        }
        sink.writeOut();
        return failure;
    }

    /** Runs one block; a negative one is a round of the warm-up. */
    private @Nullable IOException block(
            Trial trial,
            int block,
            boolean warmup,
            long requests,
            CellRunner cells,
            SampleSink sink,
            @Nullable SteadyWatch watch)
            throws IOException {
        for (CellKey cell : order(trial, block)) {
            if (stopAsked) {
                break;
            }
            if (trial.done().contains(new Trial.Turn(block, cell))) {
                continue;
            }
            now = new Now(cell, block, warmup);
            CellRunner.Ran ran = cells.run(cell, Math.max(0, block), warmup, requests, sink);
            if (watch != null) {
                watch.add(cell, ran.parts());
            }
            if (ran.failure() != null) {
                return ran.failure();
            }
        }
        return null;
    }

    private List<CellKey> order(Trial trial, int block) {
        List<Integer> ids = targets.stream().map(TargetDescription::id).toList();
        return BlockOrder.cells(
                plan.grid().seed(), trial.number(), block, plan.grid().sizesBytes(), ids);
    }

    private String reason(@Nullable IOException failure, long done) {
        if (stopAsked) {
            return "interrupted after " + done + " of " + planned + " requests";
        }
        if (failure == null) {
            return "";
        }
        String what =
                silent ? "no reply within " + replyTimeout().toSeconds() + " s" : String.valueOf(failure.getMessage());
        return what + "; " + done + " of " + planned + " requests were answered";
    }

    /** At a low rate the pause between two requests is longer than a reply may take. */
    private Duration replyTimeout() {
        double between = plan.grid().ratePerSecond() > 0
                ? plan.grid().connections() / plan.grid().ratePerSecond()
                : 0;
        return TIMEOUT.plusMillis((long) (between * 1000));
    }

    private void cutSilent() {
        silent = true;
        close();
    }

    /** The counted requests that the trial still lacks. */
    private long lacking(Trial trial) {
        long lacking = 0;
        for (int block = 0; block < plan.grid().blocks(); block++) {
            for (CellKey cell : order(trial, block)) {
                lacking += trial.done().contains(new Trial.Turn(block, cell))
                        ? 0
                        : plan.grid().iterationsInBlock(trial.number(), block);
            }
        }
        return lacking;
    }

    private long cells() {
        return (long) plan.grid().sizesBytes().size() * targets.size();
    }

    private static long total(List<ConnectionWorker> workers) {
        long total = 0;
        for (ConnectionWorker worker : workers) {
            total += worker.done();
        }
        return total;
    }

    private void report(long done, long start, ProgressListener listener) {
        Now at = now;
        if (at == null) {
            return;
        }
        double seconds = Math.max(1e-9, (System.nanoTime() - start) / 1e9);
        double perSecond = done / seconds;
        long left = perSecond > 0 ? (long) ((planned - done) / perSecond * 1000) : 0;
        String target = targets.stream()
                .filter(t -> t.id() == at.cell.targetId())
                .map(TargetDescription::name)
                .findFirst()
                .orElse("");
        listener.progress(new ProgressListener.Progress(
                at.warmup,
                done,
                planned,
                perSecond,
                left,
                target,
                at.cell.payloadBytes(),
                Math.max(0, at.block + 1),
                plan.grid().blocks(),
                1,
                1));
    }

    /** Closes the connections; a request under way fails. */
    @Override
    public void close() {
        connections.forEach(MeasuringConnection::close);
    }
}
