package io.plog.server.admin;

import io.plog.server.http.HttpServer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where the answers of the admin port come from.
 *
 * @param metrics the text of {@code /metrics} in a media type, {@code null} if there is none; may block
 * @param ready of the target with this name, {@code null} if there is none; or of the server if the name is {@code null}. Asked for each
 *     request to {@code /health/ready}, on the event loop: must not block
 * @param checkpoint saves checkpoints: of the target with this name, or of all if it is {@code null}; may block
 * @param events what was recorded since a time of {@link System#nanoTime}, as JSON; may block for seconds
 * @param counters numbers that only grow, as JSON
 */
public record AdminSources(
        @Nullable UnaryOperator<String> metrics,
        Function<@Nullable String, @Nullable Health> ready,
        Function<@Nullable String, HttpServer.Answer> checkpoint,
        LongFunction<String> events,
        Supplier<String> counters) {
    /** Whether the server is ready, and a sentence that says why or why not. */
    public record Health(boolean good, String sentence) {}
}
