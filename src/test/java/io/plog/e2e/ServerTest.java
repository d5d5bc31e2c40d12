package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.TestServer;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
                TestServer.start(directory, "--log a=%s,segment=4MiB --unlogged --admin-port 0", log)) {
            Plog call = Plog.runWithInput(payload, "call --json --server %s --target a --client 7", server.address())
                    .exited(0);
            var reply = new ObjectMapper().readTree(call.outText());
            assertThat(reply.path("index").longValue()).isEqualTo(1);
            assertThat(reply.path("payload").binaryValue()).isEqualTo(inverted);
            assertThat(reply.path("forceNanos").longValue()).isPositive();

            Plog unlogged = Plog.run("call --json --server %s --target off %s", server.address(), file)
                    .exited(0);
            assertThat(new ObjectMapper()
                            .readTree(unlogged.outText())
                            .path("index")
                            .longValue())
                    .isZero();
        }
        assertThat(LocalRun.of("log info --json %s", log).exited(0).outText()).contains("\"lastIndex\":1");
        assertThat(LocalRun.of("log dump --from 1 %s", log).exited(0).out()).hasSize(2);
        assertThat(LocalRun.of("log dump --from 3 %s", log).exited(2).out()).isEmpty();
        assertThat(LogContents.dump(log)).singleElement().satisfies(entry -> {
            assertThat(entry.client()).isEqualTo("7");
            assertThat(entry.length()).isEqualTo(payload.length);
        });
    }

    @Test
    void whatAServerSaysCanBeJson() throws Exception {
        try (Plog server = Plog.start("server --unlogged --port 0 --admin-port 0 --log-format json")) {
            server.awaitErr(line -> line.contains("listening on "));
            assertThat(server.err())
                    .allSatisfy(line -> assertThat(line).matches("\\{\"time\":\"[-0-9T:.]+Z\",\"message\":\".+\"}"));
        }
    }

    /** As the unit asks for; Java has no datagram sockets of the kind. */
    @Test
    void tellsSystemdThatItListens() throws Exception {
        assumeThat(Path.of("/usr/bin/systemd-notify")).isExecutable();
        String manager = "import os, socket; s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM);"
                + " name = 'plog-%d' % os.getpid(); s.bind(chr(0) + name); s.settimeout(90);"
                + " print('@' + name, flush=True); print(s.recv(4096).decode(), flush=True)";
        Process python = new ProcessBuilder("python3", "-c", manager)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader received = python.inputReader()) {
            Map<String, String> environment = Map.of("NOTIFY_SOCKET", received.readLine());
            try (TestServer server = TestServer.start(environment, directory, "--unlogged --admin-port 0")) {
                assertThat(received.readLine()).isEqualTo("READY=1");
                assertThat(server.stop()).isZero();
            }
        } finally {
            python.destroyForcibly();
        }
    }
}
