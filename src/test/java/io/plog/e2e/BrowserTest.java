package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.TestServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hostile page in a real browser, Chromium, on the server's own machine. It sends what pages may send without asking: forms, and
 * {@code fetch} of the simple kinds. Skipped where there is no Chromium.
 */
final class BrowserTest {
    /** Each form goes into a frame of its own, so that all are sent. */
    private static final String PAGE = """
            <!doctype html><meta charset="utf-8"><title>hostile</title><body data-done="">
            <script>
            const log = 'http://HOST:HTTP/log/a', admin = 'http://HOST:ADMIN/checkpoint';
            let frames = 0;
            for (const address of [log, admin]) {
              for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
                const frame = document.createElement('iframe');
                frame.name = 'frame' + frames++;
                document.body.append(frame);
                const form = document.createElement('form');
                Object.assign(form, {method: 'POST', action: address, enctype: type, target: frame.name});
                form.innerHTML = '<input name="x" value="hostile">';
                document.body.append(form);
                form.submit();
              }
            }
            (async () => {
              const reported = [];
              for (const address of [log, admin]) {
                for (const body of ['x=hostile', new Blob(['hostile']), new URLSearchParams('x=hostile')]) {
                  for (const mode of ['no-cors', 'cors']) {
                    try { reported.push((await fetch(address, {method: 'POST', mode, body})).type); }
                    catch (e) { reported.push('failed'); }
                  }
                }
                navigator.sendBeacon(address, 'hostile');
                try {
                  reported.push((await fetch(address, {method: 'POST', body: 'hostile',
                      headers: {'Content-Type': 'application/octet-stream'}})).type);
                } catch (e) { reported.push('failed'); }
              }
              for (const path of ['metrics', 'events', 'health/ready']) {
                try { reported.push('read ' + await (await fetch('http://HOST:ADMIN/' + path)).text()); }
                catch (e) { reported.push('failed'); }
              }
              document.body.dataset.done = reported.join(' ');
            })();
            </script>""";

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private static Optional<Path> chromium() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .flatMap(folder -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The document behind an address as it is after its scripts ran. Names that end with {@code .example} are this machine. */
    private String opened(Path browser, String address) throws Exception {
        Path dom = directory.resolve("dom.html");
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--user-data-dir=" + directory.resolve("profile"),
                        "--host-resolver-rules=MAP *.example 127.0.0.1",
                        "--virtual-time-budget=20000",
                        "--dump-dom",
                        address)
                .redirectOutput(dom.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).isZero();
        return Files.readString(dom);
    }

    /** The page on a port of its own, which makes it another origin. */
    private static HttpServer serve(String page) throws Exception {
        HttpServer pages = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        pages.createContext("/", exchange -> {
            byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        pages.start();
        return pages;
    }

    @Test
    void aPageOfAnotherOriginLogsNothingDropsNothingAndReadsNothing() throws Exception {
        Optional<Path> browser = chromium();
        assumeTrue(browser.isPresent(), "needs chromium on the PATH");
        Path log = Files.createDirectory(directory.resolve("log"));
        try (TestServer server =
                TestServer.start(directory, "--log a=%s,segment=1MiB --admin-port free --http-port free", log)) {
            String before = server.get("/metrics").body();
            assertThat(before).contains("plog_checkpoint_seconds_count{force=\"fdatasync\",target=\"a\"} 1");
            // As the machine's own name, and as one that was made to point to it.
            for (String host : new String[] {"127.0.0.1", "localhost", "rebound.example"}) {
                HttpServer pages = serve(PAGE.replace("HOST", host)
                        .replace("HTTP", Integer.toString(server.httpPort))
                        .replace("ADMIN", Integer.toString(server.adminPort)));
                try {
                    String page = opened(
                            browser.get(),
                            "http://hostile.example:" + pages.getAddress().getPort() + "/");
                    String done = page.replaceAll("(?s).*<body data-done=\"([^\"]*)\".*", "$1");
                    assertThat(done).contains("opaque", "failed").doesNotContain("read");
                } finally {
                    pages.stop(0);
                }
            }
            assertThat(server.get("/metrics").body())
                    .contains("plog_checkpoint_seconds_count{force=\"fdatasync\",target=\"a\"} 1")
                    .as("the browser did send")
                    .containsPattern("plog_http_responses_total\\{code=\"403\"} [1-9]")
                    .containsPattern("plog_http_responses_total\\{code=\"421\"} [1-9]")
                    .doesNotContain("plog_http_responses_total{status=\"200\"}");
            assertThat(server.stop()).isZero();
        }
        assertThat(LogContents.dump(log)).isEmpty();
    }
}
