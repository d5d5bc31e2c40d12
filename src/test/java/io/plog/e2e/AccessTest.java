package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.client.ClientOptions;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.TestServer;
import io.plog.measure.MeasuringConnection;
import io.plog.protocol.Welcome;
import io.plog.protocol.security.TestCertificates;
import io.plog.protocol.security.TlsFiles;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that asks who may do what: each right, allowed and refused, on each port. */
final class AccessTest {
    private static final String WRITER = "writer-writer-writer";
    private static final String READER = "reader-reader-reader";
    private static final String ADMIN = "admin-admin-admin-admin";

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private Path access;
    private Path a;
    private Path b;

    @BeforeEach
    void writeFiles() throws Exception {
        access = secret(
                "access",
                "# who may do what",
                "append:a token " + sha256(WRITER),
                "read token " + sha256(READER),
                "admin token " + sha256(ADMIN));
        a = Files.createDirectory(directory.resolve("a"));
        b = Files.createDirectory(directory.resolve("b"));
    }

    private Path secret(String name, String... lines) throws Exception {
        Path file = Files.writeString(directory.resolve(name), String.join("\n", lines) + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    }

    private static String sha256(String token) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    }

    private TestServer start(List<String> more) throws Exception {
        return TestServer.start(
                directory,
                "--log a=%s,segment=4MiB --log b=%s,segment=4MiB --admin-port free --http-port free --access %s %s",
                a,
                b,
                access,
                more);
    }

    private LocalRun call(TestServer server, String target, String token) throws Exception {
        return call(server, target, List.of("--token-file", secret("token", token)));
    }

    private LocalRun call(TestServer server, String target, List<?> options) throws Exception {
        Path payload = Files.write(directory.resolve("payload"), new byte[] {1});
        return LocalRun.of(
                "call --json --server localhost:%s --target %s %s %s", server.port, target, options, payload);
    }

    private static void answers(int status, int port, String request, String... authorization) throws Exception {
        assertThat(ask(port, request, authorization).statusCode())
                .as("%s %s", request, List.of(authorization))
                .isEqualTo(status);
    }

