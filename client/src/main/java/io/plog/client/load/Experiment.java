package io.plog.client.load;

import io.plog.client.ClientOptions;
import io.plog.client.MeasuringConnection;
import io.plog.client.RpcException;
import io.plog.client.ledger.LedgerException;
import io.plog.client.ledger.LedgerOptions;
import io.plog.client.ledger.LedgerWriter;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration PATIENCE_AFTER_STOP = Duration.ofSeconds(5);

    private final MeasurePlan plan;
    private final List<MeasuringConnection> connections;
    private final List<TargetDescription> targets;
    private final RunInfo info;

    private volatile boolean stopAsked;
    private volatile boolean failed;
    private volatile boolean silent;
    private volatile @Nullable Now now;

    /** Where the run is, for the progress reports. */
    private record Now(CellKey cell, int block, boolean warmup) {}

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
            for (int i = 0; i < plan.connections(); i++) {
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

    /** What will be measured, as it will stand in the sample file. */
    public RunInfo info() {
        return info;
    }

    /** Ends the run after the requests under way; what was measured is kept, marked as partial. */
    public void stop() {
        stopAsked = true;
    }

    /**
     * Measures. Whatever happens to the server or the connections meanwhile, the samples so far are in the file, and the
     * returned end says what happened.
     *
     * @param samplesFile created
     * @throws LedgerException if the ledger cannot be opened; one that fails later ends the run like a connection
     * @throws IOException if the sample file cannot be written
     */
    public RunInfo.End run(Path samplesFile, ProgressListener listener) throws IOException {
        LedgerOptions ledger = plan.ledger();
        LedgerWriter opened = ledger == null ? null : LedgerWriter.open(ledger);
        try (EventRecording events = EventRecording.start(plan, info);
                SampleFileWriter writer = SampleFileWriter.create(samplesFile, info)) {
            long start = System.nanoTime();
            String failure = withLedger(opened, writer, start, listener);
            RunInfo.End end = new RunInfo.End(!failure.isEmpty(), failure, System.nanoTime() - start);
            events.writeTo(writer, start);
            writer.end(end);
            return end;
        }
    }

    /** Runs everything and closes the ledger, whose last force is as much a part of the run as the others. */
    private String withLedger(
            @Nullable LedgerWriter opened, SampleFileWriter writer, long start, ProgressListener listener)
            throws IOException {
        List<Worker> workers = new ArrayList<>();
        try (LedgerWriter ledger = opened) {
            for (int i = 0; i < connections.size(); i++) {
                workers.add(new Worker(connections.get(i), i, start, ledger, () -> stopAsked || failed));
            }
            return measure(workers, new SampleSink(writer), ledger, start, listener);
        } catch (LedgerException e) {
            return reason(e, total(workers));
        }
    }

    /** Runs everything and says why it ended early; empty if it did not. */
    private String measure(
            List<Worker> workers, SampleSink sink, @Nullable LedgerWriter ledger, long start, ProgressListener listener)
            throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(workers.size(), task -> {
            Thread thread = new Thread(task, "plog-measure");
            thread.setDaemon(true);
            return thread;
        });
        Pulse pulse = new Pulse(
                () -> total(workers),
                () -> report(total(workers), start, listener),
                patience(),
                PATIENCE_AFTER_STOP,
                () -> stopAsked,
                this::cutSilent);
        try (pulse) {
            @Nullable IOException failure = null;
            for (int block = -1; block < plan.blocks() && failure == null && !stopAsked; block++) {
                failure = block(block, workers, threads, sink);
                sink.writeOut();
                if (ledger != null) {
                    ledger.flush();
                }
            }
            return reason(failure, total(workers));
        } finally {
            threads.shutdown();
        }
    }

    /** Runs one block; block -1 is the warm-up. */
    private @Nullable IOException block(int block, List<Worker> workers, ExecutorService threads, SampleSink sink)
            throws IOException {
        boolean warmup = block < 0;
        long requests = warmup ? plan.warmup() : plan.iterationsInBlock(block);
        List<Integer> ids = targets.stream().map(TargetDescription::id).toList();
        for (CellKey cell : BlockOrder.cells(plan.seed(), block, plan.sizesBytes(), ids)) {
            if (requests == 0 || stopAsked) {
                break;
            }
            now = new Now(cell, block, warmup);
            IOException failure = cell(cell, Math.max(0, block), warmup, requests, workers, threads, sink);
            if (failure != null) {
                return failure;
            }
        }
        return null;
    }

    private @Nullable IOException cell(
            CellKey cell,
            int block,
            boolean warmup,
            long requests,
            List<Worker> workers,
            ExecutorService threads,
            SampleSink sink)
            throws IOException {
        int count = workers.size();
        List<Samples> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long share = requests / count + (i < requests % count ? 1 : 0);
            parts.add(sink.take((int) share));
            connections.get(i).prepare(cell.targetId(), cell.payloadBytes(), payloadSeed(cell.payloadBytes(), i));
        }
        long turnStart = System.nanoTime();
        List<Future<?>> turns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Worker worker = workers.get(i);
            Samples part = parts.get(i);
            long share = requests / count + (i < requests % count ? 1 : 0);
            Worker.Turn turn = new Worker.Turn(cell, block, warmup, share, i, count, plan.ratePerSecond());
            turns.add(threads.submit(() -> {
                runTurn(worker, turn, turnStart, part);
                return null;
            }));
        }
        IOException failure = await(turns);
        sink.give(cell, parts);
        return failure;
    }

    private void runTurn(Worker worker, Worker.Turn turn, long turnStart, Samples part) throws IOException {
        try {
            worker.run(turn, turnStart, part);
        } catch (IOException e) {
            // The others need not go on: the run is over.
            failed = true;
            throw e;
        }
    }

    /** Waits for all; returns the first failure of a connection or of the ledger, throws any other. */
    private static @Nullable IOException await(List<Future<?>> turns) throws IOException {
        @Nullable IOException failure = null;
        for (Future<?> turn : turns) {
            try {
                turn.get();
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                if (cause instanceof RpcException || cause instanceof LedgerException) {
                    failure = failure == null ? (IOException) cause : failure;
                } else if (cause instanceof IOException io) {
                    throw io;
                } else {
                    throw new IllegalStateException("measuring failed in an unexpected way", cause);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("the measuring thread was interrupted; use stop() instead", e);
            }
        }
        return failure;
    }

    private String reason(@Nullable IOException failure, long done) {
        if (stopAsked) {
            return "interrupted after " + done + " of " + totalPlanned() + " requests";
        }
        if (failure == null) {
            return "";
        }
        String what =
                silent ? "no reply within " + patience().toSeconds() + " s" : String.valueOf(failure.getMessage());
        return what + "; " + done + " of " + totalPlanned() + " requests were answered";
    }

    /** At a low rate there is nothing to be answered for longer than any server may be silent. */
    private Duration patience() {
        double between = plan.ratePerSecond() > 0 ? plan.connections() / plan.ratePerSecond() : 0;
        return PATIENCE.plusMillis((long) (between * 1000));
    }

    private void cutSilent() {
        silent = true;
        close();
    }

    /** The same bytes for every target, so that targets differ in nothing else. */
    private long payloadSeed(int payloadBytes, int connection) {
        return plan.seed() * 31 + payloadBytes * 1_025L + connection;
    }

    private long totalPlanned() {
        return (plan.warmup() + plan.iterations()) * plan.sizesBytes().size() * targets.size();
    }

    private static long total(List<Worker> workers) {
        long total = 0;
        for (Worker worker : workers) {
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
        long left = perSecond > 0 ? (long) ((totalPlanned() - done) / perSecond * 1000) : 0;
        String target = targets.stream()
                .filter(t -> t.id() == at.cell.targetId())
                .map(TargetDescription::name)
                .findFirst()
                .orElse("");
        listener.progress(new ProgressListener.Progress(
                at.warmup,
                done,
                totalPlanned(),
                perSecond,
                Duration.ofMillis(left),
                target,
                at.cell.payloadBytes(),
                at.block + 1,
                plan.blocks()));
    }

    /** Closes the connections; a request under way fails. */
    @Override
    public void close() {
        connections.forEach(MeasuringConnection::close);
    }
}
