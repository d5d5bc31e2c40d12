package io.plog.server;

import io.plog.host.DirectoryFacts;
import io.plog.protocol.RequestRecord;
import io.plog.server.admin.CountersJson;
import io.plog.server.options.LogPlace;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.Service;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.TargetState;
import io.plog.server.targets.DurableRecordLog;
import io.plog.server.targets.RecordLog;
import io.plog.server.targets.StandbyLog;
import io.plog.server.targets.Target;
import io.plog.server.targets.TargetMeters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The targets of a server from the recovery of their logs to their close. One thread opens them, one closes them; the rest is
 * for any thread. A target that waits for its log is replaced by one that serves when it has it, and that by one that waits when the log
 * is lost.
 */
final class Targets {
    private final List<Target> opened = new CopyOnWriteArrayList<>(); // asked for counters during recovery, too
    private final List<TargetStart> starts = new ArrayList<>();
    private boolean closing; // guarded by this: nothing is replaced any more

    /** Opens the log of a target and makes its state again; tests put their own there. */
    interface LogOpener {
        /** The log, or {@code null} if the target does not log. */
        @Nullable
        RecordLog open(TargetOptions target, TargetState state, TargetMeters meters) throws IOException;
    }

    /** The open targets, in the order of their ids; grows during recovery. */
    List<Target> all() {
        return opened;
    }

    /** What recovery found for each target. Only for the thread that opens them, until all are open. */
    List<TargetStart> starts() {
        return List.copyOf(starts);
    }

    /** What those with a log of their own began with, and have counted since. */
    List<CountersJson.OfTarget> counters() {
        List<CountersJson.OfTarget> counters = new ArrayList<>();
        for (Target target : opened) {
            if (target.log() instanceof DurableRecordLog own) {
                counters.add(new CountersJson.OfTarget(
                        target.name(), own.opening(), target.meters().repeats()));
            }
        }
        return counters;
    }

    /** Recovers the log of the next target, and its state. */
    void open(TargetOptions target, ServerOptions options, MemoryPlan memory, TargetMeters meters, LogOpener opener)
            throws IOException {
        TargetState state = newMachine(target, memory);
        RecordLog log = opener.open(target, state, meters);
        DirectoryFacts facts = log == null || target.directories().isEmpty()
                ? null
                : DirectoryFacts.of(target.directories()).with(target.storage().facts());
        int maxPayloadBytes = log == null
                ? options.maxPayloadBytes()
                : DurableRecordLog.maxRecordBytes(target, options.maxPayloadBytes()) - RequestRecord.ENVELOPE_BYTES;
        int id = opened.size();
        opened.add(new Target(
                id,
                target.name(),
                target.forceLabel(),
                factsOf(target, state, log, facts),
                state,
                log,
                maxPayloadBytes,
                meters,
                0));
        if (log != null) {
            meters.watch(() -> opened.get(id));
        }
        starts.add(new TargetStart(target, facts, log instanceof DurableRecordLog own ? own.opening() : null));
    }

    /** The state of a target before any record. */
    static TargetState newMachine(TargetOptions target, MemoryPlan memory) {
        Service service = target.service().get();
        return new TargetState(target.name(), service, memory.bounds());
    }

    /**
     * The log of a target is another one from now on, with a state of its own.
     *
     * @return whether it was replaced; not if the server is closing. Then the log is the caller's to close
     */
    synchronized boolean replace(int id, TargetState state, RecordLog log) {
        if (closing) {
            return false;
        }
        Target before = opened.get(id);
        Map<String, String> facts = new LinkedHashMap<>(before.description().facts());
        if (log instanceof DurableRecordLog real) {
            facts.putAll(real.durableLog().facts());
        }
        opened.set(
                id,
                new Target(
                        id,
                        before.name(),
                        before.description().force(),
                        facts,
                        state,
                        log,
                        before.maxPayloadBytes(),
                        before.meters(),
                        before.term() + 1));
        return true;
    }

    private static Map<String, String> factsOf(
            TargetOptions target, TargetState state, @Nullable RecordLog log, @Nullable DirectoryFacts directories) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("service", state.service().name());
        if (state.isStateless() && state.service().executesAfterForce()) {
            facts.put("executes", "after the force");
        }
        facts.put("window", Integer.toString(log == null ? 0 : MemoryBounds.WINDOW));
        facts.put("readOnlyRequests", state.service().takesReads() ? "yes" : "no");
        if (target.place() instanceof LogPlace.Address address) {
            facts.put("address", address.uri().toString());
            if (log instanceof DurableRecordLog real) {
                facts.putAll(real.durableLog().facts());
            }
        }
        if (directories != null) {
            facts.putAll(directories.asMap());
        }
        return facts;
    }

    /**
     * Why no requests should come here, a part of a sentence; {@code null} if they should. A target that waits for its log does not count
     * while this server has the log of another: if servers hold some of the logs each, clients must reach all of them.
     */
    @Nullable
    String problem() {
        boolean holds = false;
        for (Target target : opened) {
            String problem = target.log() instanceof StandbyLog ? null : target.problem();
            if (problem != null) {
                return problem;
            }
            holds |= target.log() != null && !(target.log() instanceof StandbyLog);
        }
        return holds ? null : waits();
    }

    /** Why the first target that waits for its log does so; {@code null} if none waits. */
    @Nullable
    String waits() {
        for (Target target : opened) {
            if (target.log() instanceof StandbyLog waiting) {
                return waiting.problem();
            }
        }
        return null;
    }

    /** The target with this name; {@code null} if there is none. */
    @Nullable
    Target named(String name) {
        for (Target target : opened) {
            if (target.name().equals(name)) {
                return target;
            }
        }
        return null;
    }

    /**
     * Closes the logs, all at the same time: what was appended is durable and reported then.
     *
     * @param share of the whole time by which they must be closed
     */
    void close(BoundedShutdown end, double share) {
        synchronized (this) {
            closing = true;
        }
        List<BoundedShutdown.Step> steps = new ArrayList<>();
        for (Target target : opened) {
            RecordLog log = target.log();
            if (log != null) {
                steps.add(end.begin("the log of target " + target.name(), log::close));
            }
        }
        steps.forEach(step -> end.await(step, share));
    }
}
