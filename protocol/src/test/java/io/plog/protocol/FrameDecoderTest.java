package io.plog.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
    private static final int MAX_PAYLOAD = 1 << 20;

    private final Leaks leaks = new Leaks();
    private final FrameDecoder decoder = FrameDecoder.forServer(MAX_PAYLOAD);
    private final List<Throwable> failures = new ArrayList<>();
    private final EmbeddedChannel channel = channel(decoder);

    private EmbeddedChannel channel(FrameDecoder decoder) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder, new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                failures.add(cause);
            }
        });
        channel.config().setAllocator(leaks.allocator);
        return channel;
    }

    @AfterEach
    void everythingIsReleased() {
        channel.finishAndReleaseAll();
        leaks.assertNone();
    }

    @Test
    void aFrameInOneReadIsPassedOnWithoutACopy() {
        ByteBuf read = Bytes.request(0, 1, 2, new byte[100]);
        channel.writeInbound(read);
        assertThat(channel.<ByteBuf>readInbound()).isSameAs(read);
        assertThat(leaks.count()).isZero();
        read.release();
    }

    @Test
    void severalFramesInOneReadAreSlicesOfIt() {
        ByteBuf read = Unpooled.buffer();
        for (int i = 0; i < 3; i++) {
            read.writeBytes(Bytes.request(i, 1, i, new byte[i]));
        }
        channel.writeInbound(read);
        for (int i = 0; i < 3; i++) {
            ByteBuf frame = channel.readInbound();
            assertThat(RequestHeader.target(frame)).isEqualTo(i);
            assertThat(frame.readableBytes()).isEqualTo(88 + i);
            frame.release();
        }
        assertThat(read.refCnt()).isZero();
        assertThat(leaks.count()).isZero();
    }

    @Test
    void aFrameThatSpansReadsIsGatheredInOneContiguousBufferOfItsSize() {
        byte[] payload = new byte[100_000];
        new Random(1).nextBytes(payload);
        ByteBuf whole = Bytes.request(0, 1, 2, payload);
        while (whole.isReadable()) {
            channel.writeInbound(whole.readRetainedSlice(Math.min(30_000, whole.readableBytes())));
        }
        ByteBuf frame = channel.readInbound();
        assertThat(frame).isEqualTo(Bytes.request(0, 1, 2, payload));
        assertThat(frame.nioBufferCount()).isEqualTo(1);
        assertThat(leaks.capacities()).containsExactly(100_088);
        frame.release();
        whole.release();
    }

    @Test
    void aHeaderThatOnlyPromisesALargeFrameCostsLittle() {
        channel.writeInbound(
                Unpooled.buffer().writeInt(84 + MAX_PAYLOAD).writeByte(3).writeByte(0));
        assertThat(decoder.isMidFrame()).isTrue();
        assertThat(leaks.capacities()).containsExactly(128 * 1024);
    }

    @Test
    void everySplitGivesTheSameFrames() {
        ByteBuf stream = Unpooled.buffer();
        Hello.encode(stream, "");
        stream.writeBytes(Bytes.request(1, 2, 3, new byte[] {1, 2, 3}));
        stream.writeBytes(Bytes.request(1, 2, 4, new byte[0]));
        String expected = Bytes.hex(stream);
        for (int first = 0; first <= stream.readableBytes(); first++) {
            for (int second = first; second <= stream.readableBytes(); second++) {
                channel.writeInbound(Unpooled.copiedBuffer(stream.slice(0, first)));
                channel.writeInbound(Unpooled.copiedBuffer(stream.slice(first, second - first)));
                channel.writeInbound(Unpooled.copiedBuffer(stream.slice(second, stream.readableBytes() - second)));
                assertThat(drain(channel))
                        .as("split at %d and %d", first, second)
                        .isEqualTo(expected);
                assertThat(decoder.isMidFrame()).isFalse();
            }
        }
        assertThat(decoder.frames() % 3).isZero();
    }

    @Test
    void everyTruncationIsAnUnfinishedFrameThatIsReleasedWithTheConnection() {
        ByteBuf whole = Bytes.request(1, 2, 3, new byte[40]);
        for (int bytes = 1; bytes < whole.readableBytes(); bytes++) {
            FrameDecoder truncated = FrameDecoder.forServer(MAX_PAYLOAD);
            EmbeddedChannel connection = channel(truncated);
            connection.writeInbound(Unpooled.copiedBuffer(whole.slice(0, bytes)));
            assertThat(truncated.isMidFrame()).isTrue();
            assertThat(connection.<ByteBuf>readInbound()).isNull();
            connection.close().syncUninterruptibly();
            assertThat(truncated.isMidFrame()).isFalse();
        }
        leaks.assertNone();
        assertThat(failures).isEmpty();
    }

    @Test
    void aLengthOverTheLimitIsRefusedBeforeAnythingIsAllocated() {
        for (long length : new long[] {84L + MAX_PAYLOAD + 1, 0x7FFFFFFFL, 0x80000000L, 0xFFFFFFFFL}) {
            assertRefused(Unpooled.buffer().writeInt((int) length).writeByte(3).writeByte(0), GoodbyeCode.TOO_LARGE);
            assertRefused(Unpooled.buffer().writeInt((int) length).writeByte(1).writeByte(0), GoodbyeCode.TOO_LARGE);
        }
        assertThat(leaks.count()).isZero();
    }

    @Test
    void aLengthBelowTheLeastIsMalformed() {
        for (int length : new int[] {0, 1, 2, 7}) {
            assertRefused(Unpooled.buffer().writeInt(length).writeByte(1).writeByte(0), GoodbyeCode.MALFORMED);
        }
        assertRefused(Unpooled.buffer().writeInt(83).writeByte(3).writeByte(0), GoodbyeCode.MALFORMED);
    }

    @Test
    void aTypeThatTheOtherSideMayNotSendIsMalformed() {
        for (int type : new int[] {0, 2, 4, 5, 6, 255}) {
            assertRefused(Unpooled.buffer().writeInt(84).writeByte(type).writeByte(0), GoodbyeCode.MALFORMED);
        }
    }

    @Test
    void aClientsLimitCanFollowTheServers() {
        FrameDecoder client = FrameDecoder.forClient(0);
        EmbeddedChannel connection = channel(client);
        connection.writeInbound(Unpooled.buffer().writeInt(1_108).writeByte(4).writeZero(1_107));
        assertThat(drain(connection)).as("a refusal with the longest sentence").hasSize(2 * 1_112);
        client.setMaxPayloadBytes(2_000);
        connection.writeInbound(Unpooled.buffer().writeInt(2_084).writeByte(4).writeZero(2_083));
        assertThat(drain(connection)).hasSize(2 * 2_088);
        connection.writeInbound(Unpooled.buffer().writeInt(2_085).writeByte(4).writeZero(2_084));
        assertThat(failures).hasSize(1);
        connection.finishAndReleaseAll();
    }

    @Test
    void whatFollowsAViolationIsDropped() {
        ByteBuf bad = Unpooled.buffer().writeInt(0).writeByte(99).writeByte(0).writeZero(1000);
        channel.writeInbound(bad);
        ByteBuf good = Bytes.request(0, 1, 2, new byte[10]);
        channel.writeInbound(good);
        assertThat(failures).hasSize(1);
        assertThat(channel.<ByteBuf>readInbound()).isNull();
        assertThat(bad.refCnt()).isZero();
        assertThat(good.refCnt()).isZero();
    }

    @Test
    void randomBytesEndInAViolationOrWaitForMoreAndLeakNothing() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 3_000; i++) {
            EmbeddedChannel connection = channel(FrameDecoder.forServer(1_000));
            int before = failures.size();
            byte[] bytes = new byte[random.nextInt(3_000)];
            random.nextBytes(bytes);
            if (i % 2 == 0 && bytes.length > 5) {
                // A plausible beginning, so that more than the first check is reached.
                bytes[0] = 0;
                bytes[1] = 0;
                bytes[2] = (byte) random.nextInt(5);
                bytes[4] = (byte) (1 + 2 * random.nextInt(2));
            }
            for (int at = 0; at < bytes.length; ) {
                int piece = Math.min(1 + random.nextInt(200), bytes.length - at);
                connection.writeInbound(Unpooled.copiedBuffer(bytes, at, piece));
                at += piece;
            }
            connection.finishAndReleaseAll();
            assertThat(failures.size() - before).as("seed %d", seed).isLessThanOrEqualTo(1);
        }
        assertThat(failures)
                .as("seed %d", seed)
                .isNotEmpty()
                .allSatisfy(failure -> assertThat(failure).isInstanceOf(ProtocolException.class));
        leaks.assertNone();
    }

    private void assertRefused(ByteBuf bytes, GoodbyeCode code) {
        failures.clear();
        EmbeddedChannel connection = channel(FrameDecoder.forServer(MAX_PAYLOAD));
        connection.writeInbound(bytes);
        assertThat(failures).singleElement().satisfies(failure -> {
            assertThat(failure).isInstanceOf(ProtocolException.class).hasMessageContaining("expected");
            assertThat(((ProtocolException) failure).code()).isEqualTo(code);
        });
        assertThat(bytes.refCnt()).isZero();
        connection.finishAndReleaseAll();
    }

    private static String drain(EmbeddedChannel channel) {
        StringBuilder all = new StringBuilder();
        for (ByteBuf frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
            all.append(ByteBufUtil.hexDump(frame));
            frame.release();
        }
        return all.toString();
    }
}
