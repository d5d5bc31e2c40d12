package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import io.plog.protocol.security.TestCertificates;
import io.plog.protocol.security.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code plog load} and {@code plog measure} against services that know nothing of plog. */
@Timeout(120)
final class HttpServiceTest {
    static {
        // Else a reply in two segments waits 40 ms for the client's delayed acknowledgement of its first.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final AtomicInteger answered = new AtomicInteger();
    private HttpServer service;

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create();
        serve();
    }

    private void serve() throws IOException {
        service.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(threads);
        service.createContext("/echo", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            seen.add(exchange.getRequestMethod() + " " + body.length + " "
                    + exchange.getRequestURI().getQuery());
            if (answered.incrementAndGet() % 100 == 0) {
                exchange.getResponseHeaders().set("Connection", "close");
            }
            // A length of 0 stands for chunks.
            exchange.sendResponseHeaders(200, answered.get() % 2 == 0 || body.length == 0 ? 0 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        service.createContext("/moved", exchange -> {
            exchange.getResponseHeaders().set("Location", "https://example.org/new");
            answer(exchange, 301, "");
        });
        service.createContext("/broken", exchange -> answer(exchange, 500, "the disk is full\n"));
        service.createContext("/busy", exchange -> {
            exchange.getRequestBody().readAllBytes();
            answer(exchange, answered.getAndIncrement() % 3 == 2 ? 503 : 200, "");
        });
        service.createContext("/starting", exchange -> {
            exchange.getRequestBody().readAllBytes();
            boolean first = answered.getAndIncrement() == 0;
            exchange.getResponseHeaders().set("Retry-After", "1");
            answer(exchange, first ? 503 : 200, "");
        });
        service.createContext("/limited", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Retry-After", "3600");
            answer(exchange, 429, "");
        });
        service.start();
    }

    /** Starts the service anew, with TLS and a certificate for a host; returns that of its authority. */
    private Path secure(String host) throws Exception {
        TestCertificates root = TestCertificates.authority("root");
        TlsFiles files = root.signs("service", host, Duration.ofHours(20)).writeTo(directory, null);
        JdkSslContext context = (JdkSslContext) SslContextBuilder.forServer(
                        Objects.requireNonNull(files.certificate()).toFile(),
                        Objects.requireNonNull(files.key()).toFile())
                .sslProvider(SslProvider.JDK)
                .build();
        service.stop(0);
        HttpsServer secured = HttpsServer.create();
        secured.setHttpsConfigurator(new HttpsConfigurator(context.context()));
        service = secured;
        serve();
        return root.writeAlone(directory.resolve("root.pem"));
    }

    @AfterEach
    void stop() {
        service.stop(0);
        threads.shutdownNow();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        exchange.sendResponseHeaders(status, body.isEmpty() ? -1 : body.length());
        exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
        exchange.close();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + service.getAddress().getPort() + path;
    }

    private String secureUrl() {
        return url("/echo").replace("http:", "https:");
    }

    private JsonNode run(String line, Object... values) throws Exception {
        Path results = directory.resolve("results");
        LocalRun plog = LocalRun.of(line + " --out " + results, values);
        plog.exited(0, 5);
        assertThat(results.resolve("report.html")).isNotEmptyFile();
        return new ObjectMapper().readTree(results.resolve("results.json").toFile());
    }

    private static void assertThatNothingIsSaidOfTheServer(JsonNode results) {
        assertThat(results.at("/environment/server").fieldNames()).toIterable().containsExactly("events");
        for (JsonNode cell : results.path("cells")) {
            assertThat(cell.path("force").asText()).isEqualTo("unknown");
            assertThat(cell.path("endToEndMicros").path("mean").asDouble()).isPositive();
            for (String field : new String[] {"logMicros", "writeMicros", "forceMicros", "components"}) {
                assertThat(cell.path(field).isNull()).as(field).isTrue();
            }
            for (JsonNode slow : cell.path("slowest")) {
                assertThat(slow.path("forceMicros").isNull()).isTrue();
                assertThat(slow.path("parts")).isEmpty();
            }
        }
    }

    @Test
    @Tag("slow")
    void measuresAServiceThatChunksItsRepliesAndClosesConnections() throws Exception {
        JsonNode results =
                run("measure --server %s -n 300 --trials 1 --warmup 50 --sizes 0,100,20k -c 2", url("/echo?a=b"));

        assertThat(results.at("/plan/server").asText()).isEqualTo(url("/echo?a=b"));
        assertThat(results.path("cells")).hasSize(3);
        results.path("cells")
                .forEach(cell -> assertThat(cell.path("count").asInt()).isEqualTo(300));
        assertThatNothingIsSaidOfTheServer(results);
        assertThat(seen).containsExactlyInAnyOrder("GET 0 a=b", "POST 100 a=b", "POST 20000 a=b");
    }

    @Test
    void loadsAServiceAtIntendedTimes() throws Exception {
        JsonNode results = run(
                "load --mode open --rate 200 -c 3 --warmup 200ms -d 2s --mix 0=1,10=1,20k=1 --server %s", url("/echo"));

        JsonNode load = results.at("/load/0");
        assertThat(load.path("offeredPerSecond").asDouble()).isBetween(190.0, 210.0);
        assertThat(load.path("accepted").asInt()).isEqualTo(load.path("sent").asInt());
        assertThat(load.path("connectionsMade").asInt()).isGreaterThan(3);
        assertThat(load.path("connectionsLost").asInt()).isZero();
        assertThatNothingIsSaidOfTheServer(results);
        assertThat(seen).containsExactlyInAnyOrder("GET 0 null", "POST 10 null", "POST 20000 null");
    }

    @Test
    void countsWhatAServiceRefuses() throws Exception {
        JsonNode results = run("load --mode closed -n 300 --warmup 0s --server %s", url("/busy"));

        assertThat(results.at("/load/0/accepted").asInt()).isBetween(150, 200);
        assertThat(results.at("/load/0/errors/OVERLOADED").asInt()).isBetween(100, 150);
    }

    @Test
    void asksAServiceThatHasNoTimeAgainWhenItWantsToBeAsked() throws Exception {
        JsonNode results = run("load --mode closed -n 30 --warmup 0s --server %s", url("/starting"));

        assertThat(results.at("/load/0/accepted").asInt()).isEqualTo(30);
        LocalRun limited = LocalRun.of(
                "load --mode closed -n 30 --warmup 0s --overwrite --out %s --server %s",
                directory.resolve("results"), url("/limited"));
        assertThat(limited.exited(1).onlyErrLine())
                .contains("answers a POST of 100 bytes with 429, and wants the next request in 3600 s: try again then");
    }

    @Test
    void loadsAndMeasuresAServiceWithTls() throws Exception {
        String authority = " --tls-ca " + secure("localhost");
        String url = secureUrl();

        JsonNode load = run("load --mode closed -n 60 -c 2 --warmup 0s --mix 0=1,20k=1 --server " + url + authority);
        assertThat(load.at("/plan/server").asText()).isEqualTo(url);
        assertThat(load.at("/load/0/accepted").asInt()).isEqualTo(60);
        assertThatNothingIsSaidOfTheServer(load);
        JsonNode measured = run("measure -n 20 --trials 1 --warmup 5 --sizes 100 --overwrite --server "
                + url.replace("127.0.0.1", "localhost") + authority);
        assertThat(measured.at("/cells/0/count").asInt()).isEqualTo(20);
        assertThat(seen).containsExactlyInAnyOrder("GET 0 null", "POST 20000 null", "POST 100 null");
    }

    @Test
    void trustsTheAuthoritiesOfTheJvmWithoutAnOption() throws Exception {
        Path authority = secure("localhost");
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (var pem = Files.newInputStream(authority)) {
            trusted.setCertificateEntry("root", (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        Path store = directory.resolve("trust.p12");
        try (var out = Files.newOutputStream(store)) {
            trusted.store(out, "secret".toCharArray());
        }
        Map<String, String> settings = Map.of(
                "JAVA_TOOL_OPTIONS",
                "-Djavax.net.ssl.trustStore=" + store + " -Djavax.net.ssl.trustStorePassword=secret");
        try (Plog load = Plog.start(
                settings,
                "load --mode closed -n 50 --warmup 0s --server %s --out %s",
                secureUrl(),
                directory.resolve("results"))) {
            load.exited(0, 5);
        }
    }

    @Test
    void refusesTheCertificateOfAnotherNameOrAuthority() throws Exception {
        String authority = " --tls-ca " + secure("other.example.org");
        for (String command : new String[] {"load --mode closed", "measure"}) {
            String line = command + " --out " + directory + "/results --server ";
            String url = secureUrl();
            assertRefused("is of an authority that this side does not know: name it with --tls-ca FILE", line + url);
            assertRefused("is not for this name (", line + url + authority);
            assertRefused("write https://", line + url("/echo") + authority);
        }
        assertThat(seen).isEmpty();
    }

    private void assertRefused(String sentence, String line, Object... values) {
        LocalRun run = LocalRun.of(line, values).exited(1, 2);
        assertThat(run.errText()).contains(sentence).hasLineCount(1);
    }

    @Test
    void saysWhyAUrlCannotBeMeasured() {
        String load = "load --mode closed --out " + directory + "/results --server ";
        assertRefused(
                "answers a POST of 100 bytes with 301 Moved Permanently, a redirection to https://example.org/new",
                load + url("/moved"));
        assertRefused(
                "answers a POST of 100 bytes with 500 Internal Server Error: the disk is full", load + url("/broken"));
        assertRefused("answers a POST of 100 bytes with 404 Not Found", load + url("/nothing"));
        assertRefused("answers a GET with 404 Not Found", load + url("/nothing") + " --mix 0");
        assertRefused("its scheme is ftp", load + "ftp://127.0.0.1/");
        assertRefused("it has a user", load + "http://me@127.0.0.1/");
        assertRefused("Connection refused", load + "http://127.0.0.1:1/");
        assertRefused(
                "while TLS began; check that a server is up on that port and takes TLS",
                load + "https://127.0.0.1:%s/",
                port(HttpServiceTest::hangUp));
        assertRefused("has no TLS there", load + "https://127.0.0.1:%s/", port(HttpServiceTest::speakMail));
        assertRefused("write https://", load + url("/echo") + " --tls");
        assertRefused("has none", load + url("/echo") + " --target a");
        assertRefused("one request at a time", load + url("/echo") + " --outstanding 2");
        assertRefused("expected a reply in HTTP", load + "http://127.0.0.1:%s/", port(HttpServiceTest::speakMail));
        String measure = "measure --out " + directory + "/results --server ";
        assertRefused("answers a POST of 100 bytes with 500 Internal Server Error", measure + url("/broken"));
        assertRefused("no reply over HTTP says", measure + url("/echo") + " --ledger " + directory + "/ledger");
        assertRefused("the server has no target 'a'", measure + url("/echo") + " --targets a");
    }

    private interface Conversation {
        void on(Socket accepted) throws IOException;
    }

    private static void speakMail(Socket accepted) throws IOException {
        accepted.getOutputStream().write("220 mail ready\r\n".getBytes(StandardCharsets.US_ASCII));
        accepted.getInputStream().readAllBytes();
    }

    /** As soon as the client has said something. */
    private static void hangUp(Socket accepted) throws IOException {
        accepted.getInputStream().read();
        accepted.setSoLinger(true, 0); // a reset, where others would close in order
    }

    /** A port where somebody does not speak HTTP. */
    private int port(Conversation conversation) {
        try {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            threads.execute(() -> {
                try (socket;
                        Socket accepted = socket.accept()) {
                    conversation.on(accepted);
                } catch (IOException e) {
                    // The client is gone.
                }
            });
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
