package io.plog.server.options;

import io.plog.protocol.Frame;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.security.TlsFiles;
import io.plog.server.state.MemoryBounds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a server runs. An object never changes: each {@code with} method says what a value means and makes a copy, which is checked.
 * Thread-safe.
 */
public final class ServerOptions implements Cloneable {
    /** Of {@link #bufferedBytes} the fourth part is for frames that end what they began. */
    public static final int PART_FOR_ENDING = 4;

    /** This many of the longest frames must fit in: then one with its reply fits into that part. */
    private static final int LEAST_FRAMES = 2 * PART_FOR_ENDING;

    public static final int USUAL_BUFFERED_MEBIBYTES = 256;

    /** Value of {@code maxBufferedBytes}: the server chooses. */
    public static final long AUTOMATIC = 0;

    /** Value of {@code adminPort}: no admin port. */
    public static final int NO_ADMIN = -1;

    /** Value of {@code httpPort}: no HTTP. */
    public static final int NO_HTTP = -1;

    public static final int DEFAULT_PORT = 7411;

    public static final int DEFAULT_ADMIN_PORT = 7412;

    /** Facts of that many targets fit into a WELCOME. */
    private static final int MAX_TARGETS = 32;

    public static final String DEFAULT_BIND = "127.0.0.1";
    public static final int DEFAULT_MAX_PAYLOAD_MEBIBYTES = 1;
    public static final int DEFAULT_MAX_CONNECTIONS = 1_024;
    public static final int DEFAULT_MAX_WAIT_MILLIS = 50;
    public static final int MOST_EVENT_LOOPS = 256;
    public static final int MOST_USUAL_EVENT_LOOPS = 4;
    public static final int MOST_CONNECTIONS = 65_536;
    public static final int MOST_OUTSTANDING = 65_536;
    public static final int LEAST_OUTSTANDING_BYTES = 64 * 1024;
    public static final int MOST_WAIT_MINUTES = 1;
    public static final int LEAST_TAKEOVER_SECONDS = 1;
    public static final int MOST_TAKEOVER_MINUTES = 10;
    public static final int DEFAULT_TAKEOVER_SECONDS = 10;

    /** Of the time for a takeover so much passes without a sign of life until a server counts as gone. The rest is for opening and replay. */
    private static final double NOTICE_SHARE = 0.4;

    private String bind = DEFAULT_BIND;
    private int port = DEFAULT_PORT;
    private String adminBind = DEFAULT_BIND;
    private int adminPort = DEFAULT_ADMIN_PORT;
    private int httpPort = NO_HTTP;
    private List<String> allowedHosts = List.of();
    private int eventLoops = defaultEventLoops();
    private TransportOption transport = TransportOption.AUTO;
    private DesignOption design = DesignOption.DEFAULT;
    private int maxPayloadBytes = DEFAULT_MAX_PAYLOAD_MEBIBYTES << 20;
    private int maxConnections = DEFAULT_MAX_CONNECTIONS;
    private int maxOutstanding = MemoryBounds.WINDOW; // or a client could not send all of them again
    private int maxOutstandingBytes = MemoryBounds.CLIENT_BYTES;
    private long maxBufferedBytes = AUTOMATIC;
    private Duration patience = Duration.ofSeconds(10);
    private Duration maxWait = Duration.ofMillis(DEFAULT_MAX_WAIT_MILLIS);
    private MemoryOptions memory = MemoryOptions.DEFAULT;
    private @Nullable Duration takeoverWithin; // null if it is no standby
    private @Nullable TlsFiles tls;
    private @Nullable Path access;
    private final List<TargetOptions> targets;

    private ServerOptions(List<TargetOptions> targets) {
        this.targets = List.copyOf(targets);
        check();
    }

    /**
     * The defaults, for these targets: loopback, the default ports, 1 MiB payloads.
     *
     * @throws IllegalArgumentException if two targets share a name, or there is none
     */
    public static ServerOptions of(List<TargetOptions> targets) {
        return new ServerOptions(targets);
    }

    /** One on a machine of one or two cores, so that the log's thread has the other; else half the cores, at most {@value #MOST_USUAL_EVENT_LOOPS}. */
    public static int defaultEventLoops() {
        int cores = Runtime.getRuntime().availableProcessors();
        return cores <= 2 ? 1 : Math.min(MOST_USUAL_EVENT_LOOPS, cores / 2);
    }

