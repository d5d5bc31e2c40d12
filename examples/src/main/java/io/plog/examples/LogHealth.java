package io.plog.examples;

import io.plog.log.LogFailedException;
import io.plog.log.MessageLog;
import java.time.Duration;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/**
 * The health of an embedded log for Spring Boot's actuator, to be copied: declare it as a bean next to the log. A log that failed
 * takes no request again until the service starts anew, so this is a reason to be restarted (liveness).
 */
final class LogHealth implements HealthIndicator {
    /** A force that takes longer is hardly one that comes back. */
    private static final Duration STALLED = Duration.ofSeconds(10);

    private final MessageLog log;

    LogHealth(MessageLog log) {
        this.log = log;
    }

    @Override
    public Health health() {
        LogFailedException failure = log.failure();
        if (failure != null) {
            return Health.down(failure).build();
        }
        long stalled = log.stalledNanos();
        return (stalled > STALLED.toNanos() ? Health.outOfService() : Health.up())
                .withDetail("durableIndex", log.durableIndex())
                .withDetail("queuedRecords", log.queuedRecords())
                .withDetail("stalledMillis", stalled / 1_000_000)
                .build();
    }
}
