package io.plog.app.view;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.channel.Channel;
import io.plog.app.cli.JsonText;
import io.plog.measure.HostPort;
import io.plog.page.Page;
import io.plog.page.PageData;
import io.plog.page.RunPage;
import io.plog.results.compare.NotComparableException;
import io.plog.server.http.CallerCheck;
import io.plog.server.http.HttpException;
import io.plog.server.http.HttpExchange;
import io.plog.server.http.HttpHead;
import io.plog.server.http.HttpServer;
import io.plog.server.http.HttpStatus;
import io.plog.server.http.HttpWorker;
import io.plog.server.monitoring.ServerMeters;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.net.AcceptGuard;
import io.plog.server.net.TransportSecurity;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Serves the pages of the runs below a directory on loopback, and changes nothing. Pages of others may not ask. */
final class ViewServer implements Closeable {
    private static final int MOST_AT_ONCE = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String HTML = "text/html; charset=utf-8";
    private static final String FIELDS = """
            Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline';\
             img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            X-Content-Type-Options: nosniff
            Cross-Origin-Resource-Policy: same-origin
            Cache-Control: no-store
            """.replace("\n", "\r\n");

    private final RunList runs;
    private final RunPages pages = new RunPages();
    private final HttpServer server;

    /**
     * What is shown at an address.
     *
     * @param view about the page's place among the others; each page has {@code version}, which changes whenever it does, and
     *     {@code own}, where to ask for its data again, empty if they do not change
     */
    private record Shown(HttpStatus status, PageData page, Map<String, Object> view) {}

    /**
     * Starts it.
     *
     * @param directory absolute
     * @param port 0 for a free one
     * @throws io.plog.server.options.ServerStartException if the port is taken
     */
    ViewServer(Path directory, int port) throws IOException {
        runs = new RunList(directory);
        String loopback = InetAddress.getLoopbackAddress().getHostAddress();
        ServerMeters meters = new ServerMeters(new CompositeMeterRegistry());
        ServerNotices notices = ServerNotices.standardError();
        server = HttpServer.start(
                loopback,
                port,
                "address",
                "--port",
                PATIENCE,
                new AcceptGuard("address", meters, notices, System::nanoTime),
                new TransportSecurity(null, meters, notices, System::nanoTime),
                new Router(new CallerCheck(loopback, List.of(), false)));
    }

    /** Where it listens, for a browser. */
    String address() {
        InetSocketAddress bound = server.address();
        return "http://" + new HostPort(bound.getAddress().getHostAddress(), bound.getPort()) + "/";
    }

    @Override
    public void close() {
        server.close();
    }

    private final class Router implements HttpServer.Router {
        private final CallerCheck callers;
        private final HttpWorker worker = new HttpWorker("plog-view", MOST_AT_ONCE, MOST_AT_ONCE);

        Router(CallerCheck callers) {
            this.callers = callers;
        }

        @Override
        public HttpServer.@Nullable Work route(Channel connection, HttpHead head, HttpExchange exchange) {
            exchange.fields = FIELDS;
            try {
                callers.check(head);
            } catch (HttpException e) {
                exchange.say(
                        e.status(), "plog view answers its own pages, and no others: open the address that it said");
                return null;
            }
            if (!head.method().equals("GET")) {
                exchange.allow = "GET";
                exchange.say(HttpStatus.METHOD_NOT_ALLOWED, "a page can be fetched with GET, and nothing else");
                return null;
            }
            String[] asked = head.path().split("\\?", 2);
            return new HttpServer.Work(worker, () -> answer(asked[0], query(asked.length == 1 ? "" : asked[1])));
        }

        @Override
        public void close() {
            worker.close();
        }
    }

    private HttpServer.Answer answer(String path, Map<String, String> query) {
        Shown shown = shown(path, query);
        PageData page = shown.page.with("view", shown.view);
        return switch (query.getOrDefault("as", "")) {
            case "data" -> new HttpServer.Answer(shown.status, HttpExchange.TEXT, Page.packed(page));
            case "state" -> new HttpServer.Answer(shown.status, HttpExchange.JSON, JsonText.line(shown.view));
            default -> new HttpServer.Answer(shown.status, HTML, Page.served(page));
        };
    }

