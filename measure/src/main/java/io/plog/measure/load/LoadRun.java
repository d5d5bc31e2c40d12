package io.plog.measure.load;

import io.plog.client.ClientOptions;
import io.plog.client.Credentials;
import io.plog.client.RpcException;
import io.plog.host.Build;
import io.plog.host.ClientFacts;
import io.plog.measure.EventRecording;
import io.plog.measure.HostPort;
import io.plog.measure.HttpService;
import io.plog.measure.MeasuringConnection;
import io.plog.measure.PlanCheck;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.Resumption;
import io.plog.measure.ledger.AuditLedgerWriter;
import io.plog.measure.ledger.LedgerException;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.plan.Load;
import io.plog.measure.samples.ForceLabel;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.TrialRecord;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import io.plog.stats.text.ByteSize;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One load on one target, in this process: checked against the server, driven, every sample kept, summed up. Prints nothing.
 *
 * <p>{@link #open} and {@link #run} are for one thread, which drives the load; {@link #stop} may come from any. Runs once.
 */
public final class LoadRun {
    private static final long MOMENT_NANOS = 5_000_000;
    /** So long before a time it is known when that is. */
    private static final long LOOKING_NANOS = 50_000_000;

    private final LoadOrder order;
    private final Load plan;
    private final ClientOptions options;
    private final int first; // the place of the server that answered
    private final InetSocketAddress peer; // where it did
    private final Welcome welcome;
    private final TargetDescription target;
    private final RunInfo info;
    private volatile boolean stopAsked;

    /**
     * The outcome of a load.
     *
     * @param samples every sample, as {@code docs/sample-format.md} has it
     * @param info what the run is
     * @param end how it ended: partial if it was stopped, given up, or the server failed
     * @param overloaded whether it was given up because too many requests were without a reply: the server could not keep up
     * @param summary its rates and errors
     */
    public record Outcome(Path samples, RunInfo info, RunInfo.End end, boolean overloaded, LoadSummary summary) {}

    private LoadRun(
            LoadOrder order,
            ClientOptions options,
            int first,
            InetSocketAddress peer,
            Welcome welcome,
            TargetDescription target) {
        this.order = order;
        plan = order.plan();
        this.options = options;
        this.first = first;
        this.peer = peer;
        this.welcome = welcome;
        this.target = target;
        this.info = describe(order, welcome, target, peer.getAddress().isLoopbackAddress());
    }

    /**
     * Asks the server whether it can take this load; of several, the first that answers.
     *
     * @throws RpcException if it cannot be reached, or none of them
     * @throws IOException if a file of the credentials cannot be used
     * @throws PlanException if it lacks the target, takes no read-only requests there or no payload of this size, or if this
     *     process may not have so many connections
     */
    public static LoadRun open(LoadOrder order) throws IOException, PlanException {
        Load plan = order.plan();
        FileLimit.check(plan.loop().connections());
        ClientOptions options = order.credentials().in(ClientOptions.defaults());
        HttpService http = order.http();
        Answering first = http == null
                ? firstThatAnswers(order.servers(), options)
                : new Answering(0, MeasuringConnection.connect(http, options));
        try (MeasuringConnection connection = first.connection) {
            if (http != null) {
                http.probe(connection, plan.mix().leastBytes());
            }
            Welcome welcome = connection.welcome();
            TargetDescription target = target(plan, welcome);
            return new LoadRun(order, options, first.place, connection.address(), welcome, target);
        }
    }

    /**
     * The target that the plan means.
     *
     * @throws PlanException if the server lacks it, takes no read-only requests there, or no payload of this size
     */
    private static TargetDescription target(Load plan, Welcome welcome) throws PlanException {
        TargetDescription target = PlanCheck.target(plan.target(), welcome);
        if (plan.loggedShare() < 1 && !"yes".equals(target.facts().get(LoadTargets.READ_ONLY_FACT))) {
            throw new PlanException("the workload has read-only requests, and the server takes none for target '"
                    + target.name() + "' (its service is '"
                    + target.facts().getOrDefault("service", "unknown")
                    + "'); choose --workload 100%, another target, or a server whose service takes them");
        }
        if (plan.mix().mostBytes() > welcome.maxPayloadBytes()) {
            throw new PlanException("the mix has sizes up to " + plan.mix().mostBytes() + " bytes ("
                    + ByteSize.format(plan.mix().mostBytes()) + "), over the server's limit of "
                    + welcome.maxPayloadBytes() + "; choose smaller ones, or start the server with --max-payload "
                    + ByteSize.format(plan.mix().mostBytes()));
        }
        return target;
    }

    /** What the run is; it has not started yet. */
    public RunInfo info() {
        return info;
    }

    /** A server that answers, by its place in the list. */
    private record Answering(int place, MeasuringConnection connection) {}

    private static Answering firstThatAnswers(List<HostPort> servers, ClientOptions options) throws RpcException {
        for (int place = 0; ; place++) {
            HostPort server = servers.get(place);
            try {
                return new Answering(place, MeasuringConnection.connect(server.host(), server.port(), options));
            } catch (RpcException e) {
                if (place == servers.size() - 1) {
                    throw e;
                }
            }
        }
    }

    /**
     * The names of the targets that a server logs; of several, the first that answers.
     *
     * @throws RpcException if it cannot be reached, or none of them
     * @throws IOException if a file of the credentials cannot be used
     */
    public static List<String> loggedTargets(List<HostPort> servers, Credentials credentials) throws IOException {
        ClientOptions options = credentials.in(ClientOptions.defaults());
        try (MeasuringConnection connection = firstThatAnswers(servers, options).connection) {
            return connection.welcome().targets().stream()
                    .filter(target -> new ForceLabel(target.force()).isLogged())
                    .map(TargetDescription::name)
                    .toList();
        }
    }

    /** Ends the run: waits a few seconds for requests under way, and keeps the samples, marked as partial. */
    public void stop() {
        stopAsked = true;
    }

    /**
     * Runs it at once. As {@link #run(Resumption, Instant, ProgressListener)}.
     *
     * @param samplesFile created when the load begins
     */
    public Outcome run(Path samplesFile, ProgressListener listener) throws IOException, PlanException {
        return run(Resumption.begin(samplesFile), null, listener);
    }

    /**
     * Makes all connections, waits until it is time, and runs the load. The run counts as started when the load begins.
     *
     * @param before what was measured of it before, and where its samples go
     * @param startAt when to begin, by this machine's clock; null for at once
     * @throws PlanException if a connection cannot be made before the load begins
     * @throws LedgerException if the ledger cannot be opened or closed
     */
    public Outcome run(Resumption before, @Nullable Instant startAt, ProgressListener listener)
            throws IOException, PlanException {
        Path samplesFile = before.file();
        // While there is time: that it can be made is known, and what writes it is warm.
        Path tried = samplesFile.resolveSibling(samplesFile.getFileName() + ".tried");
        Files.deleteIfExists(tried);
        SampleFileWriter.create(tried, info).close();
        Files.delete(tried);
        LedgerOptions ledger = order.ledger();
        SampleSpool spool = new SampleSpool(target.id(), plan);
        List<InetSocketAddress> addresses = addresses();
        int serving = addresses.indexOf(peer);
        boolean overloaded;
        try (EventRecording events = new EventRecording(peer, options, 0, info);
                AuditLedgerWriter lines = ledger == null ? null : AuditLedgerWriter.open(ledger);
                LoadEngine engine = new LoadEngine(
                        plan, order.http(), options, addresses, serving, welcome, target, before, spool, lines);
                LoadReports reports = new LoadReports(plan, engine, listener)) {
            engine.connectAll();
            // What set-up left behind would otherwise be collected while requests are due.
            System.gc();
            DriverPriority priority = DriverPriority.take(plan.loop().mode());
            try {
                long start = begin(engine, startAt);
                Instant began = Instant.now().plusNanos(start - System.nanoTime());
                long clock = start - LoadRequests.doneNanos(plan, before);
                reports.startedAt(clock);
                try (SampleFileWriter writer = before.writer(info.startedAt(began), 0)) {
                    String reason = run(engine, start, spool, writer);
                    events.writeTo(writer, clock);
                    writer.end(end(reason, System.nanoTime() - clock, engine.counts()));
                }
            } finally {
                priority.close();
            }
            overloaded = engine.isOverloaded();
        }
        try (SampleFileReader reader = SampleFileReader.open(samplesFile)) {
            RunInfo.End end = reader.end();
            return new Outcome(samplesFile, reader.info(), end, overloaded, LoadTally.of(reader, plan));
        }
    }

    /**
     * Runs it and keeps nothing: it brings the server, and this client, to speed before what is to be measured.
     *
     * @param scratchFile created, and deleted in the end
     * @return its rates
     * @throws PlanException if a connection cannot be made before the load begins
     */
    public LoadSummary runForNothing(Path scratchFile) throws IOException, PlanException {
        try {
            return run(scratchFile, ProgressListener.NONE).summary();
        } finally {
            Files.deleteIfExists(scratchFile);
        }
    }

    /** Returns why the load ended early, and has all its samples written; empty if it did not. */
    private String run(LoadEngine engine, long start, SampleSpool spool, SampleFileWriter writer) throws IOException {
        String reason;
        try (spool) {
            spool.writeTo(writer);
            reason = engine.run(start, () -> stopAsked);
        }
        Exception failure = spool.failure();
        return failure == null ? reason : "the samples could not be written: " + failure.getMessage();
    }

    private RunInfo.End end(String reason, long nanos, LoadCounts counts) {
        TrialRecord found = new TrialRecord.LoadCounts(
                target.id(), 0, counts.mostOutstanding, counts.connects, counts.failedConnects, counts.lostConnections);
        return new RunInfo.End(!reason.isEmpty(), reason, nanos, List.of(found));
    }

    /** When the load begins, as {@link System#nanoTime}: in a moment, or at a time by this machine's clock, looked at until then. */
    private long begin(LoadEngine engine, @Nullable Instant startAt) throws PlanException {
        if (startAt == null) {
            return System.nanoTime() + MOMENT_NANOS;
        }
        long left = nanosUntil(startAt);
        while (left > LOOKING_NANOS && !stopAsked) {
            engine.idle();
            left = nanosUntil(startAt);
        }
        if (left > LOOKING_NANOS) {
            throw new PlanException("interrupted before the load began");
        }
        if (left < 0) {
            throw new PlanException("the load was to begin at " + startAt + ", and its connections were made "
                    + -left / 1_000_000 + " ms later: choose a later time for all of them");
        }
        return System.nanoTime() + left;
    }

    private static long nanosUntil(Instant time) {
        return Duration.between(Instant.now(), time).toNanos();
    }

    /** Of the server that answered the address where it did, of others all that their names have. */
    private List<InetSocketAddress> addresses() throws PlanException {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int place = 0; place < order.servers().size(); place++) {
            HostPort server = order.servers().get(place);
            try {
                addresses.addAll(place == first ? List.of(peer) : server.resolved());
            } catch (UnknownHostException e) {
                throw new PlanException(
                        "no server at " + server.host() + " (unknown host); name another with --server");
            }
        }
        return addresses;
    }

    private static RunInfo describe(LoadOrder order, Welcome welcome, TargetDescription target, boolean loopback) {
        Load plan = order.plan();
        List<RunInfo.Target> targets = new ArrayList<>();
        if (plan.loggedShare() > 0) {
            targets.add(LoadTargets.logged(target));
        }
        if (plan.loggedShare() < 1) {
            targets.add(LoadTargets.readOnly(target));
        }
        Map<String, String> client = ClientFacts.collect(loopback);
        client.put(DriverPriority.FACT, DriverPriority.description(plan.loop().mode()));
        return new RunInfo(
                Build.current().version(), Instant.now(), order.command(), plan, client, welcome.facts(), targets);
    }

    /** How long the load is, with its warm-up; zero if a number of requests ends it. */
    static Duration planned(Load plan) {
        return plan.span().requests() > 0
                ? Duration.ZERO
                : Duration.ofNanos(plan.span().warmUpNanos() + plan.span().durationNanos());
    }
}
