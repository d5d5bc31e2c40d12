package io.plog.server;

import io.netty.buffer.ByteBuf;
import io.plog.log.Force;
import io.plog.protocol.TargetDescription;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One target at work. Safe for any thread. */
final class Target {
    /** A disk that takes so long for a batch is not one that requests should be sent to. */
    private static final long STALLED_NANOS = 10_000_000_000L;

    private final int id;
    private final String name;
    private final Force force;
    private final Map<String, String> facts;
    private final StateMachine machine;
    private final @Nullable RecordLog log;
    private final int maxPayloadBytes;
    private final TargetMeters meters;

    Target(
            int id,
            String name,
            Force force,
            Map<String, String> facts,
            StateMachine machine,
            @Nullable RecordLog log,
            int maxPayloadBytes,
            TargetMeters meters) {
        this.id = id;
        this.name = name;
        this.force = force;
        this.facts = facts;
        this.machine = machine;
        this.log = log;
        this.maxPayloadBytes = maxPayloadBytes;
        this.meters = meters;
    }

    int id() {
        return id;
    }

    String name() {
        return name;
    }

    StateMachine machine() {
        return machine;
    }

    /** Its log; {@code null} if it answers without logging. */
    @Nullable
    RecordLog log() {
        return log;
    }

    /** The longest payload that its log takes; segments bound it. */
    int maxPayloadBytes() {
        return maxPayloadBytes;
    }

    TargetMeters meters() {
        return meters;
    }

    /**
     * Executes a request apart from any log: without one, or of a stateless service. If that throws, the target is failed
     * for good.
     *
     * @return whether the reply holds an answer
     */
    boolean execute(ByteBuf request, ByteBuf reply) {
        if (machine.failure() != null) {
            return false;
        }
        try {
            if (machine.isStateless()) {
                PendingRequest.execute(machine.service(), request, reply);
            } else {
                synchronized (machine) { // without a log there is no other order than that of arrival here
                    PendingRequest.execute(machine.service(), request, reply);
                }
            }
            return true;
        } catch (Throwable t) {
            machine.fail(t);
            return false;
        }
    }

    /** What is wrong with it, a part of a sentence; {@code null} if nothing is. */
    @Nullable
    String problem() {
        if (log != null && !log.isHealthy()) {
            return "the log of target " + name + " failed; restart the server";
        }
        if (log != null && log.stalledNanos() > STALLED_NANOS) {
            return "the log of target " + name + " has been writing and forcing the same batch for "
                    + log.stalledNanos() / 1_000_000_000 + " s; look at its disk";
        }
        return machine.failure() == null ? null : machine.failedSentence();
    }

    TargetDescription description() {
        return new TargetDescription(id, name, force.label(), facts);
    }
}
