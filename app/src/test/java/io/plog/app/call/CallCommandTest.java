package io.plog.app.call;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.plog.app.CommandRun;
import io.plog.client.FakeServer;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    private int call(FakeServer server, String... more) throws Exception {
        Path file = Files.write(directory.resolve("payload"), new byte[] {1, 2, 3});
        List<String> arguments = new ArrayList<>(List.of("call", "--server", "127.0.0.1:" + server.port(), "--json"));
        arguments.addAll(List.of(more));
        if (more.length == 0 || !more[more.length - 1].endsWith("large")) {
            arguments.add(file.toString());
        }
        return CommandRun.plog(out, err, arguments.toArray());
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
    void aRecordedAnswerIsSaidToBeOne() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> {
            ByteBuf reply = FakeServer.reply(request);
            ReplyHeader.setLogged(reply, 1234, 0, 0, 0, 0, 0);
            return List.of(reply);
        })) {
            assertThat(call(server, "--target", "a", "--request", "7")).isZero();
            Path file = directory.resolve("payload");
            StringWriter asBytes = new StringWriter();
            CommandRun.plog(asBytes, err, "call", "--server", "127.0.0.1:" + server.port(), "--target", "a", file);
            assertThat(err.toString())
                    .isEqualToIgnoringNewLines(
                            "plog call: executed before, as record 1234; this is its recorded answer");
        }
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.get("recorded").asBoolean()).isTrue();
        assertThat(json.get("index").asLong()).isEqualTo(1234);
    }

    @Test
    void whatIsRefusedForAWhileIsSentAgain() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> List.of(
                count < 3 ? FakeServer.refusal(request, Status.LOG_FULL, "no space") : FakeServer.reply(request)))) {
            assertThat(call(server, "--target", "a")).isZero();
            assertThat(server.requests()).hasSize(4);
        }
        assertThat(new ObjectMapper().readTree(out.toString()).get("recorded").asBoolean())
                .isFalse();
    }

    @Test
    void failuresAreOneLineWithTheRightExitCode() throws Exception {
        try (FakeServer server = FakeServer.answering(
                (request, count) -> List.of(FakeServer.refusal(request, Status.SHUTTING_DOWN, "")))) {
            assertFails(2, "the server has no target 'b'; it has a, off", call(server, "--target", "b"));
            assertFails(2, "--target is missing; the server has a, off", call(server));
            Path large = Files.write(directory.resolve("large"), new byte[FakeServer.MAX_PAYLOAD_BYTES + 1]);
            assertFails(
                    2,
                    "payload has 200001 bytes: expected at most 200000",
                    call(server, "--target", "a", "--client", "5", large.toString()));
            Path folder = Files.createDirectories(directory.resolve("folder/large"));
            assertFails(1, folder + ": is a directory", call(server, "--target", "a", folder.toString()));
            assertFails(2, "--request is '-1': expected 0 to", call(server, "--target", "a", "--request", "-1"));
            assertFails(
                    2,
                    "Invalid value for option '--deadline': 'soon' is no time: expected a number and a unit",
                    call(server, "--deadline", "soon"));
            assertFails(2, "deadline is 0 ms: expected 1 ms to", call(server, "--deadline", "0s"));
            assertFails(
                    1,
                    "request 1 of client 5 ended without an acknowledgement in time after ",
                    call(server, "--target", "a", "--client", "5", "--deadline", "1s"));
            server.stop();
            assertFails(1, "no server at 127.0.0.1:", call(server, "--target", "a", "--deadline", "50ms"));
        }
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFailureSaysWhetherTheRequestMayHaveBeenExecutedAndHowToRepeatIt() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> List.of(FakeServer.refusal(
                request, requireNonNull(Status.ofCode((int) RequestHeader.request(request))), "")))) {
            call(server, "--target", "a", "--request", Integer.toString(Status.CONFLICT.code()));
            assertThat(err.toString())
                    .contains("the server refused with CONFLICT; the request was not executed")
                    .doesNotContain("--client");
            err.getBuffer().setLength(0);
            call(server, "--target", "a", "--request", Integer.toString(Status.OUTDATED.code()));
            assertThat(err.toString())
                    .contains("the server refused with OUTDATED", "; the request may have been executed")
                    .doesNotContain("--client");
            err.getBuffer().setLength(0);
            String failed = Integer.toString(Status.LOG_FAILED.code());
            call(server, "--target", "a", "--request", failed, "--deadline", "1s");
            assertThat(err.toString())
                    .contains(
                            "the server refused with LOG_FAILED", "; the request may have been executed (to repeat it")
                    .containsPattern("--client [0-9]+ --request 4\\)");
        }
    }

    private void assertFails(int expected, String words, int code) {
        assertThat(code).as(err.toString()).isEqualTo(expected);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("plog call: " + words);
        err.getBuffer().setLength(0);
    }
}
