package io.plog.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.FrameType;
import io.plog.protocol.Goodbye;
import io.plog.protocol.Hello;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.RequestRecord;
import io.plog.protocol.Status;
import io.plog.protocol.Welcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bytes from a connection, cut into arbitrary pieces, for either side.
 *
 * <pre>
 *  0             1              2
 * +-------------+--------------+----------------
 * | side, limit | how to cut   | the stream
 * +-------------+--------------+----------------
 * </pre>
 *
 * Whatever comes, there is a {@link ProtocolException} or there are frames; the pieces make no difference; no more memory
 * is taken than has arrived, but for a first piece; all of it is given back; and what a decoder takes, its encoder
 * writes again.
 */
public final class FrameFuzz {
    private static final int[] LIMITS = {0, 1, 100, 4_096, 100_000, 1 << 20, Frame.MAX_PAYLOAD_BYTES};
    private static final int FIRST_PIECE_BYTES = 128 * 1024;

    private FrameFuzz() {}

    /** Runs one case. */
    public static void fuzzerTestOneInput(byte[] data) {
        Input input = new Input(data);
        int choice = input.u8();
        int cut = input.u8();
        boolean server = (choice & 1) == 0;
        int limit = LIMITS[(choice >> 1) % LIMITS.length];
        byte[] stream = input.rest();
        Outcome whole = read(server, limit, stream, 0);
        Outcome cutUp = read(server, limit, stream, cut + 1);
        if (!whole.equals(cutUp)) {
            throw new AssertionError("in one piece: " + whole + "\nin pieces: " + cutUp);
        }
    }

    /** What became of a stream. */
    private record Outcome(List<String> frames, @Nullable String failure, boolean midFrame) {}

    /** Reads a stream in one piece ({@code cut} 0) or in pieces of a few lengths that {@code cut} chooses. */
    private static Outcome read(boolean server, int limit, byte[] stream, int cut) {
        BoundedAllocator reads = new BoundedAllocator();
        BoundedAllocator allocator = new BoundedAllocator();
        FrameDecoder decoder = server ? FrameDecoder.forServer(limit) : FrameDecoder.forClient(limit);
        List<Throwable> failures = new ArrayList<>();
        EmbeddedChannel channel = new EmbeddedChannel(decoder, new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                failures.add(cause);
            }
        });
        channel.config().setAllocator(allocator);
        List<String> frames = new ArrayList<>();
        int lengths = cut;
        for (int from = 0; from < stream.length; ) {
            lengths = lengths * 1_103_515_245 + 12_345;
            int length = cut == 0 ? stream.length : 1 + (lengths >>> 16) % (cut < 128 ? 7 : 300);
            int to = Math.min(stream.length, from + length);
            channel.writeInbound(reads.heapBuffer(to - from).writeBytes(stream, from, to - from));
            check(
                    allocator.bytesInUse() <= FIRST_PIECE_BYTES + 2L * to,
                    allocator.bytesInUse() + " bytes are held after " + to + " arrived");
            takeFrames(channel, limit, frames);
            check(reads.bytesInUse() == 0, "what was read is held although there is nothing left of it");
            from = to;
        }
        check(failures.size() <= 1, "failures: " + failures);
        String failure = null;
        for (Throwable thrown : failures) {
            check(thrown instanceof ProtocolException, "not a declared failure: " + thrown);
            failure = thrown.getMessage();
        }
        boolean midFrame = decoder.isMidFrame();
        check(decoder.frames() == frames.size(), decoder.frames() + " frames counted, " + frames.size() + " passed on");
        channel.finishAndReleaseAll();
        check(allocator.bytesInUse() == 0, allocator.bytesInUse() + " bytes were not given back");
        return new Outcome(frames, failure, midFrame);
    }

    private static void takeFrames(EmbeddedChannel channel, int limit, List<String> frames) {
        for (ByteBuf frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
            long length = frame.getUnsignedInt(frame.readerIndex());
            check(length == frame.readableBytes() - Frame.LENGTH_BYTES, "length " + length + " of " + frame);
            check(length <= 65_536L + limit, "length " + length + " is over every limit");
            frames.add(describe(frame));
            frame.release();
        }
    }

    private static String describe(ByteBuf frame) {
        FrameType type = Objects.requireNonNull(FrameType.ofCode(Frame.type(frame)));
        try {
            return switch (type) {
                case HELLO -> hello(frame);
                case WELCOME -> welcome(frame);
                case GOODBYE -> Goodbye.decode(frame.duplicate()).toString();
                case REQUEST -> request(frame);
                case REPLY -> reply(frame);
            };
        } catch (ProtocolException refused) {
            return type + " refused: " + refused.getMessage();
        }
    }

    private static String hello(ByteBuf frame) throws ProtocolException {
        String token = Hello.read(frame.duplicate());
        ByteBuf out = Unpooled.buffer();
        Hello.encode(out, token);
        check(ByteBufUtil.equals(out, frame), "a HELLO is encoded as " + ByteBufUtil.hexDump(out));
        return "HELLO";
    }

    private static String welcome(ByteBuf frame) throws ProtocolException {
        Welcome welcome = Welcome.decode(frame.duplicate());
        // Facts of the same name become one, and bytes that are no UTF-8 become others: compare what was understood.
        ByteBuf out = Unpooled.buffer();
        try {
            welcome.encode(out);
        } catch (IllegalArgumentException longerNow) {
            return welcome.toString();
        }
        Welcome understood = Welcome.decode(out);
        check(welcome.equals(understood), welcome + " became " + understood);
        return welcome.toString();
    }

    private static String request(ByteBuf frame) throws ProtocolException {
        int payload = RequestHeader.payloadBytes(frame);
        check(payload >= 0, "a payload of " + payload + " bytes");
        String request = RequestHeader.target(frame) + " " + RequestHeader.client(frame) + " "
                + RequestHeader.request(frame) + " " + RequestHeader.recordKind(frame) + " " + payload;
        RequestHeader.checkReserved(frame);
        var record =
                frame.nioBuffer(frame.readerIndex() + RequestHeader.RECORD, payload + RequestRecord.ENVELOPE_BYTES);
        if (RequestRecord.isRequest(record)) {
            check(RequestRecord.client(record) == RequestHeader.client(frame), "two clients");
            check(RequestRecord.payload(record).remaining() == payload, "two lengths");
        }
        ByteBuf reply = Unpooled.buffer(frame.readableBytes());
        ReplyHeader.begin(reply, frame);
        check(reply.readableBytes() == RequestHeader.BYTES, "a reply's header has the length of a request's");
        reply.writeZero(payload);
        String sentence = "a sentence of its own length: äöü €";
        ByteBuf refusal = ReplyHeader.refusal(reply, Status.OVERLOADED, sentence);
        check(ReplyHeader.sentence(refusal).equals(sentence), "a refusal keeps its sentence");
        refusal.release();
        return request;
    }

    private static String reply(ByteBuf frame) {
        long sum = ReplyHeader.logIndex(frame)
                + ReplyHeader.waitingNanos(frame)
                + ReplyHeader.batchWaitNanos(frame)
                + ReplyHeader.writeNanos(frame)
                + ReplyHeader.forceNanos(frame)
                + ReplyHeader.executionNanos(frame)
                + ReplyHeader.residenceNanos(frame)
                + ReplyHeader.batchRecords(frame);
        check(ReplyHeader.payloadBytes(frame) >= 0, "a payload of less than nothing");
        return ReplyHeader.status(frame) + " " + sum + " " + ReplyHeader.client(frame) + " "
                + ReplyHeader.request(frame) + " " + ReplyHeader.sentence(frame);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
