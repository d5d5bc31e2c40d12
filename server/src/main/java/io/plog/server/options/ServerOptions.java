package io.plog.server.options;

import io.plog.protocol.Frame;
import io.plog.protocol.RequestHeader;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a server runs. Every value is checked once, here.
 *
 * @param bind the address to listen on
 * @param port the port to listen on, 0 for any free one
 * @param adminBind the address of the admin port
 * @param adminPort the port for metrics and health, 0 for any free one, {@link #NO_ADMIN} for none
 * @param httpPort the port for HTTP/1.1 at the same address as {@code port}, 0 for any free one, {@link #NO_HTTP} for none
 * @param allowedHosts names and addresses, beside those of loopback and of {@code bind}, that requests to the HTTP port and the
 *     admin port may name as their {@code Host}; others are refused, since a web page may have made a browser send them
 * @param eventLoops threads that serve connections, 1 to 256
 * @param transport through which interface of the operating system they serve their sockets
 * @param design where the server waits for the force of its logs
 * @param maxPayloadBytes the longest payload of a request, 1 to {@link Frame#MAX_PAYLOAD_BYTES}
 * @param maxConnections connections served at once, 1 to 65,536
 * @param maxOutstanding requests of one connection between arrival and reply, 1 to 65,536; at the limit the server stops
 *     reading the connection, and goes on at half of it
 * @param maxOutstandingBytes the same in bytes of frames, at least 64 KiB; one frame may exceed it
 * @param maxBufferedBytes what requests under way and replies that nobody has read may take of memory, for all connections
 *     together, at least eight of the longest frames; {@link #AUTOMATIC} for as much as {@link #bufferedBytes} says
 * @param patience how long a HELLO or the rest of a frame may take, and how long a client may leave its replies unread; up
 *     to twice this is granted
 * @param maxWait how long a request may have to wait for its log: if it would be longer, one of a connection that has others
 *     under way is refused; what the four fastest groups of the log take is granted in any case. 0 for no such limit
 * @param memory how much of what was answered is remembered
 * @param standby how it waits for logs that another server may hold; {@code null} for a server that opens its logs at once
 * @param targets what requests may name, in the order of their ids from 0; at least one
 */
public record ServerOptions(
        String bind,
        int port,
        String adminBind,
        int adminPort,
        int httpPort,
        List<String> allowedHosts,
        int eventLoops,
        TransportOption transport,
        DesignOption design,
        int maxPayloadBytes,
        int maxConnections,
        int maxOutstanding,
        int maxOutstandingBytes,
        long maxBufferedBytes,
        Duration patience,
        Duration maxWait,
        MemoryOptions memory,
        @Nullable StandbyOptions standby,
        List<TargetOptions> targets) {
    /** Value of {@code maxBufferedBytes}: the server chooses. */
    public static final long AUTOMATIC = 0;

    /** Value of {@code adminPort}: no admin port. */
    public static final int NO_ADMIN = -1;

    /** Value of {@code httpPort}: no HTTP. */
    public static final int NO_HTTP = -1;

    /** Where a server listens unless told otherwise. */
    public static final int DEFAULT_PORT = 7411;

    /** Where metrics and health are served unless told otherwise. */
    public static final int DEFAULT_ADMIN_PORT = 7412;

    /** Facts of that many targets fit into a WELCOME. */
    private static final int MAX_TARGETS = 32;

    private static final String LOOPBACK = "127.0.0.1";

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    /**
     * Checks every value.
     *
     * @throws IllegalArgumentException if one is out of its range, two targets share a name, or there is none
     */
    public ServerOptions {
        targets = List.copyOf(targets);
        allowedHosts = List.copyOf(allowedHosts);
        for (String host : allowedHosts) {
            if (!HostNames.isHost(host)) {
                throw new IllegalArgumentException("allowed host '" + host
                        + "': expected a name such as logs.example.org, or an address, without scheme and port");
            }
        }
        check("port", port, 0, 65_535);
        check("adminPort", adminPort, NO_ADMIN, 65_535);
        check("httpPort", httpPort, NO_HTTP, 65_535);
        check("eventLoops", eventLoops, 1, 256);
        check("maxPayloadBytes", maxPayloadBytes, 1, Frame.MAX_PAYLOAD_BYTES);
        check("maxConnections", maxConnections, 1, 65_536);
        check("maxOutstanding", maxOutstanding, 1, 65_536);
        check("maxOutstandingBytes", maxOutstandingBytes, 64 * 1024, Integer.MAX_VALUE);
        long leastBuffered = BufferBounds.leastBytes(maxPayloadBytes + (long) RequestHeader.BYTES);
        if (maxBufferedBytes != AUTOMATIC && maxBufferedBytes < leastBuffered) {
            throw new IllegalArgumentException(
                    "maxBufferedBytes is " + maxBufferedBytes + ": expected at least " + leastBuffered
                            + ", eight times the longest frame; or a lower maxPayloadBytes than " + maxPayloadBytes);
        }
        if (maxWait.isNegative() || maxWait.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("maxWait is " + maxWait.toMillis() + " ms: expected 1 ms to "
                    + LONGEST_WAIT.toMillis() + " ms, or 0 for no limit");
        }
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException("patience is " + patience + ": expected more than 0");
        }
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("no target: expected at least one log, or one that is not logged");
        }
        check("number of targets", targets.size(), 1, MAX_TARGETS);
        Set<String> names = new HashSet<>();
        for (TargetOptions target : targets) {
            if (!names.add(target.name())) {
                throw new IllegalArgumentException("two targets are called '" + target.name() + "'");
            }
        }
        if (standby != null) {
            checkStandby(targets);
        }
    }

    private static void checkStandby(List<TargetOptions> targets) {
        for (TargetOptions target : targets) {
            if (target.isLogged() && target.place() instanceof LogPlace.Directories own) {
                throw new IllegalArgumentException("a standby waits for logs on several machines, and that of target "
                        + target.name() + " is in the directory " + own.paths().get(0)
                        + " of this one: serve it with a server of its own, without the standby");
            }
        }
        if (targets.stream().noneMatch(TargetOptions::isLogged)) {
            throw new IllegalArgumentException(
                    "a standby waits for logs on several machines, and there is none: expected at least one target with the"
                            + " address of a log");
        }
    }

    /** The defaults, for these targets: loopback, the default ports, 1 MiB payloads. */
    public static ServerOptions of(List<TargetOptions> targets) {
        return new ServerOptions(
                LOOPBACK,
                DEFAULT_PORT,
                LOOPBACK,
                DEFAULT_ADMIN_PORT,
                NO_HTTP,
                List.of(),
                defaultEventLoops(),
                TransportOption.AUTO,
                DesignOption.DEFAULT,
                1 << 20,
                1_024,
                1_024,
                8 << 20,
                AUTOMATIC,
                Duration.ofSeconds(10),
                Duration.ofMillis(50),
                MemoryOptions.DEFAULT,
                null,
                targets);
    }

    /** One on a machine of one or two cores, so that the log's thread has the other; else half the cores, at most 4. */
    public static int defaultEventLoops() {
        int cores = Runtime.getRuntime().availableProcessors();
        return cores <= 2 ? 1 : Math.min(4, cores / 2);
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ": expected " + least + " to " + most);
        }
    }

    /** The same on other ports. */
    public ServerOptions withPorts(int port, int adminPort) {
        return with(copy -> {
            copy.port = port;
            copy.adminPort = adminPort;
        });
    }

    /** The same with HTTP on this port. */
    public ServerOptions withHttpPort(int httpPort) {
        return with(copy -> copy.httpPort = httpPort);
    }

    /** The same with these as further names and addresses in {@code Host}. */
    public ServerOptions withAllowedHosts(List<String> allowedHosts) {
        return with(copy -> copy.allowedHosts = allowedHosts);
    }

    /** The same on other addresses. */
    public ServerOptions withBinds(String bind, String adminBind) {
        return with(copy -> {
            copy.bind = bind;
            copy.adminBind = adminBind;
        });
    }

    /** The same with another number of event loops. */
    public ServerOptions withEventLoops(int eventLoops) {
        return with(copy -> copy.eventLoops = eventLoops);
    }

    /** The same with another transport. */
    public ServerOptions withTransport(TransportOption transport) {
        return with(copy -> copy.transport = transport);
    }

    /** The same with another design. */
    public ServerOptions withDesign(DesignOption design) {
        return with(copy -> copy.design = design);
    }

    /** The same with other limits on what clients may send. */
    public ServerOptions withLimits(
            int maxPayloadBytes, int maxConnections, int maxOutstanding, int maxOutstandingBytes) {
        return with(copy -> {
            copy.maxPayloadBytes = maxPayloadBytes;
            copy.maxConnections = maxConnections;
            copy.maxOutstanding = maxOutstanding;
            copy.maxOutstandingBytes = maxOutstandingBytes;
        });
    }

    /** The same with another bound for what all connections hold; {@link #AUTOMATIC} for the server's choice. */
    public ServerOptions withMaxBufferedBytes(long maxBufferedBytes) {
        return with(copy -> copy.maxBufferedBytes = maxBufferedBytes);
    }

    /** What all connections may hold: as was chosen, or 256 MiB, but not more than half of what the JVM may have. */
    public long bufferedBytes() {
        return maxBufferedBytes != AUTOMATIC
                ? maxBufferedBytes
                : BufferBounds.defaultBytes(
                        maxPayloadBytes + (long) RequestHeader.BYTES,
                        Runtime.getRuntime().maxMemory());
    }

    /** The same with another longest wait; {@link Duration#ZERO} for none. */
    public ServerOptions withMaxWait(Duration maxWait) {
        return with(copy -> copy.maxWait = maxWait);
    }

    /** The same with another memory of what was answered. */
    public ServerOptions withMemory(MemoryOptions memory) {
        return with(copy -> copy.memory = memory);
    }

    /** The same as a standby. */
    public ServerOptions withStandby(@Nullable StandbyOptions standby) {
        return with(copy -> copy.standby = standby);
    }

    /** The same with another patience. */
    public ServerOptions withPatience(Duration patience) {
        return with(copy -> copy.patience = patience);
    }

    private ServerOptions with(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return copy.options();
    }

    /** What may be changed of a copy before it is checked. */
    private static final class Copy {
        private final List<TargetOptions> targets;
        private String bind;
        private int port;
        private String adminBind;
        private int adminPort;
        private int httpPort;
        private List<String> allowedHosts;
        private int eventLoops;
        private TransportOption transport;
        private DesignOption design;
        private int maxPayloadBytes;
        private int maxConnections;
        private int maxOutstanding;
        private int maxOutstandingBytes;
        private long maxBufferedBytes;
        private Duration patience;
        private Duration maxWait;
        private MemoryOptions memory;
        private @Nullable StandbyOptions standby;

        private Copy(ServerOptions options) {
            targets = options.targets;
            bind = options.bind;
            port = options.port;
            adminBind = options.adminBind;
            adminPort = options.adminPort;
            httpPort = options.httpPort;
            allowedHosts = options.allowedHosts;
            eventLoops = options.eventLoops;
            transport = options.transport;
            design = options.design;
            maxPayloadBytes = options.maxPayloadBytes;
            maxConnections = options.maxConnections;
            maxOutstanding = options.maxOutstanding;
            maxOutstandingBytes = options.maxOutstandingBytes;
            maxBufferedBytes = options.maxBufferedBytes;
            patience = options.patience;
            maxWait = options.maxWait;
            memory = options.memory;
            standby = options.standby;
        }

        private ServerOptions options() {
            return new ServerOptions(
                    bind,
                    port,
                    adminBind,
                    adminPort,
                    httpPort,
                    allowedHosts,
                    eventLoops,
                    transport,
                    design,
                    maxPayloadBytes,
                    maxConnections,
                    maxOutstanding,
                    maxOutstandingBytes,
                    maxBufferedBytes,
                    patience,
                    maxWait,
                    memory,
                    standby,
                    targets);
        }
    }
}
