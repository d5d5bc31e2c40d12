package io.plog.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.plog.server.access.Access;
import io.plog.server.http.CallerCheck;
import io.plog.server.http.HttpStatus;
import io.plog.server.net.SlowLink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlowReaderTest {
    private static final String LARGE = "x".repeat(4 << 20);

    private final AdminRouter router = new AdminRouter(new AdminSources(
            null,
            target -> new AdminSources.Health(true, LARGE),
            name -> AdminSources.Answer.say(HttpStatus.OK, "saved"),
            since -> "{}",
            () -> "{}"));
    private final SlowLink link = new SlowLink(
            new SimpleMeterRegistry(),
            new AdminConnection(
                    new CallerCheck("127.0.0.1", Set.of(), false),
                    Access.of(null, Set.of()),
                    router,
                    new AdminConnections(Duration.ofSeconds(10))));

    SlowReaderTest() throws IOException {}

    @AfterEach
    void close() {
        link.close();
        link.finishAndReleaseAll();
        router.close();
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
