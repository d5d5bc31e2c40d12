package io.plog.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.RequestHeader;
import io.plog.server.net.SlowLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In simulated time, on a link whose speed is chosen. */
class WatchdogTest {
    private static final int REPLY_BYTES = 100_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final FrameDecoder decoder = FrameDecoder.forServer(1 << 20);
    private final List<String> goodbyes = new ArrayList<>();
    private final SlowLink link = new SlowLink(registry, decoder);

    @AfterEach
    void release() {
        link.close();
        link.finishAndReleaseAll();
    }

    @Test
    void aSlowLinkKeepsItsConnectionForAnHourOfRepliesOfOneLength() {
        // 10 Mbit/s: 12.5 replies a second, so each look meets the very same number of bytes that wait.
        watch();
        long replies = run(Duration.ofHours(1), 1_250_000);
        assertThat(link.isOpen()).isTrue();
        assertThat(replies).isBetween(44_000L, 46_000L);
        assertThat(link.said()).isEmpty();
    }

    @Test
    void onlyAFewBytesThatLeaveOneReplyInAPatienceAreEnough() {
        watch();
        run(Duration.ofMinutes(10), 100);
        assertThat(link.isOpen()).isTrue();
    }

    @Test
    void aClientThatReadsNothingIsClosedAndNamedWithTheTime() {
        watch();
        run(Duration.ofMinutes(1), 1_250_000);
        link.writeAndFlush(Unpooled.wrappedBuffer(new byte[REPLY_BYTES]));
        run(Duration.ofSeconds(9), 0);
        assertThat(link.isOpen()).isTrue();
        run(Duration.ofSeconds(21), 0);
        assertThat(link.isOpen()).isFalse();
        assertThat(link.said()).contains("to the port was ended: in 10000 ms it took 0 bytes of its replies");
        assertThat(registry.get("plog.connections.ended")
                        .tag("reason", "idle")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void timeInWhichTheServerWasStoppedIsNotTheClientsFault() {
        watch();
        run(Duration.ofSeconds(15), 1_250_000);
        for (int i = 0; i < 5; i++) {
            // All looks that were due come at once, before anything could leave.
            link.pass(2, TimeUnit.MINUTES);
            assertThat(link.isOpen()).isTrue();
        }
        run(Duration.ofSeconds(31), 0);
        assertThat(link.isOpen()).isFalse();
    }

    @Test
    void aFrameThatComesSlowlyIsReceivedToItsEnd() {
        watch();
        ByteBuf frame = Unpooled.buffer();
        RequestHeader.write(frame, 0, 1, 1, 1 << 20);
        frame.writeZero(1 << 20);
        int whole = frame.readableBytes();
        while (frame.isReadable()) {
            link.writeInbound(Unpooled.copiedBuffer(frame.readSlice(Math.min(1_000, frame.readableBytes()))));
            link.run(Duration.ofSeconds(1), 1_250_000, () -> {}); // 8 kbit/s: 17 minutes
        }
        assertThat(goodbyes).isEmpty();
        ByteBuf received = link.readInbound();
        assertThat(received.readableBytes()).isEqualTo(whole);
        received.release();
    }

    @Test
    void aFrameOfWhichAByteComesNowAndThenEndsItsConnection() {
        watch();
        ByteBuf frame = Unpooled.buffer();
        RequestHeader.write(frame, 0, 1, 1, 1 << 20);
        link.writeInbound(frame);
        for (int i = 0; i < 30 && goodbyes.isEmpty(); i++) {
            link.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
            link.run(Duration.ofSeconds(1), 1_250_000, () -> {});
        }
        assertThat(goodbyes)
                .containsExactly("IDLE: a frame stayed unfinished, and less than 4096 bytes of it came in 10000 ms");
        decoder.drop();
    }

    private void watch() {
        Watchdog watchdog = new Watchdog(decoder, PATIENCE, link::nanos);
        watchdog.start(link, new Watchdog.Watched() {
            @Override
            public boolean hasGreeted() {
                return true;
            }

            @Override
            public boolean isThrottled() {
                return false;
            }

            @Override
            public void sayGoodbye(GoodbyeCode code, String reason) {
                goodbyes.add(code + ": " + reason);
                watchdog.stop();
            }
        });
    }

    /** Lets time pass. @return how many replies were sent to a client that asks for the next one as soon as it has one */
    private long run(Duration time, int bytesPerSecond) {
        AtomicLong replies = new AtomicLong();
        link.run(time, bytesPerSecond, () -> {
            replies.incrementAndGet();
            link.writeAndFlush(Unpooled.wrappedBuffer(new byte[REPLY_BYTES]));
        });
        return replies.get();
    }
}
