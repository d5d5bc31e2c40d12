package io.plog.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Metrics, health, events and checkpoints over HTTP, on a port of its own and two threads of its own: a slow scraper disturbs no
 * request, and health can be asked while a checkpoint is saved.
 * The JDK's server does, and brings no dependency.
 */
final class AdminServer implements AutoCloseable {
    private static final String SINCE = "since=";
    private static final String TEXT = "text/plain; charset=utf-8";

    /**
     * The JDK's server writes an answer's head and body apart. Without this, the body of every answer but a connection's first
     * waits for the client's delayed acknowledgement: 40 ms, in which also the clock cannot be read exactly.
     */
    private static final String NO_DELAY = "sun.net.httpserver.nodelay";

    static {
        if (System.getProperty(NO_DELAY) == null) {
            System.setProperty(NO_DELAY, "true");
        }
    }

    /** Whether something is as it should be, and a sentence about it. */
    record Health(boolean good, String sentence) {}

    /** An HTTP status, and what is to be said. */
    record Answer(int status, String text) {}

    private final HttpServer http;
    private final ExecutorService threads;

    private AdminServer(HttpServer http, ExecutorService threads) {
        this.http = http;
        this.threads = threads;
    }

    /**
     * Starts to serve.
     *
     * @param ready asked for each request to {@code /health/ready}
     * @param checkpoint saves checkpoints: of the target with this name, or of all if it is {@code null}
     * @param events what was recorded since a time of {@link System#nanoTime}, as JSON; may block for seconds
     * @param counters numbers that only grow, as JSON
     * @throws ServerStartException if the port cannot be listened on
     */
    static AdminServer start(
            String bind,
            int port,
            PrometheusMeterRegistry registry,
            Supplier<Health> ready,
            Function<@Nullable String, Answer> checkpoint,
            LongFunction<String> events,
            Supplier<String> counters)
            throws ServerStartException {
        HttpServer http;
        try {
            http = HttpServer.create(Listening.address(bind, port), 16);
        } catch (IOException e) {
            throw Listening.failed("admin port", bind, port, "--admin-port", e);
        }
        ExecutorService threads = Executors.newFixedThreadPool(2, work -> {
            Thread made = new Thread(work, "plog-admin");
            made.setDaemon(true);
            return made;
        });
        http.setExecutor(threads);
        AtomicBoolean underWay = new AtomicBoolean();
        http.createContext("/", exchange -> {
            switch (exchange.getRequestURI().getPath()) {
                case "/metrics" -> metrics(exchange, registry);
                case "/health/live" -> answer(exchange, 200, TEXT, "live\n");
                case "/health/ready" -> {
                    Health health = ready.get();
                    answer(exchange, health.good() ? 200 : 503, TEXT, health.sentence() + "\n");
                }
                case "/checkpoint" -> checkpoint(exchange, checkpoint, underWay);
                case "/clock" -> answer(exchange, 200, TEXT, System.nanoTime() + "\n");
                case "/events" -> events(exchange, events);
                case "/counters" -> answer(exchange, 200, "application/json", counters.get());
                default ->
                    answer(
                            exchange,
                            404,
                            TEXT,
                            "here are /metrics, /health/live, /health/ready, /clock, /events, /counters and /checkpoint\n");
            }
        });
        http.start();
        return new AdminServer(http, threads);
    }

    private static void metrics(HttpExchange exchange, PrometheusMeterRegistry registry) throws IOException {
        String accept = exchange.getRequestHeaders().getFirst("Accept");
        String type = accept != null && accept.contains("application/openmetrics-text")
                ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                : "text/plain; version=0.0.4; charset=utf-8";
        answer(exchange, 200, type, registry.scrape(type));
    }

    private static void events(HttpExchange exchange, LongFunction<String> events) throws IOException {
        Long since = sinceNanos(exchange.getRequestURI().getQuery());
        if (since == null) {
            answer(exchange, 400, TEXT, "expected no query, or since=NANOS, a time of /clock\n");
            return;
        }
        answer(exchange, 200, "application/json", events.apply(since));
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

    private static void checkpoint(
            HttpExchange exchange, Function<@Nullable String, Answer> checkpoint, AtomicBoolean underWay)
            throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Allow", "POST");
            send(exchange, 405, TEXT, "POST saves a checkpoint, of all targets or of ?target=NAME\n");
            return;
        }
        String query = exchange.getRequestURI().getQuery();
        if (query != null && !query.startsWith("target=")) {
            send(exchange, 400, TEXT, "unknown query '" + query + "': expected none, or target=NAME\n");
            return;
        }
        // One at a time, so that the other thread stays free for health and metrics.
        if (!underWay.compareAndSet(false, true)) {
            send(exchange, 409, TEXT, "no checkpoint: one that was asked for is being saved; try again later\n");
            return;
        }
        Answer answer;
        try {
            answer = checkpoint.apply(query == null ? null : query.substring("target=".length()));
        } finally {
            underWay.set(false);
        }
        send(exchange, answer.status(), TEXT, answer.text() + "\n");
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        String method = exchange.getRequestMethod();
        if (method.equals("GET") || method.equals("HEAD")) {
            send(exchange, status, type, body);
            return;
        }
        try (exchange) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            exchange.sendResponseHeaders(405, -1);
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.sendResponseHeaders(status, -1);
                return;
            }
            exchange.sendResponseHeaders(status, bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        }
    }

    InetSocketAddress address() {
        return http.getAddress();
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdown();
    }
}
