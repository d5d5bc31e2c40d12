package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.TestServer;
import io.plog.protocol.security.TestCertificates;
import io.plog.protocol.security.Tls;
import io.plog.protocol.security.TlsFiles;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with TLS on all its ports, and clients that have what they need for it, or lack it. */
final class TlsTest {
    private static final Duration DAY = Duration.ofHours(20);
    private static final byte[] PAYLOAD = {1, 2, 3};

    private final TestCertificates root = TestCertificates.authority("root");

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private Path authority;
    private TlsFiles server;
    private TlsFiles client;
    private Path log;

    @BeforeEach
    void writeFiles() throws Exception {
        authority = root.writeAlone(directory.resolve("root.pem"));
        server = root.intermediate("middle").signs("server", DAY).writeTo(directory, authority);
        client = root.signs("client", DAY).writeTo(directory, authority);
        log = Files.createDirectory(directory.resolve("log"));
    }

    /** As options. */
    static List<String> options(TlsFiles files) {
        return List.of(
                "--tls-cert=" + files.certificate(), "--tls-key=" + files.key(), "--tls-ca=" + files.authority());
    }

    private TestServer mutual() throws Exception {
        return TestServer.start(
                directory, "--log a=%s,segment=4MiB --admin-port free --http-port free %s", log, options(server));
    }

    private TestServer oneSided() throws Exception {
        TlsFiles self = new TlsFiles(server.certificate(), server.key(), null);
        Path certificate = Objects.requireNonNull(self.certificate());
        Files.writeString(certificate, Files.readString(certificate) + root.pem());
        return TestServer.start(
                directory,
                "--log a=%s,segment=4MiB --admin-port 0 --tls-cert %s --tls-key %s",
                log,
                certificate,
                self.key());
    }

    private TestServer plain() throws Exception {
        return TestServer.start(directory, "--log a=%s,segment=4MiB --admin-port free --http-port free", log);
    }

    private LocalRun call(TestServer server, List<String> options) throws Exception {
        return call("localhost", server, options);
    }

    private LocalRun call(String host, TestServer server, List<String> options) throws Exception {
        Path payload = Files.write(directory.resolve("payload"), PAYLOAD);
        return LocalRun.of("call --json --server %s:%s %s %s", host, server.port, options, payload);
    }

