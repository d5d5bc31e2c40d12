package io.plog.server;

import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.state.TargetState;
import io.plog.server.targets.DurableRecordLog;
import io.plog.server.targets.FollowedState;
import io.plog.server.targets.TargetMeters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What all targets of a server whose logs others keep share.
 *
 * @param self how others reach this server, {@code HOST:PORT}
 * @param notice after how long without a sign of life a server counts as gone, and after how long without an outcome it lets others try
 * @param options of the server
 * @param served is called when a target has its log, of which facts are known now
 * @param failed receives a sentence that says why the server cannot continue
 */
record StandbyHost(
        String self,
        Duration notice,
        ServerOptions options,
        MemoryPlan memory,
        Targets targets,
        ServerNotices notices,
        Runnable served,
        Consumer<String> failed) {

    /** How others reach a server that listens there: by the name of its machine, if it listens at every address. */
    static String reachable(InetSocketAddress listening) {
        InetAddress address = listening.getAddress();
        String host = address.isAnyLocalAddress() ? nameOfMachine() : address.getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + listening.getPort();
    }

    private static String nameOfMachine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return InetAddress.getLoopbackAddress().getHostAddress();
        }
    }

    /** A target's state before any record. */
    TargetState newMachine(TargetOptions target) {
        return Targets.newMachine(target, memory);
    }

    /**
     * Opens a target's log, which fences the server that had it, and replays what is not followed yet.
     */
    DurableRecordLog open(int id, TargetOptions target, @Nullable FollowedState followed) throws IOException {
        TargetMeters meters = targets.all().get(id).meters();
        return DurableRecordLog.open(target, options, newMachine(target), followed, meters, notices);
    }
}
