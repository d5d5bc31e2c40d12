package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.client.WrongReplyException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What services send that keep RFC 9112 in ways that are seldom seen. */
class HttpReplyTest {
    private final HttpReply reply = new HttpReply();

    private void begin() {
        ByteBuf request = Unpooled.buffer();
        RequestHeader.write(request, 0, 1, 1, 0);
        reply.begin(request, 0);
    }

    /** In pieces of so many bytes. */
    private void read(String text, int piece) throws WrongReplyException {
        for (int at = 0; at < text.length(); at += piece) {
            String part = text.substring(at, Math.min(text.length(), at + piece));
            reply.read(Unpooled.copiedBuffer(part, StandardCharsets.ISO_8859_1));
        }
    }

    private static String lines(String text) {
        return text.replace("|", "\r\n").replace("\\t", "\t");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                // words that mean the same in any case
                "HTTP/1.1 200 OK|Connection: close|Content-Length: 2||ok! true",
                "HTTP/1.1 200 OK|Connection: Close|Content-Length: 2||ok! true",
                "HTTP/1.1 200 OK|connection: Keep-Alive, CLOSE|Content-Length: 2||ok! true",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|0||! false",
                "HTTP/1.1 200 OK|Transfer-Encoding: Chunked||2|ok|0||! false",
                "HTTP/1.1 200 OK|TRANSFER-ENCODING: gzip, CHUNKED||2|ok|0||! false",
                "HTTP/1.0 200 OK|Connection: Keep-Alive|Content-Length: 2||ok! false",
                "HTTP/1.0 200 OK|Content-Length: 2||ok! true",
                // blanks where they may be, or may be left out
                "HTTP/1.1 200 OK|Content-Length:\\t2||ok! false",
                "HTTP/1.1 200 OK|Content-Length:2 ||ok! false",
                "HTTP/1.1 200 OK|Transfer-Encoding:\\tchunked \\t||2;a=b|ok|0|X: y||! false",
                "HTTP/1.1 200|Content-Length: 2||ok! false",
                // what comes before and instead of a body
                "HTTP/1.1 103 Early Hints|Link: </x>||HTTP/1.1 200 OK|Content-Length: 2||ok! false",
                "HTTP/1.1 100 Continue||HTTP/1.1 100 Continue||HTTP/1.1 204 No Content||! false",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||A|0123456789|1a|0123456789abcdef0123456789|0||! false",
            })
    void aReplyIsWholeHoweverItIsWritten(String text, boolean last) throws Exception {
        for (int piece : new int[] {1, 7, 4_096}) {
            begin();
            read(lines(text), piece);

            assertThat(reply.isWhole()).isTrue();
            assertThat(reply.isLast()).isEqualTo(last);
        }
    }

    @Test
    void aBodyWithoutALengthEndsWithItsConnection() throws Exception {
        begin();
        read(lines("HTTP/1.1 200 OK|Connection: close||o"), 3);
        assertThat(reply.isWhole()).isFalse();
        assertThat(reply.isWholeAtClose()).isTrue();

        begin();
        read(lines("HTTP/1.1 200 OK|Content-Length: 2||o"), 3);
        assertThat(reply.isWholeAtClose()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "HTTP/1.1 429 Too Many Requests|Retry-After: 7|Content-Length: 0||! 7",
                "HTTP/1.1 503 |RETRY-AFTER:\\t0|Content-Length: 0||! 1",
                "HTTP/1.1 503 |Retry-After: Sun, 29 Nov 2026 00:00:00 GMT|Content-Length: 0||! 1",
                "HTTP/1.1 503 Busy|Content-Length: 0||! 1",
            })
    void aServiceThatHasNoTimeMaySayWhenToTryAgain(String text, int seconds) throws Exception {
        begin();
        read(lines(text), 4_096);

        assertThat(reply.retryAfter()).hasSeconds(seconds);
        ByteBuf frame = reply.write(Unpooled.buffer());
        assertThat(ReplyHeader.status(frame)).isEqualTo(Status.OVERLOADED.code());
        frame.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 100 Continue||", "HTTP/1.1 102 Processing|X: y||"})
    void interimRepliesWithoutEndAreNotReadForEver(String interim) {
        begin();
        assertThatThrownBy(() -> read(lines(interim.repeat(1_000)), 4_096))
                .isInstanceOf(WrongReplyException.class)
                .hasMessageContaining("too many lines");
    }
}
