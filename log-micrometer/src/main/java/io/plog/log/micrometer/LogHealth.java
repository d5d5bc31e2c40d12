package io.plog.log.micrometer;

import io.plog.log.DurableLog;
import io.plog.log.LogFailedException;
import io.plog.log.LogStatus;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whether an embedded log takes appends, as it was when somebody asked. A framework's own check of health says it in its words.
 *
 * @param details numbers of the log by their names, and {@code error}, a sentence, of a log that is {@link Status#DOWN}
 */
public record LogHealth(Status status, Map<String, Object> details) {
    /** A force that takes longer is hardly one that comes back. */
    private static final Duration STALLED = Duration.ofSeconds(10);

    /** Named as the states that Spring Boot's actuator knows. */
    public enum Status {
        UP,
        /** The log has been forcing the same records for more than 10 s, and may go on by itself. */
        OUT_OF_SERVICE,
        /** It failed, and takes no append until it is opened anew: a reason to restart the service (liveness). */
        DOWN
    }

    /** @param details copied; their order stays */
    public LogHealth {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    /** Asks a log; from any thread, and without waiting for the disk. */
    public static LogHealth of(DurableLog log) {
        LogFailedException failure = log.failure();
        LogStatus now = log.status();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("durableIndex", log.durableIndex());
        details.put("queuedRecords", now.queuedRecords());
        details.put("stalledMillis", now.stalledNanos() / 1_000_000);
        if (failure != null) {
            details.put("error", failure.toString());
            return new LogHealth(Status.DOWN, details);
        }
        return new LogHealth(now.stalledNanos() > STALLED.toNanos() ? Status.OUT_OF_SERVICE : Status.UP, details);
    }
}
