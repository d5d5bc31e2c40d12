package io.plog.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.plog.server.net.SlowLink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlowReaderTest {
    private static final String LARGE = "x".repeat(4 << 20);

    private static final HttpServer.Router ROUTER = new HttpServer.Router() {
        @Override
        public HttpServer.@Nullable Work route(Channel connection, HttpHead head, HttpExchange exchange) {
            exchange.say(HttpStatus.OK, LARGE);
            return null;
        }

        @Override
        public void close() {}
    };

    private final SlowLink link = new SlowLink(
            new SimpleMeterRegistry(), new HttpConnection(ROUTER, new HttpConnections(Duration.ofSeconds(10))));

    @AfterEach
    void close() {
        link.close();
        link.finishAndReleaseAll();
    }

    @Test
    void anAnswerIsReadToItsEndOverASlowNetwork() {
        ask();
        link.run(Duration.ofMinutes(10), 8_000, () -> {}); // 4 MiB take 9 minutes
        assertThat(link.isOpen()).isTrue();
        assertThat(link.unsafe().outboundBuffer().isEmpty()).isTrue();
    }

    @Test
    void whoReadsHardlyAnythingIsClosedAndNamed() {
        ask();
        link.run(Duration.ofSeconds(29), 1_000, () -> {});
        assertThat(link.isOpen()).isTrue();
        link.run(Duration.ofSeconds(2), 1_000, () -> {});
        assertThat(link.isOpen()).isFalse();
        assertThat(link.said()).containsPattern("in 30000 ms it took (29|30)\\d{3} bytes of its replies");
    }

    private void ask() {
        byte[] request = "GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        link.writeInbound(Unpooled.wrappedBuffer(request));
    }
}
