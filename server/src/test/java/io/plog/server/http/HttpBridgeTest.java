package io.plog.server.http;

import static io.plog.server.http.HttpTestClient.bytes;
import static io.plog.server.http.HttpTestClient.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.plog.log.storage.Force;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameType;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.server.access.Access;
import io.plog.server.connection.ServerContext;
import io.plog.server.monitoring.ServerEvents;
import io.plog.server.monitoring.ServerMeters;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.InvertService;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.TargetState;
import io.plog.server.targets.FakeLog;
import io.plog.server.targets.RecordLog;
import io.plog.server.targets.Target;
import io.plog.server.targets.TargetMeters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The bridge between the two protocols, with a test in place of the connection behind it. */
@SuppressWarnings("FutureReturnValueIgnored") // an embedded channel is done when it returns
class HttpBridgeTest {
    private final Deque<ByteBuf> frames = new ArrayDeque<>();
    private final HttpContext front;
    private long nanos = Long.MAX_VALUE; // what the clock says, which may go from its largest value to its smallest

    @SuppressWarnings("NullAway.Init") // with each channel
    private ChannelHandlerContext behind;

    HttpBridgeTest() {
        ServerOptions options = ServerOptions.of(List.of(
                        TargetOptions.logged("disk", Path.of("."), Force.FDATASYNC), TargetOptions.unlogged("off")))
                .withLimits(1 << 20, 10, 8, 64 << 10)
                .withHttpPort(0);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ServerMeters meters = new ServerMeters(registry);
        List<Target> targets = new ArrayList<>();
        for (TargetOptions each : options.targets()) {
            TargetState state = new TargetState(
                    each.name(), new InvertService(), new MemoryBounds(1_024, 4_096, 8 << 20, 64 << 20));
            TargetMeters ofTarget = new TargetMeters(registry, each, new ServerEvents().target(each));
            RecordLog log = each.isLogged() ? new FakeLog() : null;
            Target target = new Target(targets.size(), each, state, 1 << 20, ofTarget);
            target.serve(log, state, () -> true);
            targets.add(target);
        }
        ServerContext server =
                new ServerContext(options, 10, targets, Map.of(), meters, null, null, null, everybody(), null, null);
        front = new HttpContext(server, new MemoryBounds(1_024, 4_096, 8 << 20, 64 << 20), registry);
        front.listensOn(1);
    }

