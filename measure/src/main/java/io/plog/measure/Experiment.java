package io.plog.measure;

import io.plog.client.ClientOptions;
import io.plog.client.RpcException;
import io.plog.host.events.CompilerThreads;
import io.plog.measure.ledger.AuditLedgerWriter;
import io.plog.measure.ledger.LedgerException;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Warmup;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.CellTurn;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import io.plog.stats.text.Units;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
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
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Duration TIMEOUT_AFTER_STOP = Duration.ofSeconds(5);

    private static final long LOOK_MILLIS = 1_000;

    /** Requests of a turn, after which its samples may be written: a turn of more is made of several. */
    private static final long MOST_AT_ONCE = 128 * 1024;

    private final MeasureOrder order;
    private final ClientOptions options;
    private final Grid plan;
    private final List<MeasuringConnection> connections;
    private final List<TargetDescription> targets;
    private final RunInfo info;

    private List<ProcessHandle> processes = List.of(); // the other ones of the run
    private long start; // of the run's clock, which stands still in an interruption and in the warm-up after it
    private volatile boolean stopAsked;
    private volatile boolean failed;
    private volatile @Nullable Now now;

    /** Requests of the trial that are to count. */
    private volatile long planned;

    /** How long the warm-up took, without the wait for other trials. */
    private volatile long warmUpNanos;

    /** When requests began to count; null in the warm-up. */
    private volatile @Nullable Counting counting;

    /** What a run waits for between its warm-up and its first request that counts. */
    @FunctionalInterface
    public interface Start {
        /** Returns when requests may count: the other processes of the run, those that wait meanwhile and the one that leads it. */
        List<ProcessHandle> await() throws InterruptedException;
    }

    /** Where the run is, for the progress reports. */
    private record Now(CellKey cell, int block) {}

    /** How many requests were answered before, and when that was, since the run's start. */
    private record Counting(long before, long sinceNanos) {}

    private Experiment(
            MeasureOrder order,
            ClientOptions options,
            List<MeasuringConnection> connections,
            List<TargetDescription> targets,
            RunInfo info) {
        this.order = order;
        this.options = options;
        plan = order.plan();
        this.connections = connections;
        this.targets = targets;
        this.info = info;
    }

    /**
     * Connects as often as the plan says, and checks that the server can do what it asks for.
     *
     * @throws RpcException if the server cannot be reached
     * @throws IOException if a file of its credentials cannot be used
     * @throws PlanException if it lacks a target, or a size is over its limit
     */
    public static Experiment open(MeasureOrder order) throws IOException, PlanException {
        ClientOptions options = order.credentials().in(ClientOptions.defaults());
        List<MeasuringConnection> connections = new ArrayList<>();
        try {
            HttpService http = order.http();
            for (int i = 0; i < order.plan().connections(); i++) {
                ClientOptions own = options.withClientId(options.clientId() + i);
                connections.add(
                        http != null
                                ? MeasuringConnection.connect(http, own)
                                : MeasuringConnection.connect(
                                        order.server().host(), order.server().port(), own));
            }
            if (http != null) {
                http.probe(connections.get(0), Collections.min(order.plan().sizesBytes()));
            }
            Welcome welcome = connections.get(0).welcome();
            List<TargetDescription> targets = PlanCheck.targets(order.plan(), welcome);
            PlanCheck.sizes(order.plan(), welcome);
            RunInfo info = PlanCheck.describe(
                    order,
                    welcome,
                    targets,
                    connections.get(0).address().getAddress().isLoopbackAddress());
            return new Experiment(order, options, connections, targets, info);
        } catch (IOException | PlanException | RuntimeException e) {
            connections.forEach(MeasuringConnection::close);
            throw e;
        }
    }

    /**
     * Checks that a server can do what a plan asks for, without measuring.
     *
     * @return what would be measured, as it would stand in the sample file
     * @throws RpcException if the server cannot be reached
     * @throws IOException if a file of its credentials cannot be used
     * @throws PlanException if it lacks a target, or a size is over its limit
     */
    public static RunInfo check(MeasureOrder order) throws IOException, PlanException {
        try (Experiment opened = open(order)) {
            return opened.info;
        }
    }

    /** Ends the run after the requests under way; what was measured is kept, marked as partial. */
    public void stop() {
        stopAsked = true;
    }

    /**
     * Measures one trial, or what it lacks if its file was begun. Whatever happens to the server or the connections meanwhile, the samples so far are in the file, and
     * the returned end says what happened.
     *
     * @param samplesFile created if it is not there
     * @param trial from 0
     * @param countFrom asked once it has warmed up
     * @throws PlanException if the file has samples of something else
     * @throws LedgerException if the ledger cannot be opened; one that fails later ends the run like a connection
     */
    public RunInfo.End run(Path samplesFile, int trial, Start countFrom, ProgressListener listener)
            throws IOException, PlanException {
        Resumption before = Resumption.of(samplesFile, info.plan());
        planned = lacking(before, trial);
        LedgerOptions ledger = order.ledger();
        AuditLedgerWriter opened = ledger == null ? null : AuditLedgerWriter.open(ledger);
        try (EventRecording events = new EventRecording(connections.get(0).address(), options, trial, info);
                SampleFileWriter writer = before.writer(info.startedAt(Instant.now()), trial)) {
            start = System.nanoTime() - before.lastEndNanos();
            Running running = new Running(before, trial, countFrom, listener, events, new SampleSink(writer));
            String failure = withLedger(opened, running);
            RunInfo.End end = new RunInfo.End(!failure.isEmpty(), failure, System.nanoTime() - start);
            events.writeTo(writer, start);
            writer.end(end);
            return end;
        }
    }

    private record Running(
            Resumption before,
            int trial,
            Start countFrom,
            ProgressListener listener,
            EventRecording events,
            SampleSink sink) {}

    /** Runs everything and closes the ledger, whose last force is as much a part of the run as the others. */
    private String withLedger(@Nullable AuditLedgerWriter opened, Running running) throws IOException {
        List<ConnectionWorker> workers = new ArrayList<>();
        try (AuditLedgerWriter ledger = opened) {
            for (int i = 0; i < connections.size(); i++) {
                workers.add(new ConnectionWorker(
                        connections.get(i), i, connections.size(), start, ledger, () -> stopAsked || failed));
            }
            return measure(workers, running);
        } catch (LedgerException e) {
            return reason(e, total(workers));
        }
    }

    /** Runs everything and says why it ended early; empty if it did not. */
    private String measure(List<ConnectionWorker> workers, Running running) throws IOException {
        long begun = System.nanoTime();
        Runnable look = () -> {
            connections.forEach(each -> each.giveUpIfLate(System.nanoTime(), stopAsked ? TIMEOUT_AFTER_STOP : TIMEOUT));
            report(total(workers), begun, running.listener);
        };
        Periodic watchdog = new Periodic("plog-watchdog", LOOK_MILLIS, look);
        try (watchdog;
                CellRunner cells = new CellRunner(plan.seed(), running.trial, workers, () -> failed = true)) {
            @Nullable IOException failure = warmUp(running, cells);
            if (failure == null && !stopAsked) {
                if (!running.before.isOfNothing()) {
                    start = System.nanoTime() - running.before.lastEndNanos();
                    workers.forEach(worker -> worker.startAt(start));
                }
                running.events.countFromHere(processes);
                counting = new Counting(total(workers), System.nanoTime() - begun);
            }
            for (int block = 0; block < plan.blocks() && failure == null && !stopAsked; block++) {
                int current = block;
                failure = block(
                        running, block, cell -> lacking(running.before, running.trial, current, cell), cells, null);
            }
            return reason(failure, total(workers));
        }
    }

    private @Nullable IOException warmUp(Running running, CellRunner cells) throws IOException {
        long begun = System.nanoTime();
        WarmUpRounds rounds = new WarmUpRounds(
                plan.warmup(), order(running.trial, 0), System::nanoTime, running.events::compilerNanos);
        @Nullable IOException failure = null;
        int block = -1;
        for (; failure == null && !stopAsked; block--) {
            WarmUpRounds.Step step = rounds.next();
            if (step == WarmUpRounds.Step.OVER) {
                break;
            } else if (step == WarmUpRounds.Step.PAUSE) {
                LockSupport.parkNanos(CompilerRest.PAUSE_NANOS);
                continue;
            }
            failure = block(running, block, cell -> rounds.requests(step, cell), cells, rounds);
        }
        warmUpNanos = System.nanoTime() - begun;
        if (failure == null) {
            awaitStart(running.countFrom);
        }
        long again = plan.warmup().afterWait();
        return failure == null && again > 0 && !stopAsked ? block(running, block, cell -> again, cells, null) : failure;
    }

    private void awaitStart(Start countFrom) {
        try {
            processes = countFrom.await();
            CompilerThreads.makeWay(Stream.concat(processes.stream(), Stream.of(ProcessHandle.current()))
                    .toList());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
        }
    }

    /** Runs one block; a negative one is a round of the warm-up. */
    private @Nullable IOException block(
            Running running,
            int block,
            ToLongFunction<CellKey> requests,
            CellRunner cells,
            @Nullable WarmUpRounds rounds)
            throws IOException {
        for (CellKey cell : order(running.trial, block)) {
            if (stopAsked) {
                break;
            }
            now = new Now(cell, block);
            double rate = rounds == null || rounds.isMeasured() ? plan.ratePerSecond() : 0;
            for (long left = requests.applyAsLong(cell); left > 0 && !stopAsked; left -= MOST_AT_ONCE) {
                running.events.underWay(true);
                CellRunner.Ran ran = cells.run(
                        cell, Math.max(0, block), block < 0, Math.min(left, MOST_AT_ONCE), rate, running.sink);
                running.events.underWay(false);
                if (rounds != null) {
                    rounds.add(cell, ran.parts());
                }
                if (ran.failure() != null) {
                    running.sink.writeOut();
                    return ran.failure();
                }
            }
        }
        running.sink.writeOut(); // in the warm-up, too, so that its code is warm
        return null;
    }

    private List<CellKey> order(int trial, int block) {
        List<Integer> ids = targets.stream().map(TargetDescription::id).toList();
        return BlockOrder.cells(plan.seed(), trial, block, plan.sizesBytes(), ids);
    }

    private String reason(@Nullable IOException failure, long answered) {
        Counting since = counting;
        String when = since == null
                ? " after " + answered + " requests of the warm-up"
                : " after " + (answered - since.before) + " of " + planned + " counted requests";
        return stopAsked ? "interrupted" + when : failure == null ? "" : failure.getMessage() + when;
    }

    /** The counted requests that the trial still lacks. */
    private long lacking(Resumption before, int trial) {
        long lacking = 0;
        for (int block = 0; block < plan.blocks(); block++) {
            for (CellKey cell : order(trial, block)) {
                lacking += lacking(before, trial, block, cell);
            }
        }
        return lacking;
    }

    private long lacking(Resumption before, int trial, int block, CellKey cell) {
        return Math.max(0, plan.iterationsInBlock(trial, block) - before.count(trial, new CellTurn(block, cell)));
    }

    private static long total(List<ConnectionWorker> workers) {
        long total = 0;
        for (ConnectionWorker worker : workers) {
            total += worker.done();
        }
        return total;
    }

    private void report(long answered, long start, ProgressListener listener) {
        Now at = now;
        if (at == null) {
            return;
        }
        Counting since = counting;
        long done = since == null ? 0 : answered - since.before;
        double seconds = (System.nanoTime() - start - (since == null ? 0 : since.sinceNanos)) / 1e9;
        double perSecond = (since == null ? answered : done) / Math.max(1e-9, seconds);
        String howFar = since == null
                ? String.format(Locale.ROOT, "warm-up  %,d requests", answered)
                : String.format(
                        Locale.ROOT,
                        "block %d/%d  %d/%d (%d %%)",
                        at.block + 1,
                        plan.blocks(),
                        done,
                        planned,
                        done * 100 / Math.max(1, planned));
        String target = targets.stream()
                .filter(t -> t.id() == at.cell.targetId())
                .map(TargetDescription::name)
                .findFirst()
                .orElse("");
        String text = String.format(
                Locale.ROOT, "%s  %,.0f/s  %s %s", howFar, perSecond, target, Units.size(at.cell.payloadBytes()));
        double counted = planned / (since == null && plan.ratePerSecond() > 0 ? plan.ratePerSecond() : perSecond);
        double warmUp = since == null ? Math.max(seconds, longestWarmUp(perSecond)) : warmUpNanos / 1e9;
        double left = counted + (since == null ? warmUp - seconds : -counted * done / Math.max(1, planned));
        listener.progress(new ProgressListener.Progress(
                done, planned, text, perSecond > 0 ? (long) left : -1, (long) warmUp, (long) counted));
    }

    /** In seconds, as far as anybody knows. */
    private double longestWarmUp(double perSecond) {
        Warmup warmup = plan.warmup();
        return warmup.byEvidence()
                ? warmup.most().toSeconds()
                : warmup.requests() * targets.size() * plan.sizesBytes().size() / perSecond;
    }

    /** Closes the connections; a request under way fails. */
    @Override
    public void close() {
        connections.forEach(MeasuringConnection::close);
    }
}
