package io.plog.examples;

import io.micrometer.core.instrument.Tags;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.log.micrometer.LogHealth;
import io.plog.log.micrometer.LogMeters;
import java.io.IOException;
import java.nio.file.Path;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The example of a log in Spring Boot in {@code docs/embedding.md}: ExamplesTest holds the two together. */
final class SpringBeans {
    private final Path directory;

    SpringBeans(Path directory) {
        this.directory = directory;
    }

    // docs begin
    @Bean
    LogMeters meters() {
        return new LogMeters(Tags.of("log", "orders"));
    }

    @Bean
    MessageLog log(LogMeters meters) throws IOException {
        MessageLog log = MessageLog.open(LogOptions.in(directory).withListener(meters));
        meters.watch(log);
        return log;
    }

    @Bean
    HealthIndicator logHealth(MessageLog log) {
        return () -> {
            LogHealth health = LogHealth.of(log);
            return Health.status(health.status().name())
                    .withDetails(health.details())
                    .build();
        };
    }
    // docs end
}
