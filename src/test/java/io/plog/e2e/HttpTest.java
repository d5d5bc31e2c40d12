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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP port of a real server, with a client that knows nothing of plog. */
final class HttpTest {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private TestServer start(Path log, String service) throws Exception {
        return start("a=" + log + ",segment=4MiB,service=" + service);
    }

    private TestServer start(String... targets) throws Exception {
        List<Object> options = new ArrayList<>(List.of("--admin-port", "0", "--http-port", "free"));
        for (String target : targets) {
            options.addAll(List.of("--log", target));
        }
        return TestServer.start(directory, options.toArray());
    }

    private static HttpRequest.Builder request(TestServer server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort + path));
    }

    private HttpResponse<byte[]> post(TestServer server, String target, byte[] body, String key) throws Exception {
        return client.send(
                request(server, "/log/" + target)
                        .header("Idempotency-Key", key)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aKeyKeepsItsAnswerWhenTheServerIsKilledAndWhenItIsStopped() throws Exception {
        List<String> services = List.of("invert", "chain");
        Path invert = Files.createDirectory(directory.resolve("invert"));
        Path chain = Files.createDirectory(directory.resolve("chain"));
        String[] targets = {"invert=" + invert + ",segment=4MiB", "chain=" + chain + ",segment=4MiB,service=chain"};
        Map<String, byte[]> answers = new HashMap<>();
        try (TestServer server = start(targets)) {
            for (String service : services) {
                post(server, service, bytes("before"), "order 0");
                HttpResponse<byte[]> first = post(server, service, bytes("pay 7"), "order 1");
                assertThat(first.statusCode()).isEqualTo(200);
                assertThat(first.headers().firstValue("Plog-Index")).contains("2");
                assertThat(first.headers().firstValue("Server-Timing").orElse(""))
                        .contains("force;dur=");
                assertThat(first.body()).hasSize(5);
                answers.put(service, first.body());
            }
            server.process.kill();
        }
        for (int restart = 0; restart < 2; restart++) {
            try (TestServer server = start(targets)) {
                for (String service : services) {
                    HttpResponse<byte[]> repeat = post(server, service, bytes("pay 7"), "order 1");
                    assertThat(repeat.headers().firstValue("Idempotency-Replayed"))
                            .contains("true");
                    assertThat(repeat.headers().firstValue("Plog-Index")).contains("2");
                    assertThat(repeat.body()).isEqualTo(answers.get(service));
                    HttpResponse<byte[]> conflict = post(server, service, bytes("pay 8"), "order 1");
                    assertThat(conflict.statusCode()).isEqualTo(422);
                }
                assertThat(server.stop()).isZero();
            }
        }
        assertThat(LogContents.dump(invert)).hasSize(2);
        assertThat(LogContents.dump(chain)).hasSize(2);
    }

    @Test
    void manyAtOnceAreEachLoggedOnce() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        try (TestServer server = start(log, "invert")) {
            List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofByteArray(new byte[i * 7]);
                // Every other one with a length that is not known before: in chunks.
                answers.add(client.sendAsync(
                        request(server, "/log/a")
                                .POST(i % 2 == 0 ? body : HttpRequest.BodyPublishers.fromPublisher(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray()));
            }
            for (int i = 0; i < 500; i++) {
                HttpResponse<byte[]> answer = answers.get(i).get();
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).hasSize(i * 7).containsOnly(i == 0 ? new byte[0] : new byte[] {-1});
            }
            assertThat(server.stop()).isZero();
        }
        assertThat(LogContents.dump(log)).hasSize(500);
    }

    @Test
    void theDescriptionIsJsonForThoseWhoAskForIt() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        try (TestServer server = start(log, "chain")) {
            HttpResponse<String> told = client.send(
                    request(server, "/").header("Accept", "application/json").build(),
                    HttpResponse.BodyHandlers.ofString());
            var target =
                    new ObjectMapper().readTree(told.body()).path("targets").path(0);
            assertThat(target.path("name").textValue()).isEqualTo("a");
            assertThat(target.path("service").textValue()).isEqualTo("chain");
            assertThat(target.path("force").textValue()).isEqualTo("fdatasync");
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        try (TestServer server = start(log, "invert")) {
            String port = Integer.toString(server.httpPort);
            Plog second = Plog.run("server", "--unlogged", "--port", "0", "--admin-port", "0", "--http-port", port);
            second.exited(1);
            assertThat(second.errText()).contains("HTTP port 127.0.0.1:" + port + " is in use", "--http-port");
        }
    }
}
