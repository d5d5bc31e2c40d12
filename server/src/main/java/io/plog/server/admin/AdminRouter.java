package io.plog.server.admin;

import io.plog.server.admin.AdminSources.Answer;
import io.plog.server.http.CallerCheck;
import io.plog.server.http.HttpExchange;
import io.plog.server.http.HttpHead;
import io.plog.server.http.HttpStatus;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Says what a request of the admin port is for, and answers it or says which worker does. Event loop only. */
final class AdminRouter implements AutoCloseable {
    static final String HEALTH = "/health/";

    private static final String SINCE = "since=";
    private static final String TARGET = "target=";
    private static final String READERS = "GET, HEAD";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private static final int EVENTS_PLACES = 5;

    private static final int METRICS_PLACES = 8;

    /** What a worker does, and who. */
    record Work(AdminWorker worker, Supplier<Answer> work, Answer busy) {}

    private final AdminSources sources;
    private final AdminWorker events = new AdminWorker("events", EVENTS_PLACES);
    private final AdminWorker metrics = new AdminWorker("metrics", METRICS_PLACES);
    private final AdminWorker checkpoints = new AdminWorker("checkpoint", 1);

    AdminRouter(AdminSources sources) {
        this.sources = sources;
    }

    /**
     * Answers a request, or says who does.
     *
     * @param exchange gets the answer if it is known at once
     * @return {@code null} if it is answered
     */
    @Nullable
    Work route(HttpHead head, HttpExchange exchange) {
        String path = head.path();
        int question = path.indexOf('?');
        String query = question < 0 ? null : path.substring(question + 1);
        String resource = question < 0 ? path : path.substring(0, question);
        if (resource.equals("/checkpoint")) {
            return checkpoint(head, exchange, query);
        }
        if (!head.method().equals("GET") && !head.method().equals("HEAD")) {
            exchange.allow = READERS;
            exchange.say(HttpStatus.METHOD_NOT_ALLOWED, "expected " + READERS + " here");
            return null;
        }
        switch (resource) {
            case "/metrics" -> {
                return metrics(exchange, head.acceptsOpenMetrics() ? OPEN_METRICS : PROMETHEUS);
            }
            case "/counters" -> {
                return work(
                        metrics,
                        () -> new Answer(
                                HttpStatus.OK,
                                HttpExchange.JSON,
                                sources.counters().get()));
            }
            case "/events" -> {
                return events(exchange, query);
            }
            case "/health/live" -> exchange.say(HttpStatus.OK, "live");
            case "/health/ready" -> ready(exchange, query);
            case "/clock" -> exchange.say(HttpStatus.OK, Long.toString(System.nanoTime()));
            default ->
                exchange.say(
                        HttpStatus.NOT_FOUND,
                        "here are /metrics, /health/live, /health/ready, /clock, /events, /counters and /checkpoint");
        }
        return null;
    }

    private void ready(HttpExchange exchange, @Nullable String query) {
        if (query != null && !query.startsWith(TARGET)) {
            exchange.say(HttpStatus.BAD_REQUEST, unknownQuery(query));
            return;
        }
        String target = query == null ? null : query.substring(TARGET.length());
        AdminSources.Health health = sources.ready().apply(target);
        if (health == null) {
            exchange.say(HttpStatus.NOT_FOUND, "there is no target " + target);
        } else {
            exchange.say(health.good() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE, health.sentence());
        }
    }

    private static String unknownQuery(String query) {
        return "unknown query '" + query + "': expected none, or target=NAME";
    }

    private @Nullable Work metrics(HttpExchange exchange, String type) {
        UnaryOperator<String> text = sources.metrics();
        if (text == null) {
            exchange.say(HttpStatus.NOT_FOUND, "the program that started this server reports no metrics here");
            return null;
        }
        return work(metrics, () -> new Answer(HttpStatus.OK, type, text.apply(type)));
    }

    private @Nullable Work events(HttpExchange exchange, @Nullable String query) {
        Long since = sinceNanos(query);
        if (since == null) {
            exchange.say(HttpStatus.BAD_REQUEST, "expected no query, or since=NANOS, a time of /clock");
            return null;
        }
        return work(
                events,
                () -> new Answer(
                        HttpStatus.OK, HttpExchange.JSON, sources.events().apply(since)));
    }

    private static Work work(AdminWorker worker, Supplier<Answer> work) {
        Answer busy = Answer.say(
                HttpStatus.SERVICE_UNAVAILABLE, "too many ask for this at the same time: try again in a moment");
        return new Work(worker, work, busy);
    }

    private static @Nullable Long sinceNanos(@Nullable String query) {
        if (query == null) {
            return Long.MIN_VALUE;
        }
        try {
            return query.startsWith(SINCE) ? Long.parseLong(query.substring(SINCE.length())) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private @Nullable Work checkpoint(HttpHead head, HttpExchange exchange, @Nullable String query) {
        if (!head.method().equals("POST")) {
            exchange.allow = "POST";
            exchange.say(HttpStatus.METHOD_NOT_ALLOWED, "POST saves a checkpoint, of all targets or of ?target=NAME");
            return null;
        }
        if (CallerCheck.isLikeAForm(head)) {
            exchange.say(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "a body of a type that any web page's form can send: expected no body, as of curl -X POST");
            return null;
        }
        if (query != null && !query.startsWith(TARGET)) {
            exchange.say(HttpStatus.BAD_REQUEST, unknownQuery(query));
            return null;
        }
        String target = query == null ? null : query.substring(TARGET.length());
        Answer busy = Answer.say(
                HttpStatus.CONFLICT, "no checkpoint: one that was asked for is being saved; try again later");
        return new Work(checkpoints, () -> sources.checkpoint().apply(target), busy);
    }

    @Override
    public void close() {
        events.close();
        metrics.close();
        checkpoints.close();
    }
}
