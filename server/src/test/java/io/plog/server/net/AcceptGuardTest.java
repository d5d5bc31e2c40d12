package io.plog.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.plog.server.monitoring.ServerMeters;
import io.plog.server.monitoring.ServerNotices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The handler before a listening channel, on a clock that the test moves. */
final class AcceptGuardTest {
    private final IOException noDescriptor = new IOException("Too many open files");

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private long now;
    private final AcceptGuard guard =
            new AcceptGuard("port", new ServerMeters(registry), new ServerNotices(said, () -> 0), () -> now);
    private final EmbeddedChannel channel = new EmbeddedChannel(guard);

    AcceptGuardTest() {
        channel.freezeTime();
    }

    private void passes(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    private void fails(Throwable cause) {
        channel.pipeline().fireExceptionCaught(cause);
    }

    private long lines() {
        return said.toString(StandardCharsets.UTF_8).lines().count();
    }

    @Test
    void acceptingPausesAndIsTriedAgain() {
        fails(noDescriptor);
        assertThat(channel.config().isAutoRead()).isFalse();
        passes(AcceptGuard.PAUSE_MILLIS);
        assertThat(channel.config().isAutoRead()).isTrue();
        fails(noDescriptor);
        assertThat(channel.config().isAutoRead()).isFalse();
        passes(AcceptGuard.PAUSE_MILLIS);
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void aShortageOfAnyLengthIsTwoLines() {
        int failures = 50;
        for (int i = 0; i < failures; i++) {
            fails(noDescriptor);
            passes(AcceptGuard.PAUSE_MILLIS);
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("no connection is accepted on the port (Too many open files)", "ulimit -n");
        assertThat(lines()).isEqualTo(1);
        assertThat(guard.problem()).contains("no connection is accepted on the port (Too many open files)");
        passes(AcceptGuard.CALM_MILLIS);
        for (int i = 0; i < 20; i++) {
            passes(AcceptGuard.PAUSE_MILLIS);
        }
        assertThat(lines()).isEqualTo(2);
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("connections are accepted again on the port: it had failed 50 times in 4900 ms");
        assertThat(guard.problem()).isNull();
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(registry.get("plog.accept.failures").counter().count()).isEqualTo(failures);
    }

    @Test
    void theNextShortageIsReportedAgain() {
        fails(noDescriptor);
        passes(AcceptGuard.CALM_MILLIS);
        passes(AcceptGuard.PAUSE_MILLIS);
        assertThat(guard.problem()).isNull();
        fails(noDescriptor);
        assertThat(lines()).isEqualTo(3);
        assertThat(guard.problem()).isNotNull();
    }

    @Test
    void anErrorGetsNoFurtherEither() {
        fails(new OutOfMemoryError("Java heap space"));
        channel.checkException(); // throws what reached the end of the pipeline
        assertThat(guard.problem()).contains("Java heap space");
    }

    @Test
    void aPortThatIsClosingSaysNothing() {
        ChannelHandlerContext context = channel.pipeline().context(guard);
        channel.close().syncUninterruptibly();
        guard.exceptionCaught(context, noDescriptor); // not through the pipeline, which is empty by now
        assertThat(lines()).isZero();
        assertThat(guard.problem()).isNull();
    }
}
