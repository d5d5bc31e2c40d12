package io.plog.server;

import io.netty.util.NetUtil;
import io.plog.log.spi.DurableLogProvider;
import io.plog.log.spi.HolderElection;
import io.plog.protocol.RequestRecord;
import io.plog.server.admin.CountersJson;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.LogPlace;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.state.TargetState;
import io.plog.server.targets.FollowedState;
import io.plog.server.targets.RecordLog;
import io.plog.server.targets.Target;
import io.plog.server.targets.TargetLog;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The targets of a server. One thread opens them and lets those start whose logs others keep, one closes them; the rest is for any
 * thread.
 */
final class Targets {
    /** Why a target stands by, as long as nothing is known. */
    static final String MAY_BE_HELD = "another server may hold the log";

    /** @param election where it waits for the log; null if it has the log and does not */
    private record Kept(
            Target target, URI address, @Nullable HolderElection election) {}

    private final ServerOptions options;
    private final MemoryPlan memory;
    private final ServerNotices notices;
    private final Consumer<IOException> failed;
    private final List<Target> all = new CopyOnWriteArrayList<>(); // asked for counters during recovery, too
    private final List<Kept> kept = new ArrayList<>(); // by other machines
    private final List<LogOwnership> ownerships = new ArrayList<>();
    private final AtomicInteger served = new AtomicInteger(); // of those, that were not given up

    /** @param failed receives a sentence that says why the server cannot continue */
    Targets(ServerOptions options, MemoryPlan memory, ServerNotices notices, Consumer<IOException> failed) {
        this.options = options;
        this.memory = memory;
        this.notices = notices;
        this.failed = failed;
    }

    /** In the order of their ids; grows during recovery. */
    List<Target> all() {
        return all;
    }

    /** Recovers the log of the next target, and its state; or makes one that refuses its requests until this server has its log. */
    void open(TargetOptions target, TargetMeters meters, Target.LogOpener opener) throws IOException {
        int maxPayloadBytes = target.isLogged()
                ? TargetLog.maxRecordBytes(target, options.maxPayloadBytes()) - RequestRecord.ENVELOPE_BYTES
                : options.maxPayloadBytes();
        Target made = new Target(all.size(), target, newState(target), maxPayloadBytes, meters);
        all.add(made);
        boolean standby = options.isStandby() && target.isLogged();
        if (standby) {
            made.standBy(MAY_BE_HELD, null);
        } else {
            made.open(opener);
        }
        if (target.place() instanceof LogPlace.Address address) {
            URI uri = address.uri();
            kept.add(new Kept(made, uri, standby ? DurableLogProvider.of(uri).election(uri) : null));
        }
        meters.watch(made, standby);
    }

    /** Lets each whose log others keep join its queue, and try again as long as it cannot. */
    synchronized void start(InetSocketAddress listening) {
        served.set(kept.size());
        kept.sort(Comparator.comparing(each -> each.address.toString()));
        String self = kept.isEmpty() ? "" : reachable(listening); // which may ask a name server
        LogOwnership before = null;
        for (Kept each : kept) {
            before = new LogOwnership(each.target, each.address, each.election, self, this, before);
            ownerships.add(before);
        }
        ownerships.forEach(LogOwnership::start);
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

    // ---- For those whose logs others keep ----

    Duration notice() {
        return options.notice();
    }

    MemoryPlan memory() {
        return memory;
    }

    ServerNotices notices() {
        return notices;
    }

    TargetState newState(TargetOptions target) {
        return new TargetState(target.name(), target.service().get(), memory.bounds());
    }

    /** Opens a target's log, which fences the server that had it, and replays what is not followed yet. */
    TargetLog reopen(Target target, @Nullable FollowedState followed) throws IOException {
        TargetOptions its = target.options();
        return TargetLog.open(its, options, newState(its), followed, target.meters(), notices);
    }

    /** One of them cannot be served any more; says whether others are. */
    boolean servesOthers() {
        return served.decrementAndGet() > 0;
    }

    void failed(IOException why) {
        failed.accept(why);
    }

    // ---- For the ports ----

    /** What those with a log of their own began with, and have counted since. */
    List<CountersJson.OfTarget> counters() {
        List<CountersJson.OfTarget> counters = new ArrayList<>();
        for (Target target : all) {
            if (target.phase().log() instanceof TargetLog own) {
                counters.add(new CountersJson.OfTarget(
                        target.name(), own.opening(), target.meters().repeats()));
            }
        }
        return counters;
    }

    /**
     * Why no requests should come here, a part of a sentence; {@code null} if they should. A target that waits for its log does not count
     * while this server has the log of another: if servers hold some of the logs each, clients must reach all of them.
     */
    @Nullable
    String problem() {
        boolean holds = false;
        for (Target target : all) {
            Target.Phase phase = target.phase();
            String problem = phase.isStandingBy() ? null : phase.problem();
            if (problem != null) {
                return problem;
            }
            holds |= phase.log() != null;
        }
        return holds ? null : waits();
    }

    /** Why the first target that waits for its log does so; {@code null} if none waits. */
    @Nullable
    String waits() {
        return all.stream()
                .map(Target::phase)
                .filter(Target.Phase::isStandingBy)
                .map(Target.Phase::problem)
                .findFirst()
                .orElse(null);
    }

    @Nullable
    Target named(String name) {
        return all.stream()
                .filter(target -> target.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    // ---- The end ----

    /** They take no log over from now on. */
    synchronized void stop() {
        ownerships.forEach(LogOwnership::stop);
    }

    /** Closes the logs, all at the same time: what was appended is durable and reported then. */
    void close(BoundedShutdown end, double share) {
        List<BoundedShutdown.Step> steps = new ArrayList<>();
        for (Target target : all) {
            RecordLog log = target.close();
            if (log != null) {
                steps.add(end.begin("the log of target " + target.name(), log::close));
            }
        }
        steps.forEach(step -> end.await(step, share));
    }

    /** They leave their queues, after their logs were closed. Blocks. */
    synchronized void leave() throws InterruptedException {
        for (LogOwnership each : ownerships) {
            each.leave();
        }
    }
}
