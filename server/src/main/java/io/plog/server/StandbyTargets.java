package io.plog.server;

import io.netty.util.NetUtil;
import io.plog.log.spi.DurableLogProvider;
import io.plog.log.spi.HolderElection;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.LogPlace;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.StandbyOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.state.TargetState;
import io.plog.server.targets.DurableRecordLog;
import io.plog.server.targets.FollowedState;
import io.plog.server.targets.StandbyLog;
import io.plog.server.targets.TargetMeters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The targets of a server whose logs others keep. Each of a standby joins its queue by itself, and tries again as long as it cannot.
 * Prepared and started by one thread, closed by one.
 */
final class StandbyTargets {
    /**
     * A target whose host is not there yet.
     *
     * @param election where it waits; null if it has its log and does not
     * @param standby its log until it has a real one; null if it does not wait
     * @param open its log, if it has it
     */
    record Prepared(
            int id,
            TargetOptions options,
            URI address,
            @Nullable HolderElection election,
            @Nullable StandbyLog standby,
            @Nullable DurableRecordLog open) {}

    private final ServerOptions server;
    private final MemoryPlan memory;
    private final Targets targets;
    private final ServerNotices notices;
    private final Consumer<IOException> failed;
    private volatile String self = "";
    private volatile Runnable served = () -> {};
    private final List<Prepared> prepared = new ArrayList<>();
    private final List<StandbyTarget> started = new ArrayList<>();

    /** @param failed receives a sentence that says why the server cannot continue */
    StandbyTargets(
            ServerOptions server,
            MemoryPlan memory,
            Targets targets,
            ServerNotices notices,
            Consumer<IOException> failed) {
        this.server = server;
        this.memory = memory;
        this.targets = targets;
        this.notices = notices;
        this.failed = failed;
    }

    /**
     * A target that will wait.
     *
     * @throws io.plog.log.LogException if its kind of log knows no standby
     * @throws IllegalArgumentException if its address is not right
     */
    void prepare(int id, TargetOptions options, StandbyLog log) throws IOException {
        if (options.place() instanceof LogPlace.Address address) {
            HolderElection election = DurableLogProvider.of(address.uri()).election(address.uri());
            prepared.add(new Prepared(id, options, address.uri(), election, log, null));
        }
    }

    /** A target that has its log, and opens it again when it is lost and no other server has it. */
    void prepareAlone(int id, TargetOptions options, DurableRecordLog log) {
        if (options.place() instanceof LogPlace.Address address) {
            prepared.add(new Prepared(id, options, address.uri(), null, null, log));
        }
    }

    /**
     * Lets them join. Their threads inherit this one's class loader for logs.
     *
     * @param listening where the server listens
     * @param whenServed is called when a target has its log, of which facts are known now
     */
    synchronized void start(InetSocketAddress listening, Runnable whenServed) {
        self = prepared.isEmpty() ? "" : reachable(listening); // which may ask a name server
        served = whenServed;
        prepared.sort(Comparator.comparing(each -> each.address().toString()));
        AtomicInteger left = new AtomicInteger(prepared.size());
        StandbyTarget before = null;
        for (Prepared each : prepared) {
            before = new StandbyTarget(each, this, before, left);
            started.add(before);
        }
        started.forEach(StandbyTarget::start);
    }

    /** They take no log over from now on. */
    synchronized void stop() {
        started.forEach(StandbyTarget::stop);
    }

    /** They leave their queues, after their logs were closed. Blocks. */
    synchronized void leave() throws IOException {
        try {
            for (StandbyTarget each : started) {
                each.leave();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while leaving a queue", e);
        }
    }

    // ---- What they share ----

    /** How others reach this server, {@code HOST:PORT}. */
    String self() {
        return self;
    }

    /** After how long without a sign of life a server counts as gone, and after how long without an outcome it lets others try. */
    Duration notice() {
        StandbyOptions how = server.standby();
        return how == null ? Duration.ZERO : how.notice();
    }

    MemoryPlan memory() {
        return memory;
    }

    Targets targets() {
        return targets;
    }

    ServerNotices notices() {
        return notices;
    }

    /** A target has its log. */
    void served() {
        served.run();
    }

    /** The server cannot continue. */
    void failed(IOException why) {
        failed.accept(why);
    }

    /** How others reach a server that listens there: by the name of its machine, if it listens at every address. */
    private static String reachable(InetSocketAddress listening) {
        InetAddress address = listening.getAddress();
        String host = address.isAnyLocalAddress() ? nameOfMachine() : address.getHostAddress();
        return NetUtil.toSocketAddressString(host, listening.getPort());
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
        return DurableRecordLog.open(target, server, newMachine(target), followed, meters, notices);
    }
}
