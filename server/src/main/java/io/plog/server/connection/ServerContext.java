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

/**
 * What all connections of a server share. Safe for any thread.
 *
 * @param maxConnections how many connections are served at once, at most as many as the options say
 * @param targets all of them, in the order of their ids
 * @param facts about the server, for clients
 * @param design where the force of a log is waited for
 * @param notices where unexpected failures are reported
 * @param access who may do what
 * @param budget what all connections may hold together
 */
public record ServerContext(
        ServerOptions options,
        int maxConnections,
        List<Target> targets,
        Map<String, String> facts,
        ServerMeters meters,
        ServerDesign design,
        EventLoopCounts turns,
        ServerNotices notices,
        Access access,
        MemoryBudget budget,
        Connections connections) {
    /** Facts of a target that say how a client has to treat its replies. */
    private static final Set<String> NEEDED = Set.of("service", "window");

    /**
     * The WELCOME frame for who has these rights: who may not read learns only what it needs to append.
     *
     * @throws IllegalArgumentException if the facts do not fit into one
     */
    public ByteBuf welcome(Rights rights) {
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
        return encoded;
    }

    @Nullable
    Target target(int id) {
        return id < targets.size() ? targets.get(id) : null;
    }
}
