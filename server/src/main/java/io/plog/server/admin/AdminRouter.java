package io.plog.server.admin;

import io.netty.channel.Channel;
import io.plog.server.access.Access;
import io.plog.server.access.Rights;
import io.plog.server.http.CallerCheck;
import io.plog.server.http.HttpException;
import io.plog.server.http.HttpExchange;
import io.plog.server.http.HttpHead;
import io.plog.server.http.HttpRouter;
import io.plog.server.http.HttpServer;
import io.plog.server.http.HttpServer.Answer;
import io.plog.server.http.HttpServer.Work;
import io.plog.server.http.HttpStatus;
import io.plog.server.http.HttpWorker;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the admin port answers: metrics, health, events and checkpoints. Event loop only. */
public final class AdminRouter implements HttpServer.Router {
    private static final String HEALTH = "/health/";

    private static final String SINCE = "since=";
    private static final String TARGET = "target=";
    private static final String READERS = "GET, HEAD";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private static final int EVENTS_PLACES = 5;

    private static final int METRICS_PLACES = 8;

    private final CallerCheck callers;
    private final Access access;
    private final AdminSources sources;
    private final HttpWorker events = new HttpWorker("plog-admin-events", 1, EVENTS_PLACES);
    private final HttpWorker metrics = new HttpWorker("plog-admin-metrics", 1, METRICS_PLACES);
    private final HttpWorker checkpoints = new HttpWorker("plog-admin-checkpoint", 1, 1);

    /** @param access who may ask for more than health */
    public AdminRouter(CallerCheck callers, Access access, AdminSources sources) {
        this.callers = callers;
        this.access = access;
        this.sources = sources;
    }

    @Override
    public @Nullable Work route(Channel connection, HttpHead head, HttpExchange exchange) throws HttpException {
        callers.check(head);
        String path = head.path();
        if (!path.startsWith(HEALTH)) { // which anybody may ask for: who watches over a process has no secrets
            checkRights(access.of(connection, head.token()));
        }
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
                return new Work(
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

    private static void checkRights(Rights rights) throws HttpException {
        if (rights.equals(Rights.NONE)) {
            throw new HttpException(HttpStatus.UNAUTHORIZED, HttpRouter.STRANGER);
        }
        if (!rights.administers()) {
            throw new HttpException(HttpStatus.FORBIDDEN, "this client has no right 'admin'");
        }
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
        return new Work(metrics, () -> new Answer(HttpStatus.OK, type, text.apply(type)));
    }

    private @Nullable Work events(HttpExchange exchange, @Nullable String query) {
        Long since = sinceNanos(query);
        if (since == null) {
            exchange.say(HttpStatus.BAD_REQUEST, "expected no query, or since=NANOS, a time of /clock");
            return null;
        }
        return new Work(
                events,
                () -> new Answer(
                        HttpStatus.OK, HttpExchange.JSON, sources.events().apply(since)));
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
