package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server and single requests: calls, metrics, health, settings. */
@Order(10)
final class ServerTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @Test
    void aCallReturnsEveryByteInvertedAndIsLogged() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        byte[] payload = "what was said, and then some".getBytes(StandardCharsets.UTF_8);
        Path file = Files.write(directory.resolve("payload"), payload);
        byte[] inverted = payload.clone();
        for (int i = 0; i < inverted.length; i++) {
            inverted[i] = (byte) ~inverted[i];
        }
        try (TestServer server =
                TestServer.start(directory, "--log", "a=" + log + ",segment=4MiB", "--unlogged", "--admin-port", "0")) {
            Plog call = Plog.runWithInput(
                    payload, "call", "--json", "--server", server.address(), "--target", "a", "--client", "7");
            call.exited(0);
            var reply = new ObjectMapper().readTree(call.outText());
            assertThat(reply.path("index").longValue()).isEqualTo(1);
            assertThat(reply.path("payload").binaryValue()).isEqualTo(inverted);
            assertThat(reply.path("forceNanos").longValue()).isPositive();

            Plog unlogged = Plog.run("call", "--json", "--server", server.address(), "--target", "off", file);
            unlogged.exited(0);
            assertThat(new ObjectMapper()
                            .readTree(unlogged.outText())
                            .path("index")
                            .longValue())
                    .isZero();
        }
        assertThat(LogContents.dump(log)).singleElement().satisfies(entry -> {
            assertThat(entry.client()).isEqualTo("7");
            assertThat(entry.length()).isEqualTo(payload.length);
        });
    }

    @Test
    void theAdminPortTellsHealthAndMetrics() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        int port = BadInputTest.freePort();
        try (TestServer server = TestServer.start(
                directory, "--log", "a=" + log + ",segment=4MiB", "--admin-port", Integer.toString(port))) {
            assertThat(server.adminPort).isEqualTo(port);
            assertThat(get(port, "/health/live").statusCode()).isEqualTo(200);
            assertThat(get(port, "/health/ready").statusCode()).isEqualTo(200);
            assertThat(get(port, "/nothing").statusCode()).isEqualTo(404);
            Plog.runWithInput(new byte[] {1}, "call", "--server", server.address())
                    .exited(0);
            assertThat(get(port, "/metrics").body())
                    .containsPattern("(?m)^plog_log_latency_seconds_count\\{.*target=\"a\".*\\} 1$")
                    .containsPattern("(?m)^plog_log_force_seconds_count\\{")
                    .contains("jvm_memory_used_bytes");
        }
    }

    @Test
    void aFlagBeatsTheEnvironmentBeatsTheConfigFile() throws Exception {
        int fromFile = BadInputTest.freePort();
        int fromEnvironment = BadInputTest.freePort();
        int fromFlag = BadInputTest.freePort();
        Path config = Files.write(
                directory.resolve("plog.properties"),
                List.of("server.port = " + fromFile, "server.unlogged = true", "admin-port = 0"));
        Map<String, String> environment = Map.of("PLOG_SERVER_PORT", Integer.toString(fromEnvironment));
        assertListens(fromFile, Map.of(), "server", "--config", config);
        assertListens(fromEnvironment, environment, "server", "--config", config);
        assertListens(fromFlag, environment, "server", "--config", config, "--port", fromFlag);
    }

    @Test
    void targetsMayStandInTheConfigFile() throws Exception {
        Path one = Files.createDirectory(directory.resolve("one"));
        Path other = Files.createDirectory(directory.resolve("other"));
        Path config = Files.write(
                directory.resolve("plog.properties"),
                List.of(
                        "server.log = a=" + one + ",segment=4MiB ; b=" + other + ",segment=4MiB,force=dsync",
                        "server.admin-port = 0"));
        try (TestServer server = TestServer.start(directory, "--config", config)) {
            server.process.awaitErr(line -> line.contains("target b: "));
            assertThat(server.process.errText())
                    .contains("target a: " + one, "force=fdatasync", "target b: " + other, "force=dsync");
        }
    }

    @Test
    void aMisspeltKeyIsNamedWithTheOneThatWasMeant() throws Exception {
        Path config = Files.write(directory.resolve("plog.properties"), List.of("server.unloged = true"));
        Plog server = Plog.run("server", "--config", config);
        server.exited(2);
        assertThat(server.onlyErrLine())
                .contains(config.toString(), "'server.unloged'", "did you mean 'server.unlogged'?");
    }

    private static void assertListens(int port, Map<String, String> environment, Object... args) throws Exception {
        try (Plog server = Plog.start(environment, args)) {
            assertThat(server.awaitErr(line -> line.startsWith("listening on"))).endsWith(":" + port);
        }
    }

    private static HttpResponse<String> get(int port, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
