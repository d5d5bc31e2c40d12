package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What users copy who do not write Java: the client in Python, and the recipe for curl. */
@Timeout(120)
final class IndependentClientTest {
    private static final Path ROOT = DiskDirectory.root();

    @TempDir(factory = DiskDirectory.class)
    private Path directory;

    private static String run(String input, String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private TestServer start() throws Exception {
        return TestServer.start(
                directory,
                "--admin-port 0 --http-port free --log a=%s,segment=4MiB",
                Files.createDirectory(directory.resolve("a")));
    }

    @Test
    void theClientInPythonExecutesARequestOnceThoughItsConnectionIsLost() throws Exception {
        try (TestServer server = start()) {
            String port = server.address().substring(server.address().lastIndexOf(':') + 1);
            Path client = ROOT.resolve("tools/independent-client/plog_client.py");
            assertThat(run("pay 7\n\n", "python3", client.toString(), "127.0.0.1", port, "a"))
                    .isEqualTo("1 8f9e86dfc8\n2 \n");

            // The reply to the second request is lost with its connection: the client repeats it.
            String script = "import sys; sys.path.insert(0, sys.argv[1]); import plog_client\n"
                    + "plog = plog_client.Plog('127.0.0.1', int(sys.argv[2]), 'a')\n"
                    + "first = plog.call(b'x')\n"
                    + "plog.socket.shutdown(2)\n"
                    + "print(first[0], plog.call(b'y')[0], plog.call(b'y', plog.number)[0])";
            assertThat(run("", "python3", "-c", script, client.getParent().toString(), port))
                    .isEqualTo("3 4 4\n");
        }
        assertThat(LogContents.dump(directory.resolve("a"))).hasSize(4);
    }

    @Test
    void theRecipeForCurlExecutesItsRequestOnce() throws Exception {
        try (TestServer server = start()) {
            String recipe = recipe().replace("127.0.0.1:7480", "127.0.0.1:" + server.httpPort);
            String first = run("", "sh", "-c", recipe);
            assertThat(first).hasSize(5).isEqualTo(run("", "sh", "-c", recipe));
            assertThat(run("", "sh", "-c", recipe + " -i")).contains("Plog-Index: 1", "Idempotency-Replayed: true");
        }
    }

    private static String recipe() throws IOException {
        List<String> recipes = Files.readAllLines(ROOT.resolve("docs/http.md")).stream()
                .filter(line -> line.contains("--retry-all-errors"))
                .toList();
        assertThat(recipes).hasSize(1);
        return recipes.get(0).substring("$ ".length());
    }
}