    private Shown shown(String path, Map<String, String> query) {
        Map<String, ViewedRun> found = runs.find();
        ViewedRun itself = found.get(RunList.ITSELF);
        try {
            return switch (path) {
                case "/" -> itself == null ? list(runs.lines(found.values())) : run(itself);
                case "/trend" -> trend(query.getOrDefault("of", ""), runs.lines(found.values()));
                case "/run" -> run(named(query.get("name"), found));
                case "/compare" ->
                    comparison(named(query.get("a"), found), named(query.get("b"), found), query.containsKey("anyway"));
                default -> throw new FileNotFoundException("there is no page here");
            };
        } catch (FileNotFoundException e) {
            return note(HttpStatus.NOT_FOUND, e, Map.of());
        } catch (IOException | RuntimeException e) {
            // Whatever is wrong with one run must not hide the others.
            return note(HttpStatus.INTERNAL_SERVER_ERROR, e, Map.of());
        }
    }

    private static ViewedRun named(@Nullable String name, Map<String, ViewedRun> found) throws FileNotFoundException {
        ViewedRun run = found.get(name == null ? "" : name);
        if (run == null) {
            throw new FileNotFoundException("there is no run '" + name + "' here");
        }
        return run;
    }

    private Shown list(List<ViewedRun.Line> lines) {
        String note = lines.isEmpty() ? "There is no run yet; it appears here when it begins." : "";
        return new Shown(
                HttpStatus.OK,
                page(lines, note).with("trends", RunList.trends(lines)),
                view(Integer.toHexString(lines.hashCode()), "/?", Map.of()));
    }

    private static Shown trend(String of, List<ViewedRun.Line> lines) throws FileNotFoundException {
        return new Shown(HttpStatus.OK, RunPage.of(RunList.trend(of, lines)), view("", "", Map.of()));
    }

    private Shown run(ViewedRun run) throws IOException {
        ViewedRun.Line line = runs.line(run);
        Map<String, Object> about = Map.of("run", line);
        String own = "/run?name=" + URLEncoder.encode(run.name(), StandardCharsets.UTF_8) + "&";
        try {
            RunPages.Made made = pages.of(run, line.isGrowing());
            if (!line.isGrowing() || !made.page().tables().isEmpty()) {
                return new Shown(HttpStatus.OK, made.page(), view(made.version(), own, about));
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
        return new Shown(HttpStatus.OK, page(List.of(), note), view("none", own, about));
    }

    private Shown comparison(ViewedRun a, ViewedRun b, boolean anyway) throws IOException {
        Map<String, Object> about = Map.of("a", runs.line(a), "b", runs.line(b));
        try {
            RunPages.Made made = pages.comparison(a, b, anyway);
            return new Shown(HttpStatus.OK, made.page(), view(made.version(), "", about));
        } catch (NotComparableException e) {
            return note(HttpStatus.OK, e, about);
        }
    }

    /** A page that says what is wrong. */
    private Shown note(HttpStatus status, Exception wrong, Map<String, Object> about) {
        return new Shown(status, page(List.of(), String.valueOf(wrong.getMessage())), view("", "", about));
    }

    private PageData page(List<ViewedRun.Line> lines, String note) {
        String root = runs.root().toString();
        Map<String, Object> documents = Map.of("subtitle", root, "lines", lines, "trends", List.of(), "note", note);
        return new PageData("list", "plog view " + root, "", documents, List.of(), List.of());
    }

    private static Map<String, Object> view(String version, String own, Map<String, Object> about) {
        Map<String, Object> view = new LinkedHashMap<>(about);
        view.put("version", version);
        view.put("own", own);
        return view;
    }

    /** The fields of a query; of one that is malformed those before. */
    private static Map<String, String> query(String raw) {
        Map<String, String> fields = new HashMap<>();
        try {
            for (String field : raw.split("&", -1)) {
                String[] parts = field.split("=", 2);
                fields.put(parts[0], parts.length == 1 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            }
        } catch (IllegalArgumentException malformed) {
            // A name that was cut names no run.
        }
        return fields;
    }
}