    private static HttpResponse<String> ask(int port, String line, String... authorization) throws Exception {
        String[] words = line.split(" ");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + words[1]))
                .method(words[0], HttpRequest.BodyPublishers.ofString(words[0].equals("POST") ? "x" : ""));
        for (String credentials : authorization) {
            request.header("Authorization", credentials.contains(" ") ? credentials : "Bearer " + credentials);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aTokenHasItsRightsOnEachPortAndNoOthers() throws Exception {
        try (TestServer server = start(List.of())) {
            aTokenHasItsRightsOnTheBinaryPort(server);
            aTokenHasItsRightsOverHttp(server);
            assertThat(server.stop()).isZero();
        }
        assertThat(LogContents.dump(a)).as("one of each port").hasSize(2);
        assertThat(LogContents.dump(b)).isEmpty();
    }

    private void aTokenHasItsRightsOnTheBinaryPort(TestServer server) throws Exception {
        call(server, "a", WRITER).exited(0);
        assertThat(call(server, "b", WRITER).exited(2).errText()).contains("the server has no target 'b'; it has a");
        assertThat(welcome(server, WRITER)).as("what a writer needs").satisfies(said -> {
            assertThat(said.facts()).isEmpty();
            assertThat(said.targets()).singleElement().satisfies(target -> {
                assertThat(target.name()).isEqualTo("a");
                assertThat(target.facts()).containsOnlyKeys("service", "window");
            });
        });
        assertThat(welcome(server, READER)).as("what describes the server").satisfies(said -> {
            assertThat(said.facts()).containsKeys("jvm", "design");
            assertThat(said.targets()).hasSize(2);
        });
        assertThat(call(server, "a", READER).exited(1).errText()).contains("may not append to target a");
        assertThat(call(server, "a", "stranger-stranger").exited(1).errText())
                .contains("refused the connection: ")
                .contains("knows neither token");
        assertThat(call(server, "a", List.of()).exited(1).errText()).contains("give --token-file FILE");
    }

    private Welcome welcome(TestServer server, String token) throws Exception {
        ClientOptions options = ClientOptions.defaults().withToken(token);
        try (MeasuringConnection connection = MeasuringConnection.connect("127.0.0.1", server.port, options)) {
            return connection.welcome();
        }
    }

    private static void aTokenHasItsRightsOverHttp(TestServer server) throws Exception {
        int http = server.httpPort;
        answers(401, http, "POST /log/a");
        HttpResponse<String> stranger = ask(http, "POST /log/a", "stranger-stranger");
        assertThat(stranger.statusCode()).isEqualTo(401);
        assertThat(stranger.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        answers(401, http, "POST /log/a", "Basic " + WRITER);
        answers(200, http, "POST /log/a", WRITER);
        answers(403, http, "POST /log/b", WRITER);
        answers(403, http, "POST /log/c", WRITER);
        answers(403, http, "POST /read/a", WRITER);
        answers(403, http, "POST /log/a", READER);
        answers(200, http, "POST /read/a", READER);
        answers(401, http, "GET /");
        answers(200, http, "GET /", READER);
        answers(403, http, "GET /", WRITER);
        int admin = server.adminPort;
        answers(200, admin, "GET /health/ready");
        answers(401, admin, "GET /metrics");
        answers(403, admin, "GET /metrics", READER);
        answers(200, admin, "GET /metrics", ADMIN);
        answers(403, admin, "POST /checkpoint", WRITER);
    }

    @Test
    void aTokenThatANetworkCanReadIsWarnedOf() throws Exception {
        Path token = secret("token", WRITER);
        Path payload = Files.write(directory.resolve("payload"), new byte[] {1});
        String line = "call --deadline 100ms --token-file %s --server %s:1 %s";
        assertThat(LocalRun.of(line, token, "0.0.0.0", payload).exited(1).errText())
                .contains("warning: the token goes to 0.0.0.0:1 without TLS, and the network can read it");
        assertThat(LocalRun.of(line, token, "127.0.0.1", payload).exited(1).errText())
                .doesNotContain("warning");
        assertThat(LocalRun.of(line + " --tls", token, "0.0.0.0", payload)
                        .exited(1)
                        .errText())
                .doesNotContain("warning");
    }

    @Test
    void rightsThatAreTakenAwayAreGoneForNewConnections() throws Exception {
        try (TestServer server = start(List.of())) {
            answers(200, server.httpPort, "POST /log/a", WRITER);
            secret("access", "append:b token " + sha256(WRITER));
            server.process.awaitErr(line -> line.contains("the file of --access was read again"));
            answers(403, server.httpPort, "POST /log/a", WRITER);
            call(server, "b", WRITER).exited(0);
            secret("access", "append:c token " + sha256(WRITER));
            server.process.awaitErr(line -> line.contains("there is no target 'c'"));
            answers(200, server.httpPort, "POST /log/b", WRITER);
        }
    }

    @Test
    void aCertificateHasTheRightsOfItsName() throws Exception {
        TestCertificates root = TestCertificates.authority("root");
        Path authority = root.writeAlone(directory.resolve("root.pem"));
        TlsFiles own = root.signs("server", Duration.ofHours(9)).writeTo(directory, authority);
        TlsFiles ops = root.signs("ops", Duration.ofHours(9)).writeTo(directory, authority);
        TlsFiles other = root.signs("other", Duration.ofHours(9)).writeTo(directory, authority);
        secret("access", "append:*,read subject CN=ops");
        try (TestServer server = start(TlsTest.options(own))) {
            call(server, "b", TlsTest.options(ops)).exited(0);
            assertThat(call(server, "b", TlsTest.options(other)).exited(1).errText())
                    .contains("knows neither token nor certificate");
        }
    }

    @Test
    void beyondLoopbackNeedsTlsAndRightsOrAWordForIt() throws Exception {
        String line = "server --check --log a=%s --bind 0.0.0.0 ";
        LocalRun open = LocalRun.of(line, a).exited(2);
        assertThat(open.onlyErrLine())
                .contains("0.0.0.0 is not loopback, and the server has no TLS")
                .contains("--insecure");
        LocalRun.of("server --check --log a=%s --admin-bind 0.0.0.0", a).exited(2);
        LocalRun meant = LocalRun.of(line + "--insecure", a).exited(0);
        assertThat(meant.errText()).contains("warning: 0.0.0.0 is not loopback");
        Path authority = directory.resolve("root.pem");
        TestCertificates root = TestCertificates.authority("root");
        TlsFiles own = root.signs("server", Duration.ofHours(9)).writeTo(directory, root.writeAlone(authority));
        assertThat(LocalRun.of(line + "%s", a, TlsTest.options(own)).exitCode()).isZero();
        LocalRun.of(line + "--tls-cert %s --tls-key %s", a, own.certificate(), own.key())
                .exited(2);
    }

    private void isRefused(String sentence) {
        LocalRun check =
                LocalRun.of("server --check --log a=%s --access %s", a, access).exited(1);
        assertThat(check.onlyErrLine()).contains(sentence);
    }

    @Test
    void filesThatAreOpenOrWrongAreRefused() throws Exception {
        isRefusedAfter("append:b token " + sha256(WRITER), "line 1: there is no target 'b': expected one of a");
        isRefusedAfter("write token " + sha256(WRITER), "line 1: unknown right");
        isRefusedAfter("read token abc", "line 1: expected RIGHTS token SHA-256");
        isRefusedAfter("read subject ops", "line 1: a subject that is no name");
        isRefusedAfter("# nothing", "gives nobody a right");
        secret("access", "read token " + sha256(READER));
        Files.setPosixFilePermissions(access, PosixFilePermissions.fromString("rw-r--r--"));
        isRefused("is open to everybody on this machine");

        Path token = secret("two", WRITER, READER);
        LocalRun two = LocalRun.of(
                        "load --mode closed --requests 1 --server 127.0.0.1:1 --target a --token-file %s", token)
                .exited(1);
        assertThat(two.onlyErrLine())
                .contains("has 2 lines: expected one, the token")
                .doesNotContain(WRITER);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-rw-rw-"));
        LocalRun open =
                LocalRun.of("load --mode closed --requests 1 --server 127.0.0.1:1 --target a --token-file %s", token);
        assertThat(open.onlyErrLine()).contains("is open to everybody on this machine");
        LocalRun shortOne = LocalRun.of(
                "load --mode closed --requests 1 --server 127.0.0.1:1 --target a --token-file %s",
                secret("short", "short"));
        assertThat(shortOne.onlyErrLine()).contains("holds no token");
    }

    private void isRefusedAfter(String line, String sentence) throws Exception {
        secret("access", line);
        isRefused(sentence);
    }
}
