package io.plog.server.net;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.plog.server.monitoring.ServerMeters;
import io.plog.server.monitoring.ServerNotices;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A connection that came in without TLS, on a link that takes so many bytes a second of simulated time. */
public final class SlowLink extends EmbeddedChannel {
    private static final int TICK_MILLIS = 20;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private long nanos;
    private long room;

    public SlowLink(MeterRegistry registry, ChannelHandler... handlers) {
        super(new ChannelInitializer<SlowLink>() {
            @Override
            protected void initChannel(SlowLink link) {}
        });
        freezeTime();
        new TransportSecurity(null, new ServerMeters(registry), new ServerNotices(said, () -> 0), () -> nanos)
                .guard(this, "port", (out, sentence) -> {});
        pipeline().addLast(handlers);
    }

    /** What the server's log says of it. */
    public String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    /** The time, as {@link System#nanoTime}. */
    public long nanos() {
        return nanos;
    }

    /** Lets time pass, as bytes leave; whenever all have left, something is done. */
    public void run(Duration time, int bytesPerSecond, Runnable empty) {
        for (long tick = 0; tick < time.toMillis() / TICK_MILLIS; tick++) {
            room += (long) bytesPerSecond * TICK_MILLIS / 1_000;
            flush();
            while (isOpen() && unsafe().outboundBuffer().isEmpty() && room > 0) {
                long before = room;
                empty.run();
                if (room == before) {
                    break;
                }
            }
            pass(TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Lets time pass in which nothing leaves. All that is due then comes at once. */
    public void pass(long time, TimeUnit unit) {
        nanos += unit.toNanos(time);
        advanceTimeBy(time, unit);
        runScheduledPendingTasks();
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) {
        while (room > 0 && in.current() instanceof ByteBuf reply) {
            long taken = Math.min(room, reply.readableBytes());
            room -= taken;
            in.removeBytes(taken);
        }
    }
}
