package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP port of a real server, with a client that knows nothing of plog. */
final class HttpTest {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private TestServer start(Path invert, Path chain) throws Exception {
        return TestServer.start(
                directory,
                "--admin-port 0 --http-port free --log invert=%s,segment=4MiB --log chain=%s,segment=4MiB,service=chain",
                invert,
                chain);
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
        Map<String, byte[]> answers = new HashMap<>();
        try (TestServer server = start(invert, chain)) {
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
            try (TestServer server = start(invert, chain)) {
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
}
