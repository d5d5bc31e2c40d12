package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.TestServer;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server's state in a checkpoint is read for ever; one that a newer plog wrote is no damage. */
final class GoldenStateTest {
    private static final Path GOLDEN = DiskDirectory.root().resolve("src/test/golden");
    private static final int RECORDS = 6;

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    /** A log with a checkpoint that holds this state. */
    private Path log(String golden) throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        try (MessageLog opened = MessageLog.open(LogOptions.in(log).withSegmentBytes(4 << 20))) {
            for (int i = 0; i < RECORDS; i++) {
                opened.appendAndWait(ByteBuffer.wrap(new byte[] {1}));
            }
            opened.saveCheckpoint(
                    RECORDS, ByteBuffer.wrap(Files.readAllBytes(GOLDEN.resolve(golden + "/chain.state"))));
        }
        return log;
    }

    private HttpResponse<byte[]> post(TestServer server, String body, String... headers) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort + "/log/a"))
                        .headers(headers)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private static void assertRepeats(HttpResponse<byte[]> answer, String index, String hex) {
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Idempotency-Replayed")).contains("true");
        assertThat(answer.headers().firstValue("Plog-Index")).contains(index);
        assertThat(HexFormat.of().formatHex(answer.body())).isEqualTo(hex);
    }

    @Test
    void whatVersion1RemembersIsAnsweredAgainAtBothPortsAndByKey() throws Exception {
        try (TestServer server = TestServer.start(
                directory, "--admin-port 0 --http-port free --log a=%s,segment=4MiB,service=chain", log("state-1"))) {
            assertRepeats(post(server, "pay 3", "Idempotency-Key", "order-1"), "3", "fb55d9f7b3");
            assertRepeats(post(server, "pay 5", "Plog-Client", "7", "Plog-Request", "2"), "5", "735fe490cd");
            assertRepeats(post(server, "pay 6", "Plog-Client", "8", "Plog-Request", "3"), "6", "a662995f48");
            assertThat(post(server, "pay 2", "Plog-Client", "8", "Plog-Request", "1")
                            .statusCode())
                    .as("its answer is forgotten")
                    .isEqualTo(409);
            assertThat(post(server, "pay 9", "Plog-Client", "8", "Plog-Request", "4")
                            .headers()
                            .firstValue("Plog-Index"))
                    .contains("7");
        }
    }

    @Test
    void aStateOfANewerPlogIsNoDamage() throws Exception {
        Path log = log("state-newer");
        LocalRun run = LocalRun.of("server --port 0 --admin-port 0 --log a=%s,segment=4MiB,service=chain", log)
                .exited(1);
        assertThat(run.errText())
                .contains("target a: its checkpoint at index 6 was written by a newer plog (state version 2, this one"
                        + " reads 1); nothing is wrong with it, use that version");
        LocalRun.of("log verify %s", log).exited(0);
    }
}
