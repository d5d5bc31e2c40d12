package io.plog.server.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.protocol.Welcome;
import io.plog.server.access.Access;
import io.plog.server.access.Rights;
import io.plog.server.monitoring.EventLoopCounts;
import io.plog.server.monitoring.ServerMeters;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.ServerOptions;
import io.plog.server.targets.Target;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What all connections of a server share. Safe for any thread. */
public final class ServerContext {
    private final ServerOptions options;
    private final int maxConnections;
    /** Facts of a target that tell a client how to treat its replies. */
    private static final Set<String> NEEDED = Set.of("service", "window");

    private final List<Target> targets;
    private final ServerMeters meters;
    private final ServerDesign design;
    private final EventLoopCounts turns;
    private final ServerNotices notices;
    private final Access access;
    private final Map<String, String> facts;
    private volatile ByteBuf welcome;
    private final Connections connections = new Connections();
    private final MemoryBudget budget;
    private volatile boolean stopping;

    /**
     * Encodes the WELCOME once for each version, since it is the same for everyone who may read it.
     *
     * @param maxConnections how many connections are served at once, at most as many as the options say
     * @param targets all of them, in the order of their ids; one may be replaced by another of the same description later
     * @throws IllegalArgumentException if the facts do not fit into one
     */
    public ServerContext(
            ServerOptions options,
            int maxConnections,
            List<Target> targets,
            Map<String, String> facts,
            ServerMeters meters,
            ServerDesign design,
            EventLoopCounts turns,
            ServerNotices notices,
            Access access) {
        this.options = options;
        this.maxConnections = maxConnections;
        this.budget = new MemoryBudget(options.bufferedBytes(), System::nanoTime);
        this.targets = targets;
        this.meters = meters;
        this.design = design;
        this.turns = turns;
        this.notices = notices;
        this.access = access;
        this.facts = facts;
        this.welcome = encodeWelcome(Rights.ALL);
    }

    /** One of the targets has other facts than before: clients that connect from now on receive these. */
    public void describeAnew() {
        welcome = encodeWelcome(Rights.ALL);
    }

    private ByteBuf encodeWelcome(Rights rights) {
        ByteBuf encoded = Unpooled.buffer();
        new Welcome(
                        options.maxPayloadBytes(),
                        options.maxOutstanding(),
                        rights.reads() ? facts : Map.of(),
                        targets.stream()
                                .map(Target::description)
                                .filter(each -> rights.reads() || rights.mayAppend(each.name()))
                                .map(each -> rights.reads() ? each : each.with(NEEDED))
                                .toList())
                .encode(encoded);
        return Unpooled.unreleasableBuffer(encoded.asReadOnly());
    }

    ServerOptions options() {
        return options;
    }

    /** How many connections are served at once. */
    int maxConnections() {
        return maxConnections;
    }

    ServerMeters meters() {
        return meters;
    }

    /** Where the force of a log is waited for. */
    ServerDesign design() {
        return design;
    }

    EventLoopCounts turns() {
        return turns;
    }

    /** Who may do what. */
    Access access() {
        return access;
    }

    /** Where unexpected failures are reported. */
    ServerNotices notices() {
        return notices;
    }

    /** The WELCOME frame for who has these rights: who may not read learns only what it needs to append. */
    ByteBuf welcome(Rights rights) {
        return rights.reads() ? welcome.duplicate() : encodeWelcome(rights);
    }

    /** The target with this id, or {@code null}. */
    @Nullable
    Target target(int id) {
        return id < targets.size() ? targets.get(id) : null;
    }

    /** New connections are refused from now on. */
    public void stop() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** What all connections may hold together. */
    public MemoryBudget budget() {
        return budget;
    }

    public Connections connections() {
        return connections;
    }
}
