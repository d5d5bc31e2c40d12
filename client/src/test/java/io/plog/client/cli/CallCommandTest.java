package io.plog.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.client.FakeServer;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CallCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    private int call(FakeServer server, String... more) throws Exception {
        Path file = directory.resolve("payload");
        Files.write(file, new byte[] {1, 2, 3});
        List<String> arguments = new ArrayList<>(List.of("--server", "127.0.0.1:" + server.port(), "--json"));
        arguments.addAll(List.of(more));
        arguments.add(file.toString());
        return new CommandLine(new CallCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(new String[0]));
    }

    @Test
    void theReplyIsPrintedWithItsDurationsIndexAndPayload() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            assertThat(call(server, "--target", "a", "--client", "18446744073709551615", "--request", "77"))
                    .as(err.toString())
                    .isZero();
            assertThat(RequestHeader.client(server.requests().get(0))).isEqualTo(-1);
        }
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.get("status").asText()).isEqualTo("OK");
        assertThat(json.get("client").asText()).isEqualTo("18446744073709551615");
        assertThat(json.get("index").asLong()).isEqualTo(77);
        assertThat(json.get("forceNanos").asLong()).isEqualTo(400);
        assertThat(json.get("loggingNanos").asLong()).isEqualTo(1_000);
        assertThat(json.get("payload").binaryValue()).containsExactly(254, 253, 252);
    }

    @Test
    void failuresAreOneLineWithTheRightExitCode() throws Exception {
        try (FakeServer server = FakeServer.answering(
                (request, count) -> List.of(FakeServer.refusal(request, Status.SHUTTING_DOWN, "")))) {
            assertFails(2, "the server has no target 'b'; it has a, off", call(server, "--target", "b"));
            assertFails(2, "--target is missing; the server has a, off", call(server));
            assertFails(2, "--request is '-1': expected 0 to", call(server, "--target", "a", "--request", "-1"));
            assertFails(1, "the server refused with SHUTTING_DOWN", call(server, "--target", "a"));
            server.stop();
            assertFails(1, "no server at 127.0.0.1:", call(server, "--target", "a"));
        }
        assertThat(out.toString()).isEmpty();
    }

    private void assertFails(int expected, String words, int code) {
        assertThat(code).as(err.toString()).isEqualTo(expected);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("plog call: " + words);
        err.getBuffer().setLength(0);
    }
}