    private static Access everybody() {
        try {
            return Access.of(null, Set.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private EmbeddedChannel channel() {
        EmbeddedChannel channel =
                new EmbeddedChannel(new HttpBridge(front, () -> nanos), new ChannelInboundHandlerAdapter() {
                    @Override
                    public void handlerAdded(ChannelHandlerContext ctx) {
                        behind = ctx;
                    }

                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object frame) {
                        frames.add((ByteBuf) frame);
                    }
                });
        assertThat(Frame.type(frames.element())).isEqualTo(FrameType.HELLO.code());
        frames.remove().release();
        return channel;
    }

    /** Replies as a connection does: with the payload as it came. */
    private void reply(EmbeddedChannel channel, ByteBuf request) {
        write(channel, request);
        behind.flush();
    }

    private void write(EmbeddedChannel channel, ByteBuf request) {
        ByteBuf reply = Unpooled.buffer(request.readableBytes());
        ReplyHeader.begin(reply, request);
        ReplyHeader.setLogged(reply, 9, 0, 1_000_000, 999_999, 12_345_678_901L, 1);
        reply.writeBytes(request, request.readerIndex() + RequestHeader.BYTES, RequestHeader.payloadBytes(request));
        request.release();
        behind.write(reply, channel.voidPromise());
    }

    private static void send(EmbeddedChannel channel, byte[] bytes, int from, int to) {
        if (channel.isOpen()) { // it cannot close one half only, so it closes as soon as the last answer is written
            channel.writeInbound(Unpooled.copiedBuffer(bytes, from, to - from));
        }
    }

    private static String written(EmbeddedChannel channel) {
        StringBuilder all = new StringBuilder();
        for (ByteBuf each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
            all.append(each.toString(StandardCharsets.ISO_8859_1));
            each.release();
        }
        return all.toString().replaceAll("Date: [^\r]*", "Date");
    }

    @Test
    void howTheBytesAreCutAndWhenTheRepliesComeChangesNothing() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] all = bytes(post("/log/disk", "one") + "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n\r\n"
                + "POST /log/off HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5;a=b\r\nhello\r\n10\r\n0123456789abcdef\r\n0\r\nA: b\r\n\r\n"
                + post("/log/disk", "", "Idempotency-Key: k") + post("/log/no", "refused")
                + post("/log/disk", "x".repeat(9_000), "Idempotency-Key: l")
                + post("/log/disk", "", "Idempotency-Key: k")
                + "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n" + "GET / HTTP/1.1\r\n\r\n" + post("/log/disk", "never"));
        String expected = "";
        for (int run = 0; run < 60; run++) {
            EmbeddedChannel channel = channel();
            int at = 0;
            while (at < all.length || !frames.isEmpty()) {
                int to = run == 0 ? all.length : Math.min(all.length, at + random.nextInt(1 + random.nextInt(200)));
                send(channel, all, at, to);
                at = to;
                if ((run > 0 && random.nextBoolean()) || at == all.length) {
                    List<ByteBuf> due = new ArrayList<>(frames);
                    frames.clear();
                    if (run > 0) {
                        Collections.shuffle(due, random);
                    }
                    due.forEach(each -> reply(channel, each));
                    channel.runPendingTasks();
                }
            }
            String responses = written(channel);
            expected = run == 0 ? responses : expected;
            assertThat(responses).as("seed %d, run %d", seed, run).isEqualTo(expected);
            assertThat(channel.finishAndReleaseAll()).isFalse();
        }
        assertThat(expected).contains("no Host").doesNotContain("never");
        assertThat(expected.split("(?m)^.*HTTP/1.1 [2-5]", -1)).hasSize(10);
    }

    @Test
    void everyDurationIsInMillisecondsToTheNanosecond() {
        EmbeddedChannel channel = channel();
        byte[] request = bytes(post("/log/disk", "a"));
        send(channel, request, 0, request.length);
        nanos += 13_000_000_001L;
        reply(channel, frames.remove());
        assertThat(written(channel))
                .contains("Server-Timing: waiting;dur=0.000000, batch;dur=1.000000, write;dur=0.999999, "
                        + "force;dur=12345.678901, exec;dur=0.000000, total;dur=13000.000001\r\n")
                .contains("Plog-Index: 9\r\n");
        channel.finishAndReleaseAll();
    }

    @Test
    void theTotalEndsWhenTheAnswerIsWrittenInItsTurn() {
        EmbeddedChannel channel = channel();
        byte[] slow = bytes(post("/log/disk", "slow", "Idempotency-Key: k"));
        byte[] fast = bytes(post("/log/disk", "fast"));
        byte[] again = bytes(post("/log/disk", "slow", "Idempotency-Key: k"));
        send(channel, slow, 0, slow.length);
        nanos += 1_000_000;
        send(channel, fast, 0, fast.length);
        send(channel, again, 0, again.length);
        reply(channel, frames.removeLast());
        assertThat(written(channel)).isEmpty();
        nanos += 5_000_000;
        reply(channel, frames.remove());
        assertThat(written(channel)).containsSubsequence("total;dur=6.000000", "slow", "total;dur=5.000000", "fast");
        nanos += 2_000_000;
        channel.runPendingTasks();
        reply(channel, frames.remove());
        assertThat(written(channel)).contains("total;dur=7.000000");
        channel.finishAndReleaseAll();
    }

