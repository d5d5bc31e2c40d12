package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.storage.Force;
import io.plog.server.http.HttpTestClient;
import io.plog.server.http.HttpTestClient.Response;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.targets.FakeLog;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a web page can make a browser send to a server on its own machine, byte by byte: nothing of it may have an effect. */
@Timeout(60)
class WebPageTest {
    @TempDir
    Path directory;

    private final FakeLog log = new FakeLog();
    private PlogServer server;

    @BeforeEach
    void start() throws Exception {
        ServerOptions options = ServerOptions.of(List.of(TargetOptions.logged("a", directory, Force.FDATASYNC)))
                .withPorts(0, 0)
                .withHttpPort(0)
                .withAllowedHosts(List.of("logs.example"));
        server = Scraped.start(options, log);
    }

    @AfterEach
    void nothingWasLogged() throws Exception {
        assertThat(log.queuedRecords()).isZero();
        server.close();
    }

    private static Response answer(int port, String request) throws Exception {
        Response answer = HttpTestClient.ask(port, request);
        assertThat(answer.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
        return answer;
    }

    private static String post(String path, String host, String... fields) {
        return "POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + String.join("\r\n", fields)
                + "\r\nContent-Length: 5\r\n\r\nx=abc";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/x-www-form-urlencoded",
                "Text/Plain",
                "text/plain;charset=UTF-8",
                "multipart/form-data; boundary=x"
            })
    void aFormChangesNothingEvenIfTheBrowserDoesNotSayWhereItIsFrom(String type) throws Exception {
        Response logged = answer(server.httpPort(), post("/log/a", "localhost", "Content-Type: " + type));
        assertThat(logged.status()).isEqualTo(415);
        assertThat(logged.text()).contains("-H 'Content-Type: application/octet-stream'");
        Response saved = answer(server.adminPort(), post("/checkpoint", "localhost", "Content-Type: " + type));
        assertThat(saved.status()).isEqualTo(415);
        assertThat(saved.text()).contains("curl -X POST");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: http://evil.example",
                "Origin: null",
                "Origin: http://127.0.0.1:1",
                "Sec-Fetch-Site: same-site"
            })
    void aPageOfSomebodyElseIsRefusedWhateverItSends(String field) throws Exception {
        String host = "127.0.0.1";
        assertThat(answer(server.httpPort(), post("/log/a", host, field)).status())
                .isEqualTo(403);
        assertThat(answer(server.httpPort(), post("/read/a", host, field)).status())
                .isEqualTo(403);
        assertThat(answer(server.adminPort(), post("/checkpoint", host, field)).status())
                .isEqualTo(403);
        String preflight = "OPTIONS /log/a HTTP/1.1\r\nHost: " + host + "\r\n" + field
                + "\r\nAccess-Control-Request-Method: POST\r\n\r\n";
        assertThat(answer(server.httpPort(), preflight).status()).isEqualTo(403);
        String events = "GET /events HTTP/1.1\r\nHost: " + host + "\r\n" + field + "\r\n\r\n";
        assertThat(answer(server.adminPort(), events).status()).isEqualTo(403);
    }

    @Test
    void aReboundNameReadsNothing() throws Exception {
        for (String path : List.of("/metrics", "/health/ready", "/clock", "/")) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: rebound.example:7412\r\n\r\n";
            Response admin = answer(server.adminPort(), request);
            assertThat(admin.status()).isEqualTo(421);
            assertThat(admin.text()).contains("the Host is 'rebound.example:7412'", "--allow-host NAME");
            assertThat(answer(server.httpPort(), request).status()).isEqualTo(421);
        }
        assertThat(answer(server.httpPort(), post("/log/a", "rebound.example", "Idempotency-Key: k"))
                        .status())
                .isEqualTo(421);
    }

    @Test
    void aNameThatIsAllowedIsAnswered() throws Exception {
        String request = " HTTP/1.1\r\nHost: LOGS.example:80\r\n\r\n";
        assertThat(answer(server.adminPort(), "GET /metrics" + request).status())
                .isEqualTo(200);
        assertThat(answer(server.httpPort(), "GET /" + request).status()).isEqualTo(200);
    }
}
