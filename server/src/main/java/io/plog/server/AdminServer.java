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
import java.util.function.Supplier;

/**
 * Metrics and health over HTTP, on a port of its own and a thread of its own, so that a slow scraper disturbs no request.
 * The JDK's server does, and brings no dependency.
 */
final class AdminServer implements AutoCloseable {
    private static final String TEXT = "text/plain; charset=utf-8";

    /** Whether something is as it should be, and a sentence about it. */
    record Health(boolean good, String sentence) {}

    private final HttpServer http;
    private final ExecutorService thread;

    private AdminServer(HttpServer http, ExecutorService thread) {
        this.http = http;
        this.thread = thread;
    }

    /**
     * Starts to serve.
     *
     * @param ready asked for each request to {@code /health/ready}
     * @throws ServerStartException if the port cannot be listened on
     */
    static AdminServer start(String bind, int port, PrometheusMeterRegistry registry, Supplier<Health> ready)
            throws ServerStartException {
        HttpServer http;
        try {
            http = HttpServer.create(Listening.address(bind, port), 16);
        } catch (IOException e) {
            throw Listening.failed("admin port", bind, port, "--admin-port", e);
        }
        ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
            Thread made = new Thread(work, "plog-admin");
            made.setDaemon(true);
            return made;
        });
        http.setExecutor(thread);
        http.createContext("/", exchange -> {
            switch (exchange.getRequestURI().getPath()) {
                case "/metrics" -> metrics(exchange, registry);
                case "/health/live" -> answer(exchange, 200, TEXT, "live\n");
                case "/health/ready" -> {
                    Health health = ready.get();
                    answer(exchange, health.good() ? 200 : 503, TEXT, health.sentence() + "\n");
                }
                default -> answer(exchange, 404, TEXT, "here are /metrics, /health/live and /health/ready\n");
            }
        });
        http.start();
        return new AdminServer(http, thread);
    }

    private static void metrics(HttpExchange exchange, PrometheusMeterRegistry registry) throws IOException {
        String accept = exchange.getRequestHeaders().getFirst("Accept");
        String type = accept != null && accept.contains("application/openmetrics-text")
                ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                : "text/plain; version=0.0.4; charset=utf-8";
        answer(exchange, 200, type, registry.scrape(type));
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            if (method.equals("HEAD")) {
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
        thread.shutdown();
    }
}