    @Test
    void aRequestOfTheSameKeyWaitsForTheOneBeforeIt() {
        EmbeddedChannel channel = channel();
        byte[] three = bytes(post("/log/disk", "a", "Idempotency-Key: k")
                + post("/log/disk", "b", "Idempotency-Key: k")
                + post("/log/disk", "c", "Idempotency-Key: other"));
        send(channel, three, 0, three.length);
        assertThat(frames).hasSize(2); // k and other
        reply(channel, frames.remove());
        channel.runPendingTasks();
        assertThat(frames).hasSize(2);
        ByteBuf second = frames.removeLast();
        assertThat(second.toString(RequestHeader.BYTES, 1, StandardCharsets.US_ASCII))
                .isEqualTo("b");
        reply(channel, second);
        reply(channel, frames.remove());
        assertThat(written(channel)).containsSubsequence("\r\n\r\na", "\r\n\r\nb", "\r\n\r\nc");
        assertThat(channel.finishAndReleaseAll()).isFalse();
    }

    @Test
    void aRequestOfTheSameKeyThatComesWhileTheNextIsAboutToBeHandedOverWaitsBehindIt() {
        EmbeddedChannel channel = channel();
        byte[] two = bytes(post("/log/disk", "a", "Idempotency-Key: k") + post("/log/disk", "b", "Idempotency-Key: k"));
        send(channel, two, 0, two.length);
        // A flush would run what the event loop has yet to do, which is to hand the second over.
        write(channel, frames.remove());
        channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(bytes(post("/log/disk", "c", "Idempotency-Key: k"))));
        assertThat(frames).isEmpty();
        for (String body : List.of("b", "c")) {
            channel.runPendingTasks();
            ByteBuf next = frames.remove();
            assertThat(next.toString(RequestHeader.BYTES, 1, StandardCharsets.US_ASCII))
                    .isEqualTo(body);
            reply(channel, next);
        }
        assertThat(written(channel)).containsSubsequence("\r\n\r\na", "\r\n\r\nb", "\r\n\r\nc");
        assertThat(channel.finishAndReleaseAll()).isFalse();
    }

    @Test
    void answersThatWaitForTheirTurnHoldTheConnectionBack() {
        EmbeddedChannel channel = channel();
        byte[] first = bytes(post("/log/disk", "first"));
        send(channel, first, 0, first.length);
        ByteBuf slow = frames.remove();
        byte[] describe = bytes("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        for (int i = 1; i < 8; i++) {
            assertThat(channel.isWritable()).as("%d waiting", i).isTrue();
            send(channel, describe, 0, describe.length);
        }
        assertThat(channel.isWritable()).isFalse();
        reply(channel, slow);
        assertThat(channel.isWritable()).isTrue();

        send(channel, first, 0, first.length);
        slow = frames.remove();
        byte[] large = bytes(post("/log/off", "x".repeat(33_000)));
        for (int i = 0; i < 2; i++) {
            assertThat(channel.isWritable()).isTrue();
            send(channel, large, 0, large.length);
            reply(channel, frames.remove());
        }
        assertThat(channel.isWritable()).isFalse();
        reply(channel, slow);
        assertThat(channel.isWritable()).isTrue();
        channel.finishAndReleaseAll();
    }

    @Test
    void whatIsHeldWhenTheClientGoesAwayIsLetGo() {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
        EmbeddedChannel channel = channel();
        channel.config().setAllocator(allocator);
        byte[] some = bytes(post("/log/disk", "a", "Idempotency-Key: k")
                + post("/log/disk", "b", "Idempotency-Key: k")
                + post("/log/off", "answered")
                + post("/log/disk", "not whole").substring(0, 60));
        send(channel, some, 0, some.length);
        ByteBuf slow = frames.remove();
        reply(channel, frames.remove());
        channel.close();
        reply(channel, slow);
        channel.runPendingTasks();
        assertThat(written(channel)).isEmpty();
        assertThat(channel.finishAndReleaseAll()).isFalse();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
        assertThat(frames).isEmpty();
    }
}
