package io.plog.measure.load;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.plog.measure.HttpReply;
import io.plog.measure.HttpService;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameType;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.Welcome;

/**
 * Stands where the decoder of frames stands on other connections: makes requests in HTTP of the frames that are written, one at a time,
 * and frames of the replies. It answers the HELLO itself. On the driving thread only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write comes to exceptionCaught
final class HttpTranslator extends ChannelDuplexHandler {
    private final HttpService.Heads heads;
    private final Welcome welcome;
    private final HttpReply reply = new HttpReply();

    HttpTranslator(HttpService.Heads heads, Welcome welcome) {
        this.heads = heads;
        this.welcome = welcome;
    }

    /** Whether the service closes the connection after the reply that was read last. */
    boolean isLast() {
        return reply.isLast();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.fireChannelActive();
        if (ctx.pipeline().get(SslHandler.class) == null) {
            welcome(ctx);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == SslHandshakeCompletionEvent.SUCCESS) {
            welcome(ctx);
        }
        ctx.fireUserEventTriggered(event);
    }

    private void welcome(ChannelHandlerContext ctx) {
        ByteBuf frame = ctx.alloc().buffer();
        welcome.encode(frame);
        ctx.fireChannelRead(frame);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        ByteBuf frame = (ByteBuf) message;
        if (!reply.isWhole()) {
            ctx.write(frame, promise); // the rest of a payload
            return;
        }
        try {
            if (Frame.type(frame) == FrameType.HELLO.code()) {
                promise.trySuccess();
                return;
            }
            int payloadBytes = frame.getInt(frame.readerIndex()) + Frame.LENGTH_BYTES - RequestHeader.BYTES;
            reply.begin(frame, payloadBytes);
            ByteBuf request = ctx.alloc().ioBuffer();
            heads.write(request, payloadBytes);
            request.writeBytes(frame.skipBytes(RequestHeader.BYTES));
            ctx.write(request, promise);
        } finally {
            frame.release();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        ByteBuf bytes = (ByteBuf) message;
        try {
            reply.read(bytes);
        } finally {
            bytes.release();
        }
        pass(ctx);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!reply.isWhole() && reply.isWholeAtClose()) {
            pass(ctx);
        }
        ctx.fireChannelInactive();
    }

    private void pass(ChannelHandlerContext ctx) {
        if (reply.isWhole()) {
            ByteBuf frame = reply.write(ctx.alloc().buffer(ReplyHeader.BYTES + reply.payloadBytes()));
            if (ReplyHeader.status(frame) == Status.OK.code()) {
                frame.writerIndex(ReplyHeader.BYTES + reply.payloadBytes()); // bytes that mean nothing
            }
            ctx.fireChannelRead(frame);
        }
    }
}
