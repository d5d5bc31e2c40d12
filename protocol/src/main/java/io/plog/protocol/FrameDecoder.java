package io.plog.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into frames and passes each on as a {@link ByteBuf} that begins at its reader index, with its
 * length field, and that the next handler must release.
 *
 * <p>A frame that came in one read is passed on as a slice of what was read: nothing is copied. One that spans reads is
 * gathered in a buffer of its own: each byte is copied once, and the frame is contiguous. The type and the length are
 * checked as soon as they are there, before anything is allocated for them; and what is allocated follows what arrives,
 * so that a header that only promises a large frame costs at most {@value #FIRST_PIECE} bytes.
 *
 * <p>A violation of the protocol is passed to {@code exceptionCaught} once, as a {@link ProtocolException}; all later bytes are
 * dropped. To be used in one pipeline, on its event loop.
 */
public final class FrameDecoder extends ChannelInboundHandlerAdapter implements Incoming {
    private static final int FIRST_PIECE = 128 * 1024;

    /** Of a frame that spans reads and is at least so long the handlers behind are notified with each read: {@link Receives}. */
    public static final int LARGE_BYTES = 16 * 1024;

    /** The event that more of a frame has come, but not its end, for a handler that may want to stop reading. */
    public enum Receives {
        /** One of at least {@value FrameDecoder#LARGE_BYTES} bytes. */
        LARGE_FRAME
    }

    private final Set<FrameType> accepted;
    private int maxPayloadBytes;

    private final ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES); // of a frame whose header spans reads
    private @Nullable ByteBuf unfinished;
    private int unfinishedBytes;
    private long frames;
    private boolean broken;

    private FrameDecoder(Set<FrameType> accepted, int maxPayloadBytes) {
        this.accepted = accepted;
        setMaxPayloadBytes(maxPayloadBytes);
    }

    /**
     * Accepts what a client sends.
     *
     * @param maxPayloadBytes the longest payload of a request, 0 to {@link Frame#MAX_PAYLOAD_BYTES}
     */
    public static FrameDecoder forServer(int maxPayloadBytes) {
        return new FrameDecoder(EnumSet.of(FrameType.HELLO, FrameType.REQUEST), maxPayloadBytes);
    }

    /**
     * Accepts what a server sends.
     *
     * @param maxPayloadBytes the longest payload of a reply, 0 to {@link Frame#MAX_PAYLOAD_BYTES}
     */
    public static FrameDecoder forClient(int maxPayloadBytes) {
        return new FrameDecoder(EnumSet.of(FrameType.WELCOME, FrameType.REPLY, FrameType.GOODBYE), maxPayloadBytes);
    }

    /**
     * Changes the payload limit for the frames that begin from now on, as a client does when it knows the server's.
     *
     * @throws IllegalArgumentException if it is not 0 to {@link Frame#MAX_PAYLOAD_BYTES}
     */
    public void setMaxPayloadBytes(int maxPayloadBytes) {
        if (maxPayloadBytes < 0 || maxPayloadBytes > Frame.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "maxPayloadBytes is " + maxPayloadBytes + ": expected 0 to " + Frame.MAX_PAYLOAD_BYTES);
        }
        this.maxPayloadBytes = maxPayloadBytes;
    }

    @Override
    public long unfinishedBytes() {
        return unfinished == null ? 0 : unfinishedBytes;
    }

    @Override
    public long receivedBytes() {
        return unfinished == null ? 0 : unfinished.writerIndex();
    }

    @Override
    public boolean isMidFrame() {
        return header.position() > 0 || unfinished != null;
    }

    @Override
    public long frames() {
        return frames;
    }

    @Override
    public void drop() {
        broken = true;
        forget();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            while (in.isReadable() && !broken) {
                if (unfinished != null) {
                    goOn(ctx, unfinished, in);
                } else if (header.position() > 0 || in.readableBytes() < Frame.HEADER_BYTES) {
                    gatherHeader(ctx, in);
                } else if (frameInOneRead(ctx, in)) {
                    return;
                }
            }
        } catch (ProtocolException e) {
            broken = true;
            ctx.fireExceptionCaught(e);
        }
        in.release();
    }

    /** Handles a frame whose header is whole in this read. Returns whether the read itself was passed on. */
    private boolean frameInOneRead(ChannelHandlerContext ctx, ByteBuf in) throws ProtocolException {
        int bytes = checkedBytes(in);
        if (in.readableBytes() == bytes) {
            pass(ctx, in);
            return true;
        }
        if (in.readableBytes() > bytes) {
            pass(ctx, in.readRetainedSlice(bytes));
        } else {
            begin(ctx, bytes, in);
        }
        return false;
    }

    private void gatherHeader(ChannelHandlerContext ctx, ByteBuf in) throws ProtocolException {
        header.limit(Math.min(Frame.HEADER_BYTES, header.position() + in.readableBytes()));
        in.readBytes(header);
        if (header.position() == Frame.HEADER_BYTES) {
            header.clear();
            ByteBuf first = Unpooled.wrappedBuffer(header);
            begin(ctx, checkedBytes(first), first);
            header.clear();
        }
    }

    private void begin(ChannelHandlerContext ctx, int bytes, ByteBuf first) {
        ByteBuf buffer = ctx.alloc().ioBuffer(Math.min(bytes, FIRST_PIECE), bytes);
        unfinished = buffer;
        unfinishedBytes = bytes;
        buffer.writeBytes(first);
        notifyIfLarge(ctx);
    }

    private void notifyIfLarge(ChannelHandlerContext ctx) {
        if (unfinishedBytes >= LARGE_BYTES) {
            ctx.fireUserEventTriggered(Receives.LARGE_FRAME);
        }
    }

    private void goOn(ChannelHandlerContext ctx, ByteBuf frame, ByteBuf in) {
        frame.writeBytes(in, Math.min(unfinishedBytes - frame.writerIndex(), in.readableBytes()));
        if (frame.writerIndex() == unfinishedBytes) {
            unfinished = null;
            pass(ctx, frame);
        } else {
            notifyIfLarge(ctx);
        }
    }

    private void pass(ChannelHandlerContext ctx, ByteBuf frame) {
        frames++;
        ctx.fireChannelRead(frame);
    }

    /** How long the frame is with its length field, if its type and length are allowed here. */
    private int checkedBytes(ByteBuf frame) throws ProtocolException {
        int code = Frame.type(frame);
        long length = Frame.length(frame);
        FrameType type = FrameType.ofCode(code);
        if (type == null || !accepted.contains(type)) {
            throw ProtocolException.malformed(
                    "a frame of type " + code + " (" + (type == null ? "unknown" : type) + "): expected " + accepted);
        }
        if (length < type.minLength()) {
            throw ProtocolException.malformed(
                    "a " + type + " of length " + length + ": expected at least " + type.minLength());
        }
        if (length > type.maxLength(maxPayloadBytes)) {
            throw new ProtocolException(
                    GoodbyeCode.TOO_LARGE,
                    "a " + type + " of length " + length + ": expected at most " + type.maxLength(maxPayloadBytes));
        }
        return Frame.LENGTH_BYTES + (int) length;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        forget();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        forget();
    }

    private void forget() {
        header.clear();
        if (unfinished != null) {
            unfinished.release();
            unfinished = null;
        }
    }
}
