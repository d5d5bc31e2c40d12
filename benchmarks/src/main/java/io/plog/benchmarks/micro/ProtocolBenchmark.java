package io.plog.benchmarks.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the protocol costs for each request, without a network. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ProtocolBenchmark {
    private static final int MOST_BYTES = 1 << 20;

    @Param({"100", "1024", "102400"})
    int payloadBytes;

    private ByteBuf request = PooledByteBufAllocator.DEFAULT.directBuffer(MOST_BYTES);
    private ByteBuf reply = PooledByteBufAllocator.DEFAULT.directBuffer(MOST_BYTES);
    private EmbeddedChannel channel = new EmbeddedChannel();
    private long number;

    @Setup
    public void prepare() {
        channel = new EmbeddedChannel(FrameDecoder.forServer(MOST_BYTES));
        RequestHeader.write(request, 1, 2, 3, payloadBytes);
        request.writeZero(payloadBytes);
    }

    @TearDown
    public void release() {
        request.release();
        reply.release();
        channel.finishAndReleaseAll();
    }

    /** The header that a client writes. */
    @Benchmark
    public ByteBuf requestHeader() {
        reply.clear();
        RequestHeader.write(reply, 1, 2, number++, payloadBytes);
        return reply;
    }

    /** A frame that came in one read, through the decoder and its checks. */
    @Benchmark
    public long decodeWholeFrame() throws ProtocolException {
        channel.writeInbound(request.retainedDuplicate());
        ByteBuf frame = channel.readInbound();
        RequestHeader.checkReserved(frame);
        long sum = RequestHeader.client(frame) + RequestHeader.request(frame) + RequestHeader.payloadBytes(frame);
        frame.release();
        return sum;
    }

    /** A frame that came in two reads, and is gathered. */
    @Benchmark
    public long decodeSplitFrame() {
        int half = request.readableBytes() / 2;
        channel.writeInbound(request.retainedSlice(0, half));
        channel.writeInbound(request.retainedSlice(half, request.readableBytes() - half));
        ByteBuf frame = channel.readInbound();
        long bytes = frame.readableBytes();
        frame.release();
        return bytes;
    }

    /** The header of the reply, as a server fills it in. */
    @Benchmark
    public ByteBuf replyHeader() {
        reply.clear();
        ReplyHeader.begin(reply, request);
        ReplyHeader.setLogged(reply, number++, 1, 2, 3, 4, 5);
        ReplyHeader.setExecutionNanos(reply, 6);
        ReplyHeader.setResidenceNanos(reply, 7);
        return reply;
    }
}
