package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RawConnection;
import io.plog.e2e.support.TestServer;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a heap of 40 MB stays within it, whatever one client makes it remember. */
final class SmallHeapTest {
    private static final Map<String, String> HEAP = Map.of("JAVA_TOOL_OPTIONS", "-Xmx40m");
    private static final int BATCH = 100;

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private TestServer start(Path log) throws Exception {
        return TestServer.start(
                HEAP, directory, "--log a=%s,service=chain,segment=16MiB --admin-port 0 --max-wait 0", log);
    }

    /** Sends requests of so many clients over one connection, each numbered so, and counts those that were answered. */
    private static int flood(TestServer server, int clients, long number, byte[] payload) throws Exception {
        int answered = 0;
        try (RawConnection connection = RawConnection.welcomed(server.port)) {
            for (int first = 0; first < clients; first += BATCH) {
                ByteArrayOutputStream requests = new ByteArrayOutputStream();
                for (int client = first; client < first + BATCH; client++) {
                    requests.write(RawConnection.request(0, client, number, payload));
                }
                connection.send(requests.toByteArray());
                for (int i = 0; i < BATCH; i++) {
                    answered += connection.read().status() == 0 ? 1 : 0;
                }
            }
        }
        return answered;
    }

    @Test
    void moreLogsThanItHasBuffersForAreRefusedInASentence() throws Exception {
        List<String> logs = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d", "e")) {
            Path log = Files.createDirectory(directory.resolve(name));
            logs.addAll(List.of("--log", name + "=" + log + ",segment=16MiB,reserve=16MiB"));
        }
        try (Plog server = Plog.start(HEAP, "server --port 0 --admin-port 0 --client-memory 300k %s", logs)) {
            server.exited(1);
            assertThat(server.errText()).contains("too little memory for the buffers of these logs");
        }
    }

    @Test
    @Tag("slow")
    void oneConnectionWithManyClientsAndManyAnswersNeitherEndsItNorItsNextLife() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        byte[] payload = new byte[2_000];
        try (TestServer server = start(log)) {
            assertThat(server.process.err())
                    .anyMatch(
                            line -> line.matches(
                                    "remembers answers in at most \\d+[.]\\d MiB of its heap of 3\\d[.]\\d MiB: of the logged target.*"));
            assertThat(flood(server, 20_000, 1, payload)).isEqualTo(20_000);
            for (int number = 2; number <= 14; number++) {
                assertThat(flood(server, 2_000, number, payload)).isEqualTo(2_000);
            }
            assertThat(server.process.isAlive()).as("%s", server.process).isTrue();
            server.process.kill();
        }
        try (TestServer server = start(log)) {
            assertThat(flood(server, 2_000, 15, payload)).isEqualTo(2_000);
            assertThat(server.stop()).as("%s", server.process).isZero();
        }
    }
}
