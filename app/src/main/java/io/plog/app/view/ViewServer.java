package io.plog.app.view;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.plog.app.cli.JsonText;
import io.plog.measure.HostPort;
import io.plog.page.Page;
import io.plog.page.PageData;
import io.plog.results.compare.NotComparableException;
import io.plog.server.http.CallerCheck;
import io.plog.server.http.HttpException;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Serves the pages of the runs below a directory on loopback, and changes nothing. Pages of others may not ask. */
final class ViewServer implements Closeable {
    static {
        // In seconds; without them a thread waits for the rest of a request, and for a reader, for ever.
        System.setProperty("sun.net.httpserver.maxReqTime", "5");
        System.setProperty("sun.net.httpserver.maxRspTime", "300");
    }

    private static final int THREADS = 64;
    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline';"
            + " img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final RunList runs;
    private final RunPages pages = new RunPages();
    private final CallerCheck callers;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /**
     * What is shown at an address.
     *
     * @param view about the page's place among the others; each page has {@code version}, which changes whenever it does, and
     *     {@code own}, where to ask for its data again, empty if they do not change
     */
    private record Shown(int status, PageData page, Map<String, Object> view) {}

    /**
     * Starts it.
     *
     * @param directory absolute
     * @param port 0 for a free one
     * @throws java.net.BindException if the port is taken
     */
    ViewServer(Path directory, int port) throws IOException {
        runs = new RunList(directory);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        callers = new CallerCheck(loopback.getHostAddress(), List.of());
        server = HttpServer.create(new InetSocketAddress(loopback, port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Where it listens, for a browser. */
    String address() {
        InetSocketAddress bound = server.getAddress();
        return "http://" + new HostPort(bound.getAddress().getHostAddress(), bound.getPort()) + "/";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Headers asked = exchange.getRequestHeaders();
        try {
            callers.check(asked.getFirst("Host"), asked.getFirst("Origin"), asked.getFirst("Sec-Fetch-Site"));
        } catch (HttpException e) {
            String sentence = "plog view answers its own pages, and no others: open " + address() + "\n";
            send(exchange, e.status().code(), "text/plain", sentence);
            return;
        }
        if (!exchange.getRequestMethod().equals("GET")) {
            send(exchange, 405, "text/plain", "a page can be fetched with GET, and nothing else\n");
            return;
        }
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        Shown shown = shown(String.valueOf(exchange.getRequestURI().getPath()), query);
        PageData page = shown.page.with("view", shown.view);
        switch (query.getOrDefault("as", "")) {
            case "data" -> send(exchange, shown.status, "text/plain", Page.packed(page));
            case "state" -> send(exchange, shown.status, "application/json", JsonText.line(shown.view));
            default -> send(exchange, shown.status, "text/html", Page.served(page));
        }
    }

    private Shown shown(String path, Map<String, String> query) {
        Map<String, ViewedRun> found = runs.find();
        ViewedRun itself = found.get(RunList.ITSELF);
        try {
            return switch (path) {
                case "/" -> itself == null ? list() : run(itself);
                case "/run" -> run(named(query.get("name"), found));
                case "/compare" ->
                    comparison(named(query.get("a"), found), named(query.get("b"), found), query.containsKey("anyway"));
                default -> throw new FileNotFoundException("there is no page here");
            };
        } catch (FileNotFoundException e) {
            return note(404, e, Map.of());
        } catch (IOException | RuntimeException e) {
            // Whatever is wrong with one run must not hide the others.
            return note(500, e, Map.of());
        }
    }

    private static ViewedRun named(@Nullable String name, Map<String, ViewedRun> found) throws FileNotFoundException {
        ViewedRun run = found.get(name == null ? "" : name);
        if (run == null) {
            throw new FileNotFoundException("there is no run '" + name + "' here");
        }
        return run;
    }

    private Shown list() {
        List<ViewedRun.Line> lines = runs.all();
        String note = lines.isEmpty() ? "There is no run yet; it appears here when it begins." : "";
        return new Shown(200, page(lines, note), view(Integer.toHexString(lines.hashCode()), "/?", Map.of()));
    }

    private Shown run(ViewedRun run) throws IOException {
        ViewedRun.Line line = runs.line(run);
        Map<String, Object> about = Map.of("run", line);
        String own = "/run?name=" + URLEncoder.encode(run.name(), StandardCharsets.UTF_8) + "&";
        try {
            RunPages.Made made = pages.of(run, line.isGrowing());
            if (!line.isGrowing() || !made.page().tables().isEmpty()) {
                return new Shown(200, made.page(), view(made.version(), own, about));
            }
        } catch (IOException e) {
            if (!line.isGrowing()) {
                throw e;
            }
            // Its file is not there yet, or only begun.
        }
        String note =
                "There are no figures yet. Those of a run grow with each block, those of a load from its first seconds"
                        + " on, those of a study with its cells; those of a disk come at the end.";
        return new Shown(200, page(List.of(), note), view("none", own, about));
    }

    private Shown comparison(ViewedRun a, ViewedRun b, boolean anyway) throws IOException {
        Map<String, Object> about = Map.of("a", runs.line(a), "b", runs.line(b));
        try {
            RunPages.Made made = pages.comparison(a, b, anyway);
            return new Shown(200, made.page(), view(made.version(), "", about));
        } catch (NotComparableException e) {
            return note(200, e, about);
        }
    }

    /** A page that says what is wrong. */
    private Shown note(int status, Exception wrong, Map<String, Object> about) {
        return new Shown(status, page(List.of(), String.valueOf(wrong.getMessage())), view("", "", about));
    }

    private PageData page(List<ViewedRun.Line> lines, String note) {
        String root = runs.root().toString();
        Map<String, Object> documents = Map.of("subtitle", root, "lines", lines, "note", note);
        return new PageData("list", "plog view " + root, "", documents, List.of(), List.of());
    }

    private static Map<String, Object> view(String version, String own, Map<String, Object> about) {
        Map<String, Object> view = new LinkedHashMap<>(about);
        view.put("version", version);
        view.put("own", own);
        return view;
    }

    /** The fields of a query; of one that is malformed those before. */
    private static Map<String, String> query(@Nullable String raw) {
        Map<String, String> fields = new HashMap<>();
        try {
            for (String field : raw == null ? new String[0] : raw.split("&", -1)) {
                String[] parts = field.split("=", 2);
                fields.put(parts[0], parts.length == 1 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            }
        } catch (IllegalArgumentException malformed) {
            // A name that was cut names no run.
        }
        return fields;
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Type", type + "; charset=utf-8");
            headers.set("Content-Security-Policy", POLICY);
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
            headers.set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
