package io.plog.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.plog.host.MachineFacts;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.security.Tls;
import io.plog.server.access.Access;
import io.plog.server.access.Rights;
import io.plog.server.admin.AdminRouter;
import io.plog.server.admin.AdminSources;
import io.plog.server.admin.CheckpointsOnDemand;
import io.plog.server.admin.CountersJson;
import io.plog.server.connection.Connection;
import io.plog.server.connection.Connections;
import io.plog.server.connection.MemoryBudget;
import io.plog.server.connection.ServerContext;
import io.plog.server.connection.ServerDesign;
import io.plog.server.http.CallerCheck;
import io.plog.server.http.HttpBridge;
import io.plog.server.http.HttpContext;
import io.plog.server.http.HttpResponses;
import io.plog.server.http.HttpServer;
import io.plog.server.http.HttpStatus;
import io.plog.server.monitoring.EventLoopCounts;
import io.plog.server.monitoring.ServerEvents;
import io.plog.server.monitoring.ServerMeters;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.net.AcceptGuard;
import io.plog.server.net.EventLoopChooser;
import io.plog.server.net.EventLoops;
import io.plog.server.net.PortBinder;
import io.plog.server.net.TransportSecurity;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TargetOptions;
import io.plog.server.options.TransportOption;
import io.plog.server.targets.Target;
import io.plog.server.targets.TargetLog;
import io.plog.server.targets.TargetMeters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The RPC server: recovers its logs, listens, and answers each request when it is durable.
 *
 * <p>{@link #start} and {@link #close} block and may be called by any thread, but by no event loop.
 */
public final class PlogServer implements AutoCloseable {
    /** The longest time that {@link #close} takes. */
    public static final Duration CLOSE_BOUND = Duration.ofSeconds(10);

    // Shares of that time by which a step of the end must be over.
    private static final double BY_DRAINED = 0.1;
    private static final double BY_LOGS = 0.7;
    private static final double BY_THREADS = 0.75;
    private static final double BY_GOODBYES = 0.9;
    private static final double BY_LOOPS = 0.95;

    private final ServerOptions options;
    private final ServerDesign design;
    private final EventLoopCounts turns = new EventLoopCounts();
    private final MeterRegistry registry;
    private final @Nullable UnaryOperator<String> metrics;
    private final ServerMeters meters;
    private final ServerEvents events;
    private final ServerNotices notices = ServerNotices.standardError();
    private final EventLoops loops;
    private final ByteBufAllocator allocator;
    private final PortBinder ports;
    private final Targets targets;
    private final List<AcceptGuard> guards = new CopyOnWriteArrayList<>();
    private final CompletableFuture<IOException> broken = new CompletableFuture<>();
    private final MemoryPlan memory;
    private final @Nullable Tls tls;
    private final Access access;
    private final SecurityWatch security;
    private final TransportSecurity transportSecurity;

    private volatile String state = "recovering its logs";
    private @Nullable HttpServer admin;
    private @Nullable ServerContext context;
    private @Nullable Channel listener;
    private @Nullable Channel httpListener;
    private volatile int maxConnections;
    private @Nullable String shortage;
    private volatile boolean closed;

    private PlogServer(
            ServerOptions options,
            ByteBufAllocator allocator,
            MeterRegistry registry,
            @Nullable UnaryOperator<String> metrics)
            throws IOException {
        this.options = options;
        this.registry = registry;
        this.metrics = metrics;
        this.tls = tls(options);
        this.access = access(options);
        this.security = new SecurityWatch(tls, access, notices, Clock.systemUTC());
        this.memory = MemoryPlan.of(options, Runtime.getRuntime().maxMemory());
        this.targets = new Targets(options, memory, notices, broken::complete);
        this.allocator = allocator;
        EventLoopChooser chooser = new EventLoopChooser();
        this.design = ServerDesign.of(options.design(), chooser);
        this.events = new ServerEvents();
        this.loops = EventLoops.open(options.transport(), options.eventLoops(), chooser);
        this.ports = new PortBinder(options.bind(), loops, chooser, allocator);
        this.meters = new ServerMeters(registry); // last: nothing may fail here that would leave meters behind
        this.transportSecurity = new TransportSecurity(tls, meters, notices, System::nanoTime);
    }

    /** As {@link #start(ServerOptions, MeterRegistry, UnaryOperator)}, without meters. */
    public static PlogServer start(ServerOptions options) throws IOException {
        return start(options, new CompositeMeterRegistry(), null); // an empty one keeps nothing
    }

    /**
     * Recovers the logs, then listens. When this returns, requests are served; a standby listens and refuses them until it has its
     * logs.
     *
     * @param registry gets the server's meters: {@code plog.*}, and Netty's of its event loops and buffers. When the server is
     *     closed, they are removed, with every meter that is called {@code plog.*}: so one server at a time. The registry is
     *     never closed, and other meters stay
     * @param metrics what the admin port answers to {@code /metrics}, by media type: Prometheus text or OpenMetrics, as of
     *     {@code PrometheusMeterRegistry::scrape}. Called by several threads, and may block. {@code null}: the answer is 404
     * @throws ServerStartException if a directory or a port cannot be used
     * @throws io.plog.protocol.security.SecurityFileException if a file of TLS cannot be used
     * @throws io.plog.log.storage.LogLockedException if another server has one of the logs open
     * @throws io.plog.log.storage.LogDamagedException if one of the logs is damaged; nothing was changed
     * @throws IOException if reading or preparing a log fails
     * @throws IllegalArgumentException if a log's sizes are out of their ranges, or the heap is too small for what is to be
     *     remembered
     */
    public static PlogServer start(
            ServerOptions options, MeterRegistry registry, @Nullable UnaryOperator<String> metrics) throws IOException {
        int threads = options.eventLoops() + 1; // one accepts
        return start(options, EventLoops.allocator(threads), realLogs(options), registry, metrics);
    }

    static Target.LogOpener realLogs(ServerOptions options) {
        return (target, state, meters) -> target.isLogged()
                ? TargetLog.open(target, options, state, null, meters, ServerNotices.standardError())
                : null;
    }

    private static Access access(ServerOptions options) throws IOException {
        return Access.of(
                options.access(),
                options.targets().stream().map(TargetOptions::name).collect(Collectors.toSet()));
    }

    private static @Nullable Tls tls(ServerOptions options) throws IOException {
        if (options.tls() == null) {
            return null;
        }
        Tls tls = Tls.ofServer(options.tls(), Clock.systemUTC());
        if (!tls.warning().isEmpty()) {
            ServerNotices.standardError().say("warning: " + tls.warning());
        }
        return tls;
    }

    /** Looks whether the files of TLS and of rights can be used, and starts nothing. */
    public static void checkSecurity(ServerOptions options) throws IOException {
        access(options);
        tls(options);
    }

    static PlogServer start(ServerOptions options, ByteBufAllocator allocator, Target.LogOpener opener)
            throws IOException {
        return start(options, allocator, opener, new CompositeMeterRegistry(), null);
    }

    static PlogServer start(
            ServerOptions options,
            ByteBufAllocator allocator,
            Target.LogOpener opener,
            MeterRegistry registry,
            @Nullable UnaryOperator<String> metrics)
            throws IOException {
        PlogServer server = new PlogServer(options, allocator, registry, metrics);
        try {
            server.open(opener);
            return server;
        } catch (Throwable e) { // also an error of a service: what is open must not stay so
            try {
                server.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /** The order matters: the admin port answers during recovery, and requests are served only after it. */
    private void open(Target.LogOpener opener) throws IOException {
        ServerNotices.prepare();
        if (options.adminPort() != ServerOptions.NO_ADMIN) {
            AdminSources sources = new AdminSources(
                    metrics,
                    this::health,
                    this::checkpoint,
                    events::since,
                    () -> CountersJson.of(turns, targets.counters()));
            admin = HttpServer.start(
                    options.adminBind(),
                    options.adminPort(),
                    "admin port",
                    "--admin-port",
                    options.patience(),
                    acceptGuard("admin port"),
                    transportSecurity,
                    new AdminRouter(
                            new CallerCheck(options.adminBind(), options.allowedHosts(), tls != null),
                            access,
                            sources));
        }
        for (TargetOptions target : options.targets()) {
            targets.open(target, new TargetMeters(registry, target, events.target(target)), opener);
        }
        Map<String, String> facts = MachineFacts.collect();
        facts.put("transport", transport().label());
        facts.put("eventLoops", Integer.toString(options.eventLoops()));
        facts.put("design", options.design().label());
        facts.put("tls", tls == null ? "no" : Tls.DESCRIPTION);
        if (admin != null) {
            facts.put("adminPort", Integer.toString(adminPort())); // where a client that measures asks for events
        }
        limitConnections();
        ServerContext made = new ServerContext(
                options,
                maxConnections,
                targets.all(),
                facts,
                meters,
                design,
                turns,
                notices,
                access,
                new MemoryBudget(options.bufferedBytes(), System::nanoTime),
                new Connections());
        made.welcome(Rights.ALL).release(); // or the facts do not fit
        context = made;
        meters.watchBuild();
        if (tls != null) {
            meters.watchCertificate(() -> tls.end().getEpochSecond());
        }
        if (tls != null || options.access() != null) {
            security.start();
        }
        meters.watch(loops.group(), allocator);
        meters.watchConnections(made.connections()::count, made.budget()::used, made.budget()::bound);
        listener = ports.listen(options.port(), "port", "--port", acceptGuard("port"), new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                transportSecurity.guard(
                        channel, "port", (out, sentence) -> new Goodbye(GoodbyeCode.TLS, sentence).encode(out));
                FrameDecoder decoder = FrameDecoder.forServer(options.maxPayloadBytes());
                channel.pipeline().addLast(decoder, new Connection(made, decoder, false));
            }
        });
        if (options.httpPort() != ServerOptions.NO_HTTP) {
            httpListener = listenForHttp(made);
        }
        loops.group().forEach(loop -> loop.terminationFuture().addListener(ended -> loopEnded()));
        state = "ready";
        targets.start(address());
    }

    /** The limit of open files decides how many connections there can be, and not the moment when they are too many. */
    private void limitConnections() throws ServerStartException {
        FileDescriptorLimit descriptors = FileDescriptorLimit.ofThisProcess();
        int directories = options.targets().stream()
                .mapToInt(target -> target.directories().size())
                .sum();
        maxConnections = descriptors.connections(options.maxConnections(), directories);
        if (maxConnections < options.maxConnections()) {
            shortage = descriptors.shortage(options.maxConnections(), maxConnections, directories);
        }
    }

    /** An event loop ends by itself only on an {@link Error}. Its connections are not served any more. */
    private void loopEnded() {
        if (!closed) {
            broken.complete(new IOException(
                    "an event loop has ended, and its connections are no longer served; restart the server"));
        }
    }

    private Channel listenForHttp(ServerContext made) throws IOException {
        HttpContext front = new HttpContext(made, memory.bounds(), registry);
        Channel bound = ports.listen(
                options.httpPort(), "HTTP port", "--http-port", acceptGuard("HTTP port"), new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        transportSecurity.guard(channel, "HTTP port", HttpResponses::writeRefusal);
                        HttpBridge bridge = new HttpBridge(front, System::nanoTime);
                        channel.pipeline().addLast(bridge, new Connection(made, bridge, true));
                    }
                });
        front.listensOn(((InetSocketAddress) bound.localAddress()).getPort());
        return bound;
    }

    private AcceptGuard acceptGuard(String port) {
        AcceptGuard guard = new AcceptGuard(port, meters, notices, System::nanoTime);
        guards.add(guard);
        return guard;
    }

    /** Runs a task, which must return at once, again and again on the event loop that accepts, where no disk is waited for. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the loop
    public void whileAccepting(Duration every, Runnable sign) {
        loops.accepting().scheduleAtFixedRate(sign, 0, every.toNanos(), TimeUnit.NANOSECONDS);
    }

    public InetSocketAddress address() {
        return (InetSocketAddress)
                Objects.requireNonNull(listener, "not started").localAddress();
    }

    /** The admin port, 0 if there is none. */
    public int adminPort() {
        HttpServer current = admin;
        return current == null ? 0 : current.address().getPort();
    }

    /** The HTTP port, 0 if there is none. */
    public int httpPort() {
        Channel current = httpListener;
        return current == null ? 0 : ((InetSocketAddress) current.localAddress()).getPort();
    }

    /** How many connections are served at once: fewer than was wanted if the limit of open files is low. */
    public int maxConnections() {
        return maxConnections;
    }

    /** What all connections may hold of memory together: see {@link ServerOptions#maxBufferedBytes}. */
    public long bufferedBytes() {
        return options.bufferedBytes();
    }

    /** Why that is fewer than was wanted, and what to do about it; {@code null} if it is not. */
    public @Nullable String shortage() {
        return shortage;
    }

    /**
     * Waits until the server is broken: by an {@link Error}, or because it is a standby of a log that it cannot serve. The caller
     * closes it then.
     *
     * @return what happened, worded for people
     */
    public IOException awaitBroken() throws InterruptedException {
        try {
            return broken.get();
        } catch (ExecutionException e) {
            throw new AssertionError("it is completed with values only", e);
        }
    }

    ServerContext context() {
        return Objects.requireNonNull(context);
    }

    EventLoopGroup loops() {
        return loops.group();
    }

    /** The transport of its event loops: what was asked for, or the next that the machine offers. */
    public TransportOption transport() {
        return loops.transport();
    }

    /** Why what was asked for is not used, a sentence without an end; "" if it is. */
    public String refusedTransport() {
        return loops.refused();
    }

    /** How much it remembers of what it answered, in a sentence without an end; "" if no target logs. */
    public String memory() {
        return memory.sentence();
    }

    /** In the order of their ids, with what was found for each at the start. */
    public List<Target> targets() {
        return List.copyOf(targets.all());
    }

    AdminSources.Health health() {
        String problem = serverProblem();
        String waits = targets.waits();
        return health(
                problem == null ? targets.problem() : problem,
                waits == null ? "ready" : "ready, but for what others serve: " + waits);
    }

    /** The health of one target, or of the server if the name is null; {@code null} if there is no such target. */
    private AdminSources.@Nullable Health health(@Nullable String name) {
        if (name == null) {
            return health();
        }
        Target target = targets.named(name);
        if (target == null) {
            return options.targets().stream().anyMatch(each -> each.name().equals(name))
                    ? health(serverProblem(), "ready") // not opened yet
                    : null;
        }
        String problem = serverProblem();
        return health(problem == null ? target.phase().problem() : problem, "ready");
    }

    private static AdminSources.Health health(@Nullable String problem, String ready) {
        return problem == null
                ? new AdminSources.Health(true, ready)
                : new AdminSources.Health(false, "not ready: " + problem);
    }

    /** The first problem found that is none of a target, a part of a sentence; {@code null} if there is none. */
    private @Nullable String serverProblem() {
        if (!state.equals("ready")) {
            return "the server is " + state;
        }
        IOException end = broken.getNow(null);
        String problem = end == null ? null : end.getMessage();
        for (AcceptGuard guard : guards) {
            problem = problem == null ? guard.problem() : problem;
        }
        return problem;
    }

    /** Serves {@code POST /checkpoint}. */
    private HttpServer.Answer checkpoint(@Nullable String name) {
        if (!state.equals("ready")) {
            return HttpServer.Answer.say(HttpStatus.CONFLICT, "no checkpoint: the server is " + state);
        }
        return CheckpointsOnDemand.save(targets.all(), name);
    }

    /**
     * Stops in order: accepts no connections, reads no more, makes durable and answers what was appended, closes the logs, says
     * goodbye. Takes at most {@link #CLOSE_BOUND}, also on a disk that does not answer. Calling it again does nothing.
     *
     * @throws IOException if a log could not be closed properly, or not in time; everything else is closed all the same. What is
     *     left behind is on daemon threads
     */
    @Override
    public void close() throws IOException {
        close(CLOSE_BOUND);
    }

    synchronized void close(Duration bound) throws IOException {
        if (closed) {
            return;
        }
        for (EventExecutor loop : loops.group()) {
            if (loop.inEventLoop()) {
                throw new IllegalStateException(
                        "the server cannot be closed on its event loop, where services execute, too: use another thread");
            }
        }
        closed = true;
        state = "closing";
        BoundedShutdown end = new BoundedShutdown(bound);
        targets.stop();
        security.close();
        ServerContext current = context;
        if (current != null) {
            current.connections().refuseMore();
        }
        close(end, listener);
        close(end, httpListener);
        if (current != null) {
            current.connections().onEach(Connections.Member::drain, () -> end.leftNanos(BY_DRAINED));
        }
        design.stop();
        targets.close(end, BY_LOGS);
        BoundedShutdown.Step queues = end.begin("the queue for a log", targets::leave);
        end.run("threads of connections", BY_THREADS, design::awaitEnd);
        BoundedShutdown.Step adminPort = end.begin("the admin port", this::closeAdmin);
        BoundedShutdown.Step recording = end.begin("the recording of events", events::close);
        if (current != null) {
            sayGoodbye(end, current.connections());
        }
        loops.group()
                .shutdownGracefully(0, end.leftNanos(BY_LOOPS), TimeUnit.NANOSECONDS)
                .awaitUninterruptibly(end.leftNanos(1), TimeUnit.NANOSECONDS);
        end.await(queues, BY_LOOPS);
        end.await(adminPort, 1);
        end.await(recording, 1);
        meters.close();
        end.check();
    }

    private void closeAdmin() {
        HttpServer current = admin;
        if (current != null) {
            current.close();
        }
    }

    private static void close(BoundedShutdown end, @Nullable Channel port) {
        if (port != null) {
            port.close().awaitUninterruptibly(end.leftNanos(BY_DRAINED), TimeUnit.NANOSECONDS);
        }
    }

    /** Every outcome is reported by now, and the replies are in the event loops' queues before the goodbyes. */
    private static void sayGoodbye(BoundedShutdown end, Connections connections) {
        connections.onEach(
                connection -> connection.sayGoodbye(GoodbyeCode.SHUTTING_DOWN, "the server is closing"),
                () -> end.leftNanos(BY_GOODBYES));
        int open = connections.awaitClosed(() -> end.leftNanos(BY_GOODBYES));
        if (open > 0) {
            end.undone(open + (open == 1 ? " connection" : " connections"));
        }
    }
}
