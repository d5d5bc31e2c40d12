package io.plog.server;

import static io.plog.server.http.HttpTestClient.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.plog.server.http.HttpTestClient;
import io.plog.server.http.HttpTestClient.Response;
import io.plog.server.options.TargetOptions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a proxy and this server might read differently, and what is too much: one answer, and the connection ends. */
class HttpBadInputTest extends FakeLogServer {
    private static final String POST = "POST /log/off HTTP/1.1\r\nHost: localhost\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";

    /** Would be answered with 200 by a server that reads on behind the bad request. */
    private static final String SMUGGLED = post("/log/off", "smuggled");

    @BeforeEach
    void start() throws Exception {
        start(options(TargetOptions.unlogged("off")).withHttpPort(0).withLimits(1_000, 100, 100, 64 << 10));
    }

    private static Arguments bad(String bytes, int status, String sentence) {
        return Arguments.of(bytes, status, sentence);
    }

    static Stream<Arguments> badRequests() {
        String many = "A: b\r\n".repeat(101);
        return Stream.of(
                bad(
                        POST + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        400,
                        "both Content-Length"),
                bad(
                        POST + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
                        400,
                        "both Content-Length"),
                bad(POST + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400, "a second Content-Length"),
                bad(POST + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400, "a second Content-Length"),
                bad(POST + "Content-Length: 3, 3\r\n\r\nabc", 400, "expected a number of bytes"),
                bad(POST + "Content-Length: +3\r\n\r\nabc", 400, "expected a number of bytes"),
                bad(POST + "Content-Length: -3\r\n\r\nabc", 400, "expected a number of bytes"),
                bad(POST + "Content-Length: 0x3\r\n\r\nabc", 400, "expected a number of bytes"),
                bad(POST + "Content-Length: \r\n\r\nabc", 400, "expected a number of bytes"),
                bad(POST + "Content-Length: 18446744073709551619\r\n\r\nabc", 400, "expected a number of bytes"),
                bad(POST + "Content-Length : 3\r\n\r\nabc", 400, "a colon right behind it"),
                bad(POST + "Content-Length: 3\r\n 0\r\n\r\nabc", 400, "begins with a space"),
                bad(POST + "Content-Length: 3\r\n\tX: 0\r\n\r\nabc", 400, "begins with a space"),
                bad(POST + "Content-Length: 3\n\r\nabc", 400, "LF alone"),
                bad(POST + "X: a\rContent-Length: 3\r\n\r\nabc", 400, "a control character"),
                bad(POST + "X: a\0b\r\n\r\n", 400, "a control character in the header field 'x'"),
                bad(POST + "X\0: a\r\n\r\n", 400, "a colon right behind it"),
                bad(POST + ": a\r\n\r\n", 400, "a colon right behind it"),
                bad(POST + "no colon\r\n\r\n", 400, "a colon right behind it"),
                bad(POST + "\u00e4: a\r\n\r\n", 400, "a colon right behind it"),
                bad(POST + "Host: localhost\r\nContent-Length: 0\r\n\r\n", 400, "a second Host"),
                bad("POST /log/off HTTP/1.1\r\nContent-Length: 0\r\n\r\n", 400, "no Host"),
                bad(
                        POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        400,
                        "a second"),
                bad(POST + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, "other than chunked"),
                bad(POST + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501, "other than chunked"),
                bad(POST + "Transfer-Encoding: identity\r\n\r\n", 501, "other than chunked"),
                bad("POST /log/off HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "in HTTP/1.0"),
                bad(CHUNKED + "3\r\nabcX0\r\n\r\n", 400, "longer than its size says"),
                bad(CHUNKED + "3\r\nabcd\r\n0\r\n\r\n", 400, "longer than its size says"),
                bad(CHUNKED + "3\nabc\r\n0\r\n\r\n", 400, "LF alone"),
                bad(CHUNKED + "3\r\nabc\n0\r\n\r\n", 400, "LF alone"),
                bad(CHUNKED + "3 \r\nabc\r\n0\r\n\r\n", 400, "a chunk without a size"),
                bad(CHUNKED + "0x3\r\nabc\r\n0\r\n\r\n", 400, "a chunk without a size"),
                bad(CHUNKED + "-3\r\nabc\r\n0\r\n\r\n", 400, "a chunk without a size"),
                bad(CHUNKED + "\r\nabc\r\n0\r\n\r\n", 400, "a chunk without a size"),
                bad(CHUNKED + "10000000000000003\r\nabc\r\n0\r\n\r\n", 400, "a chunk without a size"),
                bad(CHUNKED + "3;\0\r\nabc\r\n0\r\n\r\n", 400, "a chunk without a size"),
                bad(CHUNKED + "3;" + "x".repeat(300), 400, "a chunk's line of more than 256 bytes"),
                bad(CHUNKED + "0\r\nno colon\r\n\r\n", 400, "a colon right behind it"),
                bad(CHUNKED + "3e9\r\n", 413, "chunks that go beyond the limit"),
                bad(CHUNKED + "3\r\nabc\r\n3e6\r\n", 413, "chunks that go beyond the limit"),
                bad(CHUNKED + "fffffffffffffff\r\n", 413, "chunks that go beyond the limit"),
                bad(POST + "Content-Length: 1001\r\n\r\nabc", 413, "a body of 1001 bytes: expected at most 1000"),
                bad("GET /" + "x".repeat(9_000), 414, "a request line of more than 8192 bytes"),
                bad(POST + "X: " + "x".repeat(17_000), 431, "header fields of more than 16384 bytes"),
                bad(
                        POST + ("X: " + "x".repeat(1_000) + "\r\n").repeat(17),
                        431,
                        "header fields of more than 16384 bytes"),
                bad(POST + many, 431, "more than 100 header fields"),
                bad(CHUNKED + "0\r\n" + many, 431, "more than 100 header fields"),
                bad(POST + "Expect: 200-maybe\r\nContent-Length: 3\r\n\r\n", 417, "not 100-continue"),
                bad(
                        POST + "Idempotency-Key: a\r\nIdempotency-Key: a\r\nContent-Length: 0\r\n\r\n",
                        400,
                        "a second Idem"),
                bad(POST + "Idempotency-Key: \r\nContent-Length: 0\r\n\r\n", 400, "expected 1 to 255 of ASCII"),
                bad(POST + "Idempotency-Key: \u00e4\r\nContent-Length: 0\r\n\r\n", 400, "expected 1 to 255 of ASCII"),
                bad(POST + "Idempotency-Key: " + "k".repeat(256) + "\r\n\r\n", 400, "expected 1 to 255 of ASCII"),
                bad(
                        POST + "Plog-Client: 7\r\nContent-Length: 0\r\n\r\n",
                        400,
                        "expected the key, or both of the others"),
                bad(
                        POST + "Plog-Client: 7\r\nPlog-Request: 1\r\nIdempotency-Key: a\r\n\r\n",
                        400,
                        "expected the key, or both of the others"),
                bad(
                        POST + "Plog-Client: 18446744073709551616\r\nPlog-Request: 1\r\n\r\n",
                        400,
                        "Plog-Client of 20 characters: expected a whole number from 0 to 18446744073709551615"),
                bad(POST + "Plog-Client: 7\r\nPlog-Request: +1\r\n\r\n", 400, "Plog-Request of 2 characters"),
                bad(
                        POST + "Plog-Client: 5211883315514048517\r\nPlog-Request: 1\r\n\r\n",
                        400,
                        "one of the ids that the server makes up"),
                bad("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "version HTTP/2.0: expected HTTP/1.1"),
                bad("GET /\r\n\r\n", 400, "no request line"),
                bad("GET  / HTTP/1.1\r\n\r\n", 400, "no request line"),
                bad("GET / HTTP/1.1 \r\n\r\n", 400, "does not end with a version"),
                bad("GET / http/1.1\r\n\r\n", 400, "does not end with a version"),
                bad("GET /\0 HTTP/1.1\r\n\r\n", 400, "no request line"),
                bad("G(T / HTTP/1.1\r\n\r\n", 400, "no request line"),
                bad(" GET / HTTP/1.1\r\n\r\n", 400, "no request line"),
                bad("\r\n\r\nGET / HTTP/1.1\r\n\r\n", 400, "no request line"),
                bad("GET / HTTP/1.1\nHost: localhost\n\n", 400, "LF alone"),
                bad("\u0016\u0003\u0001\u0002\n\r\n", 400, "LF alone"));
    }

    @ParameterizedTest
    @MethodSource("badRequests")
    void badRequestsGetOneSentenceAndNothingBehindThemIsRead(String bytes, int status, String sentence)
            throws Exception {
        try (HttpTestClient client = new HttpTestClient(server.httpPort())) {
            client.send(post("/log/off", "before") + bytes + SMUGGLED);
            assertThat(client.read().status()).isEqualTo(200);
            Response refused = client.read();
            assertThat(refused.text()).contains(sentence).endsWith("\n");
            assertThat(refused.status()).isEqualTo(status);
            assertThat(refused.header("Connection")).isEqualTo("close");
            assertThat(refused.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void aFloodOfHeadersThatNeverEndsIsEndedAtTheLimit() throws Exception {
        try (HttpTestClient client = new HttpTestClient(server.httpPort())) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\nA: ");
            for (int i = 0; i < 20; i++) {
                try {
                    client.send("a".repeat(1_000));
                } catch (java.net.SocketException e) {
                    break; // it need not listen to the end
                }
            }
            assertThat(client.read().status()).isEqualTo(431);
        }
    }
}
