package io.plog.server.admin;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the admin port tells of.
 *
 * @param registry whose meters are told
 * @param ready asked for each request to {@code /health/ready}, on the event loop: must not block
 * @param checkpoint saves checkpoints: of the target with this name, or of all if it is {@code null}; may block
 * @param events what was recorded since a time of {@link System#nanoTime}, as JSON; may block for seconds
 * @param counters numbers that only grow, as JSON
 */
public record AdminSources(
        PrometheusMeterRegistry registry,
        Supplier<Health> ready,
        Function<@Nullable String, Answer> checkpoint,
        LongFunction<String> events,
        Supplier<String> counters) {
    /** Whether something is as it should be, and a sentence about it. */
    public record Health(boolean good, String sentence) {}

    /** An HTTP status, and what is to be said. */
    public record Answer(int status, String text) {}
}
