package io.plog.server;

import io.plog.log.Force;
import io.plog.protocol.TargetDescription;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One target at work. Immutable; safe for any thread. */
final class Target {
    private final int id;
    private final String name;
    private final Force force;
    private final Map<String, String> facts;
    private final @Nullable RecordLog log;
    private final int maxPayloadBytes;
    private final TargetMeters meters;

    Target(
            int id,
            String name,
            Force force,
            Map<String, String> facts,
            @Nullable RecordLog log,
            int maxPayloadBytes,
            TargetMeters meters) {
        this.id = id;
        this.name = name;
        this.force = force;
        this.facts = facts;
        this.log = log;
        this.maxPayloadBytes = maxPayloadBytes;
        this.meters = meters;
    }

    String name() {
        return name;
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

    boolean isHealthy() {
        return log == null || log.isHealthy();
    }

    TargetDescription description() {
        return new TargetDescription(id, name, force.label(), facts);
    }
}
