package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** As the unit asks for, at an address of either kind. */
    @ParameterizedTest
    @ValueSource(strings = {"@plog-", "notify-"})
    void tellsSystemdThatItListensAndThatItLives(String kind) throws Exception {
        String name = kind + ProcessHandle.current().pid();
        String address = kind.startsWith("@") ? name : directory.resolve(name).toString();
        String manager = "import socket, sys; s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM);"
                + " s.bind(sys.argv[1].replace('@', chr(0))); s.settimeout(90); print('bound', flush=True)\n"
                + "while True: print(s.recv(4096).decode(), flush=True)";
        Process python = new ProcessBuilder("python3", "-c", manager, address)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader received = python.inputReader()) {
            assertThat(received.readLine()).isEqualTo("bound");
            Map<String, String> environment = Map.of("NOTIFY_SOCKET", address, "WATCHDOG_USEC", "300000");
            try (TestServer server = TestServer.start(environment, directory, "--unlogged --admin-port 0")) {
                assertThat(List.of(received.readLine(), received.readLine(), received.readLine()))
                        .containsExactly("READY=1", "WATCHDOG=1", "WATCHDOG=1");
                assertThat(server.stop()).isZero();
            }
        } finally {
            python.destroyForcibly();
        }
    }
}
