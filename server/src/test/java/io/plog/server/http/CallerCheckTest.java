package io.plog.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerCheckTest {
    /** The status of the refusal, 0 if there is none. */
    private static int check(CallerCheck callers, String firstLine, String... fields) {
        StringBuilder request = new StringBuilder(firstLine).append("\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        ByteBuf in = Unpooled.wrappedBuffer(request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        HttpParser parser = new HttpParser(new HttpParser.Receiver() {
            @Override
            public int head(HttpHead head) throws HttpException {
                callers.check(head);
                return 0;
            }

            @Override
            public void body(ByteBuf body, int bytes) {}

            @Override
            public void end() {}
        });
        try {
            parser.parse(in);
            return 0;
        } catch (HttpException e) {
            return e.status().code();
        }
    }

    private static int get(CallerCheck callers, @Nullable String host, String... fields) {
        String[] all = new String[fields.length + 1];
        all[0] = "Host: " + host;
        System.arraycopy(fields, 0, all, 1, fields.length);
        return check(callers, "GET /metrics HTTP/1.1", all);
    }

    @ParameterizedTest
    @CsvSource({
        // host, bound to loopback, to 10.1.2.3, to every address, to the name logs.example
        "localhost, 0, 0, 0, 0",
        "LocalHost:7480, 0, 0, 0, 0",
        "localhost., 0, 0, 0, 0",
        "127.0.0.1:7480, 0, 0, 0, 0",
        "127.9.9.9, 0, 0, 0, 0",
        "[::1]:7480, 0, 0, 0, 0",
        "[::ffff:127.0.0.1], 0, 0, 0, 0",
        "10.1.2.3:7480, 421, 0, 0, 421",
        "10.1.2.4, 421, 421, 0, 421",
        "[fe80::1]:80, 421, 421, 0, 421",
        "logs.example, 421, 421, 421, 0",
        "LOGS.example.:7480, 421, 421, 421, 0",
        "allowed.example:1, 0, 0, 0, 0",
        "192.0.2.7, 0, 0, 0, 0",
        "evil.example:7480, 421, 421, 421, 421",
        "localhost.evil.example, 421, 421, 421, 421",
        "127.0.0.1.evil.example, 421, 421, 421, 421",
        "evil.example@localhost, 421, 421, 421, 421",
        "localhost:80:80, 421, 421, 421, 421",
        "localhost:x, 421, 421, 421, 421",
        "[::1]x, 421, 421, 421, 421",
        "[::1, 421, 421, 421, 421",
        "'', 421, 421, 421, 421",
        "'localhost, evil.example', 421, 421, 421, 421",
    })
    void onlyANameThatIsOursIsAnswered(String host, int loopback, int bound, int all, int name) {
        List<String> allowed = List.of("Allowed.Example", "192.0.2.7");
        assertThat(get(new CallerCheck("127.0.0.1", allowed, false), host)).isEqualTo(loopback);
        assertThat(get(new CallerCheck("10.1.2.3", allowed, false), host)).isEqualTo(bound);
        assertThat(get(new CallerCheck("0.0.0.0", allowed, false), host)).isEqualTo(all);
        assertThat(get(new CallerCheck("::", allowed, false), host)).isEqualTo(all);
        assertThat(get(new CallerCheck("logs.example", allowed, false), host)).isEqualTo(name);
    }

    @Test
    void aTargetThatNamesAnotherServerIsRefusedWhateverTheHostSays() {
        CallerCheck callers = new CallerCheck("127.0.0.1", List.of(), false);
        assertThat(check(callers, "GET http://evil.example/metrics HTTP/1.1", "Host: localhost"))
                .isEqualTo(421);
        assertThat(check(callers, "GET http://localhost:7480/metrics HTTP/1.1", "Host: localhost"))
                .isZero();
        assertThat(check(callers, "GET /metrics HTTP/1.0")).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:7480, 0",
        "HTTP://LOCALHOST:7480, 0",
        "https://localhost:7480, 0",
        "http://localhost, 403",
        "http://localhost:7481, 403",
        "http://127.0.0.1:7480, 403",
        "http://evil.example:7480, 403",
        "http://evil.example, 403",
        "null, 403",
        "'', 403",
        "file://, 403",
        "localhost:7480, 403",
        "ftp://localhost:7480, 403",
    })
    void onlyAPageOfThisPortMaySend(String origin, int status) {
        CallerCheck callers = new CallerCheck("127.0.0.1", List.of(), false);
        assertThat(get(callers, "localhost:7480", "Origin: " + origin)).isEqualTo(status);
        assertThat(check(callers, "GET / HTTP/1.0", "Origin: " + origin)).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({"none, 0", "same-origin, 0", "same-site, 403", "cross-site, 403", "'', 403", "new-word, 403"})
    void aBrowserThatSaysThatAnotherPageSendsIsBelieved(String site, int status) {
        CallerCheck callers = new CallerCheck("127.0.0.1", List.of(), false);
        assertThat(get(callers, "localhost", "Sec-Fetch-Site: " + site)).isEqualTo(status);
    }

    @Test
    void anAllowedHostIsANameOrAnAddress() {
        ServerOptions options = ServerOptions.of(List.of(TargetOptions.unlogged("off")));
        assertThat(options.withAllowedHosts(List.of("a.b", "10.0.0.1", "::1", "[::1]"))
                        .allowedHosts())
                .hasSize(4);
        for (String wrong : List.of("http://a", "a:80", "a/b", "", "*", "a b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> options.withAllowedHosts(List.of(wrong)))
                    .withMessageContaining("without scheme and port");
        }
    }
}
