package io.plog.server;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.plog.log.Force;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.RequestHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The RPC server: recovers its logs, listens, and answers each request when it is durable.
 *
 * <p>{@link #start} and {@link #close} block and may be called by any thread, but by no event loop.
 */
public final class PlogServer implements AutoCloseable {
    private final ServerOptions options;
    private final Design design;
    private final LoopTurns turns = new LoopTurns();
    private final EagerWait wait;
    private final Transport transport;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ServerMeters meters = new ServerMeters(registry);
    private final ServerEvents events;
    private final ServerNotices notices = ServerNotices.standardError();
    private final EventLoopGroup loops;
    private final ByteBufAllocator allocator;
    private final Targets targets = new Targets();

    private volatile String state = "recovering its logs";
    private @Nullable AdminServer admin;
    private @Nullable ServerContext context;
    private @Nullable Channel listener;
    private @Nullable Channel httpListener;
    private boolean closed;

    private PlogServer(ServerOptions options, ByteBufAllocator allocator) {
        this.options = options;
        this.allocator = allocator;
        this.design = options.design().make();
        this.events = new ServerEvents(options.eventsDirectory());
        this.wait = new EagerWait(design.answersLater(), turns);
        this.transport = Transport.best(wait);
        this.loops = new MultiThreadIoEventLoopGroup(
                options.eventLoops(), new DefaultThreadFactory("plog-io", true), transport.handlers());
    }

    /**
     * Recovers the logs, then listens. When this returns, requests are served.
     *
     * @throws ServerStartException if a directory or a port cannot be used
     * @throws io.plog.log.LogLockedException if another server has one of the logs open
     * @throws io.plog.log.LogDamagedException if one of the logs is damaged; nothing was changed
     * @throws IOException if reading or preparing a log fails
     * @throws IllegalArgumentException if a log's sizes are out of their ranges
     */
    public static PlogServer start(ServerOptions options) throws IOException {
        return start(options, ByteBufAllocator.DEFAULT, (target, machine, meters) -> {
            if (target.directories().isEmpty() || target.force() == Force.OFF) {
                return null;
            }
            return FileRecordLog.open(target, options, machine, meters, ServerNotices.standardError());
        });
    }

    static PlogServer start(ServerOptions options, ByteBufAllocator allocator, Targets.LogOpener opener)
            throws IOException {
        PlogServer server = new PlogServer(options, allocator);
        try {
            server.open(opener);
            return server;
        } catch (IOException | RuntimeException e) {
            try {
                server.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /** The order matters: health can be asked during recovery, and nobody is served before it is over. */
    private void open(Targets.LogOpener opener) throws IOException {
        ServerNotices.prepare();
        if (options.adminPort() != ServerOptions.NO_ADMIN) {
            Counters counters = new Counters(options.design(), turns, targets.all());
            admin = AdminServer.start(
                    options.adminBind(),
                    options.adminPort(),
                    registry,
                    this::health,
                    this::checkpoint,
                    events::since,
                    counters::json);
        }
        for (TargetOptions target : options.targets()) {
            targets.open(target, options, meters.target(target, events.target(target)), opener);
        }
        Map<String, String> facts = ServerFacts.collect(transport.name(), options.eventLoops());
        facts.put("design", options.design().label());
        if (admin != null) {
            facts.put("adminPort", Integer.toString(adminPort())); // where a client that measures asks for events
        }
        ServerContext made = new ServerContext(options, targets.all(), facts, meters, wait, design, turns, notices);
        context = made;
        meters.design(options.design().label());
        meters.watch(turns);
        meters.watch(loops, allocator, made.connections());
        listener = listen(options.port(), "port", "--port", new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                FrameDecoder decoder = FrameDecoder.forServer(options.maxPayloadBytes());
                channel.pipeline().addLast(decoder, new Connection(made, Watchdog.Incoming.of(decoder)));
            }
        });
        if (options.httpPort() != ServerOptions.NO_HTTP) {
            httpListener = listenForHttp(made);
        }
        state = "ready";
    }

    private Channel listenForHttp(ServerContext made) throws IOException {
        meters.serveHttp();
        HttpFront front = new HttpFront(options, targets.all(), meters);
        Channel bound = listen(options.httpPort(), "HTTP port", "--http-port", new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                HttpBridge bridge = new HttpBridge(front, System::nanoTime);
                channel.pipeline().addLast(bridge, new Connection(made, bridge));
            }
        });
        front.listensOn(((InetSocketAddress) bound.localAddress()).getPort());
        return bound;
    }

    private Channel listen(int port, String what, String option, ChannelInitializer<Channel> connections)
            throws IOException {
        InetSocketAddress address = Listening.address(options.bind(), port);
        int frame = options.maxPayloadBytes() + RequestHeader.BYTES;
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, 1_024)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(frame, 2 * frame))
                .childHandler(connections);
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            Throwable cause = bound.cause();
            throw Listening.failed(what, options.bind(), port, option, cause);
        }
        return bound.channel();
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        Channel channel = listener;
        if (channel == null) {
            throw new IllegalStateException("the server does not listen");
        }
        return (InetSocketAddress) channel.localAddress();
    }

    /** The admin port, 0 if there is none. */
    public int adminPort() {
        AdminServer current = admin;
        return current == null ? 0 : current.address().getPort();
    }

    /** The HTTP port, 0 if there is none. */
    public int httpPort() {
        Channel current = httpListener;
        return current == null ? 0 : ((InetSocketAddress) current.localAddress()).getPort();
    }

    /** What was found for each target at the start, in the order of their ids. */
    public List<TargetStart> targets() {
        return targets.starts();
    }

    private AdminServer.Health health() {
        if (!state.equals("ready")) {
            return new AdminServer.Health(false, "not ready: the server is " + state);
        }
        String problem = targets.problem();
        return problem == null
                ? new AdminServer.Health(true, "ready")
                : new AdminServer.Health(false, "not ready: " + problem);
    }

    /** What the admin port does on {@code POST /checkpoint}. */
    private AdminServer.Answer checkpoint(@Nullable String name) {
        if (!state.equals("ready")) {
            return new AdminServer.Answer(409, "no checkpoint: the server is " + state);
        }
        return CheckpointsOnDemand.save(targets.all(), name);
    }

    /**
     * Stops in order: accepts nobody, reads no more, makes durable and answers what was appended, closes the logs, says
     * goodbye. Calling it again does nothing.
     *
     * @throws IOException if a log could not be closed properly; everything else is closed all the same
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        state = "closing";
        ServerContext current = context;
        if (current != null) {
            current.stop();
        }
        if (listener != null) {
            listener.close().awaitUninterruptibly();
        }
        if (httpListener != null) {
            httpListener.close().awaitUninterruptibly();
        }
        if (current != null) {
            current.connections().onEach(Connection::drain);
        }
        design.stop();
        IOException failure = targets.close();
        design.awaitEnd();
        if (current != null) {
            // Every outcome is told by now, and the replies are in the event loops' queues before the goodbyes.
            current.connections()
                    .onEach(connection -> connection.sayGoodbye(GoodbyeCode.SHUTTING_DOWN, "the server is closing"));
            current.connections().awaitClosed();
        }
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        if (admin != null) {
            admin.close();
        }
        events.close();
        meters.close();
        if (failure != null) {
            throw failure;
        }
    }
}