    /** @throws IllegalArgumentException if a value of the copy is out of its range or does not go with another */
    private ServerOptions with(Consumer<ServerOptions> change) {
        try {
            ServerOptions copy = (ServerOptions) clone();
            change.accept(copy);
            copy.check();
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void check() {
        for (String host : allowedHosts) {
            if (!HostNames.isHost(host)) {
                throw new IllegalArgumentException("allowed host '" + host
                        + "': expected a name such as logs.example.org, or an address, without scheme and port");
            }
        }
        check("port", port, 0, 65_535);
        check("adminPort", adminPort, NO_ADMIN, 65_535);
        check("httpPort", httpPort, NO_HTTP, 65_535);
        check("eventLoops", eventLoops, 1, MOST_EVENT_LOOPS);
        check("maxPayloadBytes", maxPayloadBytes, 1, Frame.MAX_PAYLOAD_BYTES);
        check("maxConnections", maxConnections, 1, MOST_CONNECTIONS);
        check("maxOutstanding", maxOutstanding, 1, MOST_OUTSTANDING);
        check("maxOutstandingBytes", maxOutstandingBytes, LEAST_OUTSTANDING_BYTES, Integer.MAX_VALUE);
        long leastBuffered = LEAST_FRAMES * longestFrameBytes();
        if (maxBufferedBytes != AUTOMATIC && maxBufferedBytes < leastBuffered) {
            throw new IllegalArgumentException(
                    "maxBufferedBytes is " + maxBufferedBytes + ": expected at least " + leastBuffered
                            + ", eight times the longest frame; or a lower maxPayloadBytes than " + maxPayloadBytes);
        }
        if (maxWait.isNegative() || maxWait.compareTo(Duration.ofMinutes(MOST_WAIT_MINUTES)) > 0) {
            throw new IllegalArgumentException("maxWait is " + maxWait.toMillis() + " ms: expected 1 ms to "
                    + MOST_WAIT_MINUTES * 60_000 + " ms, or 0 for no limit");
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
        if (takeoverWithin != null) {
            checkStandby(takeoverWithin);
        }
    }

    private void checkStandby(Duration takeover) {
        if (takeover.compareTo(Duration.ofSeconds(LEAST_TAKEOVER_SECONDS)) < 0
                || takeover.compareTo(Duration.ofMinutes(MOST_TAKEOVER_MINUTES)) > 0) {
            throw new IllegalArgumentException("takeoverWithin is " + takeover.toMillis() + " ms: expected "
                    + LEAST_TAKEOVER_SECONDS + " s to " + MOST_TAKEOVER_MINUTES + " min");
        }
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

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ": expected " + least + " to " + most);
        }
    }

    /** On these ports: 0 for any free one, {@link #NO_ADMIN} for no admin port. */
    public ServerOptions withPorts(int port, int adminPort) {
        return with(copy -> {
            copy.port = port;
            copy.adminPort = adminPort;
        });
    }

    public int port() {
        return port;
    }

    public int adminPort() {
        return adminPort;
    }

    /** With HTTP/1.1 on this port at the same address as {@code port}: 0 for any free one, {@link #NO_HTTP} for none. */
    public ServerOptions withHttpPort(int httpPort) {
        return with(copy -> copy.httpPort = httpPort);
    }

    public int httpPort() {
        return httpPort;
    }

    /**
     * With these as names and addresses, besides those of loopback and of {@code bind}, that requests to the HTTP port
     * and the admin port may name as their {@code Host}; others are refused, since a web page may have made a browser
     * send them.
     */
    public ServerOptions withAllowedHosts(List<String> allowedHosts) {
        return with(copy -> copy.allowedHosts = List.copyOf(allowedHosts));
    }

    public List<String> allowedHosts() {
        return allowedHosts;
    }

    /** On these addresses. */
    public ServerOptions withBinds(String bind, String adminBind) {
        return with(copy -> {
            copy.bind = bind;
            copy.adminBind = adminBind;
        });
    }

    public String bind() {
        return bind;
    }

    public String adminBind() {
        return adminBind;
    }

    /** With so many threads that serve connections, 1 to {@value #MOST_EVENT_LOOPS}. */
    public ServerOptions withEventLoops(int eventLoops) {
        return with(copy -> copy.eventLoops = eventLoops);
    }

    public int eventLoops() {
        return eventLoops;
    }

    /** With another transport: through which interface of the operating system event loops serve their sockets. */
    public ServerOptions withTransport(TransportOption transport) {
        return with(copy -> copy.transport = transport);
    }

    public TransportOption transport() {
        return transport;
    }

    /** With another design: where the server waits for the force of its logs. */
    public ServerOptions withDesign(DesignOption design) {
        return with(copy -> copy.design = design);
    }

    public DesignOption design() {
        return design;
    }

    /**
     * With other limits on what clients may send.
     *
     * @param maxPayloadBytes the longest payload of a request, 1 to {@link Frame#MAX_PAYLOAD_BYTES}
     * @param maxConnections connections served at once, 1 to {@value #MOST_CONNECTIONS}
     * @param maxOutstanding requests of one connection between arrival and reply, 1 to {@value #MOST_OUTSTANDING}; at the limit the server stops
     *     reading the connection, and continues at half of it
     * @param maxOutstandingBytes the same in bytes of frames, at least {@value #LEAST_OUTSTANDING_BYTES}; one frame may exceed it
     */
    public ServerOptions withLimits(
            int maxPayloadBytes, int maxConnections, int maxOutstanding, int maxOutstandingBytes) {
        return with(copy -> {
            copy.maxPayloadBytes = maxPayloadBytes;
            copy.maxConnections = maxConnections;
            copy.maxOutstanding = maxOutstanding;
            copy.maxOutstandingBytes = maxOutstandingBytes;
        });
    }

    public int maxPayloadBytes() {
        return maxPayloadBytes;
    }

    public int maxConnections() {
        return maxConnections;
    }

    public int maxOutstanding() {
        return maxOutstanding;
    }

    public int maxOutstandingBytes() {
        return maxOutstandingBytes;
    }

    /**
     * With a bound of what requests under way and unread replies may take of memory, for all connections together: at
     * least eight of the longest frames; {@link #AUTOMATIC} for as much as {@link #bufferedBytes} says.
     */
    public ServerOptions withMaxBufferedBytes(long maxBufferedBytes) {
        return with(copy -> copy.maxBufferedBytes = maxBufferedBytes);
    }

    /** What all connections may hold: as was chosen, or {@value #USUAL_BUFFERED_MEBIBYTES} MiB, but not more than half of what the JVM may have. */
    public long bufferedBytes() {
        return maxBufferedBytes != AUTOMATIC
                ? maxBufferedBytes
                : usualBufferedBytes(longestFrameBytes(), Runtime.getRuntime().maxMemory());
    }

    /** @param directBytes how much direct memory the JVM may have */
    static long usualBufferedBytes(long frameBytes, long directBytes) {
        return Math.max(Math.min((long) USUAL_BUFFERED_MEBIBYTES << 20, directBytes / 2), LEAST_FRAMES * frameBytes);
    }

    private long longestFrameBytes() {
        return maxPayloadBytes + (long) RequestHeader.BYTES;
    }

    /**
     * With a limit of how long a request may have to wait for its log, up to {@value #MOST_WAIT_MINUTES} min: if it would be longer, one of a
     * connection that has others under way is refused; what the four fastest groups of the log take is granted in any
     * case. {@link Duration#ZERO} for no limit.
     */
    public ServerOptions withMaxWait(Duration maxWait) {
        return with(copy -> copy.maxWait = maxWait);
    }

    public Duration maxWait() {
        return maxWait;
    }

    /** With another memory of what was answered. */
    public ServerOptions withMemory(MemoryOptions memory) {
        return with(copy -> copy.memory = memory);
    }

    public MemoryOptions memory() {
        return memory;
    }

    /**
     * As a standby, which waits for logs that another server may hold.
     *
     * @param within how long it should take at most from the end of that server until this one serves the log,
     *     {@value #LEAST_TAKEOVER_SECONDS} s to {@value #MOST_TAKEOVER_MINUTES} min; {@code null} for a server that opens its logs at once
     */
    public ServerOptions withStandby(@Nullable Duration within) {
        return with(copy -> copy.takeoverWithin = within);
    }

    public boolean isStandby() {
        return takeoverWithin != null;
    }

    /**
     * Of a standby: after how long without a sign of life a server counts as gone, and after how long without an outcome it lets others
     * try; else 0.
     */
    public Duration notice() {
        return takeoverWithin == null
                ? Duration.ZERO
                : Duration.ofMillis((long) (takeoverWithin.toMillis() * NOTICE_SHARE));
    }

    /** With TLS on all ports, from these files, which have a certificate; with {@code null} without. */
    public ServerOptions withTls(@Nullable TlsFiles tls) {
        return with(copy -> copy.tls = tls);
    }

    public @Nullable TlsFiles tls() {
        return tls;
    }

    /** With a file that says who may do what; with {@code null} everybody may do everything. */
    public ServerOptions withAccess(@Nullable Path access) {
        return with(copy -> copy.access = access);
    }

    public @Nullable Path access() {
        return access;
    }

    /**
     * With this as the time that a HELLO or the rest of a frame may take, and that a client may leave its replies
     * unread, over 0; up to twice this is granted.
     */
    public ServerOptions withPatience(Duration patience) {
        return with(copy -> copy.patience = patience);
    }

    public Duration patience() {
        return patience;
    }

    /** What requests may name, in the order of their ids from 0; at least one. */
    public List<TargetOptions> targets() {
        return targets;
    }
}