    private static HttpResponse<String> get(int port, String path, @Nullable TlsFiles files) throws Exception {
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        if (files != null) {
            builder.sslContext(Tls.ofClient(files).context());
        }
        URI uri = URI.create((files == null ? "http" : "https") + "://localhost:" + port + path);
        return builder.build().send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void allPortsServeClientsWithACertificateAndRefuseThoseWithoutTls() throws Exception {
        try (TestServer running = mutual()) {
            assertThat(call(running, options(client)).exited(0).outText()).contains("\"index\":1");
            assertThat(get(running.httpPort, "/", client).body()).contains("https://");
            assertThat(get(running.adminPort, "/metrics", client).body()).contains("plog_tls_certificate_end_seconds");
            assertThat(running.process.errText()).contains("TLSv1.3 by the JDK on all ports, for clients with");
            withoutTlsATlsPortIsRefusedInASentenceOnBothSides(running);
            assertThat(running.stop()).isZero();
        }
        assertThat(LogContents.dump(log)).hasSize(1);
    }

    private void withoutTlsATlsPortIsRefusedInASentenceOnBothSides(TestServer running) throws Exception {
        assertThat(call(running, List.of()).exited(1).errText())
                .contains("refused the connection: this port takes TLS only: give the client --tls");
        HttpResponse<String> answer = get(running.httpPort, "/", null);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("takes TLS only");
        assertThat(get(running.adminPort, "/metrics", null).statusCode()).isEqualTo(400);
        running.process.awaitErr(line -> line.contains("to the port was ended: it speaks without TLS"));
    }

    @Test
    void aServerWithoutAuthorityAsksForNoCertificate() throws Exception {
        try (TestServer running = oneSided()) {
            call(running, List.of("--tls-ca=" + authority)).exited(0);
            assertThat(call(running, List.of("--tls")).exited(1).errText())
                    .contains("the certificate of localhost:" + running.port)
                    .contains("is of an authority that this side does not know: name it with --tls-ca FILE");
            call("[::1]", running, List.of("--deadline=2s", "--tls-ca=" + authority))
                    .exited(1);
        }
    }

    @Test
    void whoLacksACertificateOrHasOneOfSomebodyElseIsToldSo() throws Exception {
        TestCertificates others = TestCertificates.authority("others");
        try (TestServer running = mutual()) {
            assertThat(call(running, List.of("--tls-ca=" + authority)).exited(1).errText())
                    .contains("give --tls-cert and --tls-key");
            TlsFiles foreign = new TlsFiles(
                    others.signs("stranger", DAY).writeTo(directory, authority).certificate(),
                    directory.resolve("stranger.key"),
                    authority);
            Path certificate = Objects.requireNonNull(foreign.certificate());
            Files.writeString(certificate, Files.readString(certificate) + others.pem());
            assertThat(call(running, options(foreign)).exited(1).errText()).contains("give --tls-cert and --tls-key");
            running.process.awaitErr(line -> line.contains("to the port was ended: TLS failed ("));
        }
    }

    /** Also on io_uring, where a socket that is waited for stays open when it is closed. */
    @Test
    void aHandshakeThatFailsEndsTheConnection() throws Exception {
        byte[] messageOfUnknownType = {22, 3, 1, 0, 4, -1, 0, 0, 0};
        try (TestServer running = mutual()) {
            for (int port : List.of(running.port, running.httpPort, running.adminPort)) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    socket.setSoTimeout(30_000);
                    socket.getOutputStream().write(messageOfUnknownType);
                    assertThat(socket.getInputStream().readAllBytes())
                            .as("an alert, and the end")
                            .startsWith(21);
                }
            }
        }
    }

    @Test
    void withTlsAPlainPortIsRefusedInASentenceOnBothSides() throws Exception {
        try (TestServer running = plain()) {
            assertThat(call(running, options(client)).exited(1).errText())
                    .contains("has no TLS there: leave out --tls and --tls-ca");
            running.process.awaitErr(
                    line -> line.contains("to the port was ended: it speaks TLS, and the port does not"));
        }
    }

    @Test
    void renewedFilesAreForNewConnectionsAndOthersStay() throws Exception {
        try (TestServer running = mutual()) {
            HttpClient open = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(Tls.ofClient(client).context())
                    .build();
            HttpRequest ask = HttpRequest.newBuilder(URI.create("https://localhost:" + running.httpPort + "/"))
                    .build();
            HttpResponse<String> before = open.send(ask, HttpResponse.BodyHandlers.ofString());
            root.signs("server", DAY.plusHours(1)).writeTo(directory, authority);
            running.process.awaitErr(line -> line.contains("the certificate was renewed: new connections have"));
            HttpResponse<String> after = open.send(ask, HttpResponse.BodyHandlers.ofString());
            assertThat(after.statusCode()).isEqualTo(200);
            assertThat(after.sslSession().orElseThrow().getPeerCertificates())
                    .as("of the connection that was open")
                    .isEqualTo(before.sslSession().orElseThrow().getPeerCertificates());
            HttpResponse<String> fresh = get(running.httpPort, "/", client);
            assertThat(fresh.sslSession().orElseThrow().getPeerCertificates()[0])
                    .isNotEqualTo(before.sslSession().orElseThrow().getPeerCertificates()[0]);
            Path certificate = Objects.requireNonNull(server.certificate());
            Files.writeString(certificate, "no certificate");
            running.process.awaitErr(line -> line.contains("cannot be used; what was read earlier stays in use: "));
            Files.delete(certificate);
            running.process.awaitErr(line -> line.endsWith(certificate + ": no such file or directory"));
            call(running, options(client)).exited(0);
        }
    }

    @Test
    void aCertificateThatExpiresWhileTheServerRunsIsReported() throws Exception {
        int seconds = 6;
        while (!isSeenToExpireAfter(seconds)) {
            seconds *= 2; // on this machine it had ended before the server looked at it
        }
    }

    private boolean isSeenToExpireAfter(int seconds) throws Exception {
        server = root.signs("server", Duration.ofSeconds(seconds)).writeTo(directory, authority);
        try (TestServer running = mutual()) {
            running.process.awaitErr(line -> line.contains("the certificate expired at "));
            assertThat(call(running, options(client)).errText()).contains("is not valid now");
            return running.process.errText().contains("the certificate ends soon, at ");
        } catch (AssertionError notStarted) {
            if (!String.valueOf(notStarted.getMessage()).contains("expired at")) {
                throw notStarted;
            }
            return false;
        }
    }

    @Test
    void whatMeasuresConnectsWithTlsAndTheReportSaysSo() throws Exception {
        Path ledger = directory.resolve("run.ledger");
        try (TestServer running = mutual()) {
            Path results = directory.resolve("measured");
            LocalRun.of(
                            "measure --server localhost:%s --sizes 100,40k --iterations 20 --trials 1 --blocks 2 --warmup 5"
                                    + " --ledger %s --out %s %s",
                            running.port, ledger, results, options(client))
                    .exited(0, 5);
            JsonNode run =
                    new ObjectMapper().readTree(results.resolve("results.json").toFile());
            assertThat(run.at("/environment/server/tls").asText()).startsWith("TLSv1.3 by ");
            assertThat(Files.readString(results.resolve("plan.json"))).contains("\"tlsCa\" : \"" + authority);
            Path loaded = directory.resolve("loaded");
            LocalRun load = LocalRun.of(
                            "load --server localhost:%s --mode closed --connections 3 --requests 60 --warmup 0s --mix 70000"
                                    + " --ledger %s --out %s %s",
                            running.port, ledger, loaded, options(client))
                    .exited(0, 5);
            LocalRun refused = LocalRun.of(
                    "load --server localhost:%s --mode closed --requests 1 --out %s --tls",
                    running.port, directory.resolve("refused"));
            assertThat(refused.exited(1).onlyErrLine()).contains("name it with --tls-ca FILE");
            assertThat(running.stop()).isZero();
        }
        LocalRun.of("audit --ledger %s --log %s", ledger, log).exited(0);
    }

    @Test
    void filesThatCannotWorkAreRefusedAtTheStart() throws Exception {
        TlsFiles wrongKey = new TlsFiles(server.certificate(), client.key(), authority);
        LocalRun checked = LocalRun.of("server --check --log a=%s %s", log, options(wrongKey))
                .exited(1);
        assertThat(checked.errText()).contains("client.key is not the key of the certificate of CN=server");
        LocalRun started = LocalRun.of("server --port 0 --admin-port 0 --log a=%s %s", log, options(wrongKey))
                .exited(1);
        assertThat(started.errText()).contains("client.key is not the key of the certificate of CN=server");
        LocalRun.of("server --check --log a=%s --tls-cert %s", log, server.certificate())
                .exited(2);
        LocalRun.of("server --check --log a=%s --tls-ca %s", log, authority).exited(2);
    }
}
