package io.plog.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.FrameType;
import io.plog.protocol.Hello;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.Welcome;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Matches replies to requests. Everything here happens on the connection's event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write comes to exceptionCaught, a close cannot fail usefully
final class ClientHandler extends ChannelInboundHandlerAdapter {
    /** A request on its way; its frame is kept to check the reply against. */
    record Pending(ByteBuf request, long sentNanos, boolean inverted, CompletableFuture<Reply> reply) {}

    private final String peer;
    private final String token;
    private final FrameDecoder decoder;
    private final CompletableFuture<Welcome> welcome;
    private final Map<Long, Pending> pending = new HashMap<>();
    private final Consumer<RpcException> onEnd;
    private @Nullable String ended;
    long partOfReplyNanos = System.nanoTime(); // see Wire.Connection

    /** @param onEnd receives why the connection has ended, if it had shaken hands, before what was outstanding fails */
    ClientHandler(
            String peer,
            String token,
            FrameDecoder decoder,
            CompletableFuture<Welcome> welcome,
            Consumer<RpcException> onEnd) {
        this.peer = peer;
        this.token = token;
        this.decoder = decoder;
        this.welcome = welcome;
        this.onEnd = onEnd;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ByteBuf hello = ctx.alloc().ioBuffer(Hello.BYTES + token.length());
        Hello.encode(hello, token);
        ctx.writeAndFlush(hello, ctx.voidPromise());
    }

    /** Sends a request; owns both references of its frame from here on. */
    void send(ChannelHandlerContext ctx, Pending call) {
        long number = RequestHeader.request(call.request);
        if (ended != null || !ctx.channel().isActive()) {
            call.request.release(2);
            String why = ended != null ? ended : "the connection is closed";
            call.reply.completeExceptionally(
                    new NoReplyException(why + " (server " + peer + "); the request was not sent", false));
        } else if (pending.putIfAbsent(number, call) != null) {
            call.request.release(2);
            call.reply.completeExceptionally(new IllegalArgumentException("requestNumber is "
                    + Long.toUnsignedString(number) + ": expected one that is not outstanding already"));
        } else {
            // A view: the socket moves its indices, and ours must stay for the reply's check.
            ctx.writeAndFlush(call.request.duplicate(), ctx.voidPromise());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf frame = (ByteBuf) message;
        try {
            int type = Frame.type(frame);
            if (type == FrameType.REPLY.code() && welcome.isDone()) {
                reply(ctx, frame);
            } else if (type == FrameType.WELCOME.code() && !welcome.isDone()) {
                Welcome said = Welcome.decode(frame);
                decoder.setMaxPayloadBytes(said.maxPayloadBytes());
                welcome.complete(said);
            } else if (type == FrameType.GOODBYE.code()) {
                goodbye(ctx, frame);
            } else {
                end(ctx, "the server sent a frame of type " + type + " out of turn");
            }
        } catch (ProtocolException e) {
            welcome.completeExceptionally(ConnectionFailures.unreadable(peer, e));
            ctx.close();
        } finally {
            frame.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (decoder.isMidFrame()) {
            partOfReplyNanos = System.nanoTime();
        }
        ctx.fireChannelReadComplete();
    }

    private void reply(ChannelHandlerContext ctx, ByteBuf frame) {
        long now = System.nanoTime();
        Pending call = pending.remove(ReplyHeader.request(frame));
        if (call == null) {
            end(
                    ctx,
                    "the server answered request " + Long.toUnsignedString(ReplyHeader.request(frame))
                            + ", which is not outstanding");
            return;
        }
        try {
            ConnectionFailures.checkReply(call.request, frame, call.inverted);
            if (ReplyHeader.status(frame) != Status.OK.code()) {
                call.reply.completeExceptionally(ConnectionFailures.refused("", frame));
            } else {
                call.reply.complete(Reply.of(frame, now - call.sentNanos));
            }
        } catch (WrongReplyException e) {
            call.reply.completeExceptionally(e);
            end(ctx, "the server answered another request wrongly");
        } finally {
            call.request.release();
        }
    }

    private void goodbye(ChannelHandlerContext ctx, ByteBuf frame) {
        if (welcome.isDone()) {
            end(ctx, ConnectionFailures.goodbye(frame));
        } else {
            welcome.completeExceptionally(ConnectionFailures.refusedConnection(peer, frame));
            ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable found = cause.getCause() instanceof SSLException tls ? tls : cause;
        if (found instanceof ProtocolException e) {
            welcome.completeExceptionally(ConnectionFailures.unreadable(peer, e));
        } else if (found instanceof SSLException e) {
            welcome.completeExceptionally(TlsFailures.of(peer, e));
        }
        String how = "the connection broke (" + ConnectionFailures.reason(found) + ")";
        welcome.completeExceptionally(ConnectionFailures.noWelcome(peer, how));
        end(ctx, how);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        welcome.completeExceptionally(ConnectionFailures.noWelcome(peer, "it closed the connection"));
        end(ctx, "the server closed the connection");
    }

    /** Fails everything that is outstanding, once, with the first reason. */
    private void end(ChannelHandlerContext ctx, String reason) {
        boolean first = ended == null;
        if (first) {
            ended = reason;
        }
        String message = ended + " before it answered (server " + peer + "); the request may have been executed";
        if (first && welcome.isDone() && !welcome.isCompletedExceptionally()) {
            onEnd.accept(new NoReplyException(message, true));
        }
        Map<Long, Pending> lost = Map.copyOf(pending);
        pending.clear();
        for (Pending call : lost.values()) {
            call.request.release();
            call.reply.completeExceptionally(new NoReplyException(message, true));
        }
        ctx.close();
    }
}
