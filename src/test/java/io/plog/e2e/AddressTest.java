package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Names of servers as networks have them. */
@Timeout(180)
final class AddressTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private Map<String, String> names;

    /** Nobody listens at the first address of each name. */
    @BeforeEach
    void writeNames() throws Exception {
        Path hosts = Files.writeString(
                directory.resolve("hosts"),
                "127.0.0.77 two two_names xn--bcher-kva.example\n127.0.0.1 two two_names xn--bcher-kva.example\n");
        names = Map.of(
                "JAVA_TOOL_OPTIONS",
                "-Djdk.net.hosts.file=" + hosts + " -Dhttp.proxyHost=127.0.0.77 -Dhttp.nonProxyHosts=");
    }

    private Plog run(String line, Object... values) throws Exception {
        try (Plog plog = Plog.start(names, line, values)) {
            plog.awaitExit();
            return plog;
        }
    }

    @Test
    void theSecondAddressOfANameIsTriedAfterTheFirst() throws Exception {
        Path payload = Files.write(directory.resolve("payload"), new byte[] {1});
        String out = " --overwrite --out " + directory.resolve("results");
        try (TestServer server = TestServer.start(
                directory,
                "--unlogged --admin-port free --http-port free --allow-host two_names --allow-host xn--bcher-kva.example")) {
            run("call --json --server two:%s %s", server.port, payload).exited(0);
            run("load --mode closed -n 50 --warmup 0s --target off --server two_names:%s" + out, server.port)
                    .exited(0, 5);
            assertThat(new ObjectMapper()
                            .readTree(directory.resolve("results/results.json").toFile())
                            .at("/environment/server/events")
                            .asText())
                    .as("what was asked of the admin port, there, too, and through no proxy")
                    .isEqualTo("recorded");
            run("load --mode closed -n 50 --warmup 0s --server http://two_names:%s/log/off" + out, server.httpPort)
                    .exited(0, 5);
            run(
                            "measure -n 20 --trials 1 --warmup 5 --sizes 100 --server http://bücher.example:%s/log/off"
                                    + out,
                            server.httpPort)
                    .exited(0, 5);
        }
    }
}
