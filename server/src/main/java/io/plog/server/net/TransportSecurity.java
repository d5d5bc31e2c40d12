package io.plog.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.security.Tls;
import io.plog.server.monitoring.LineLimit;
import io.plog.server.monitoring.ServerMeters;
import io.plog.server.monitoring.ServerNotices;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How connections come in, the same for all ports: with TLS, or without. The first byte decides: a client that begins otherwise gets the
 * reason without TLS, which is what it can read or recognises at once. Each such end, each handshake that fails, and each end of a client
 * that does not read is the client's fault: a line says so, at most one in {@value #SECONDS_BETWEEN_LINES} s.
 *
 * <p>Safe for any thread.
 */
public final class TransportSecurity {
    private static final long SECONDS_BETWEEN_LINES = 10;

    /** The first byte of TLS, its record of a handshake; no frame and no request begins with it. */
    private static final int TLS_HANDSHAKE = 22;

    private final @Nullable Tls tls;
    private final ServerMeters meters;
    private final ServerNotices notices;
    private final LongSupplier nanoClock;
    private final LineLimit lines = new LineLimit(Duration.ofSeconds(SECONDS_BETWEEN_LINES));

    /** @param tls of all ports of the server; null if they have none */
    public TransportSecurity(@Nullable Tls tls, ServerMeters meters, ServerNotices notices, LongSupplier nanoClock) {
        this.tls = tls;
        this.meters = meters;
        this.notices = notices;
        this.nanoClock = nanoClock;
    }

    /**
     * Prepares a connection: to be called before its other handlers are added.
     *
     * @param port which it came to, for a sentence
     * @param refusal writes a sentence in the language of the port
     */
    public void guard(Channel channel, String port, BiConsumer<ByteBuf, String> refusal) {
        channel.pipeline()
                .addLast(
                        new WriteProgress(why -> ended(channel, port, GoodbyeCode.IDLE, why)),
                        new FirstByte(port, refusal));
    }

    private SslHandler secure(Channel channel, String port, Tls with) {
        SslHandler handler = with.handler(channel.alloc());
        handler.handshakeFuture().addListener(done -> {
            Throwable cause = done.cause();
            if (cause == null) {
                return;
            }
            channel.pipeline().addFirst(new NoMoreReads());
            if (!(cause instanceof ClosedChannelException)) {
                ended(channel, port, GoodbyeCode.TLS, "TLS failed (" + cause.getMessage() + ")");
            }
        });
        return handler;
    }

    private void ended(Channel channel, String port, GoodbyeCode code, String why) {
        meters.ended(code);
        long others = lines.admit(nanoClock.getAsLong());
        if (others >= 0) {
            notices.say("a connection from " + channel.remoteAddress() + " to the " + port + " was ended: " + why
                    + (others == 0 ? "" : "; so were " + others + " others since the last such line"));
        }
    }

    /**
     * For a connection that is closed while it is read from. Netty asks io_uring for its next bytes all the same, after it has taken
     * back what it had asked for; and while somebody waits for bytes of a socket, the kernel does not report its end to the client.
     */
    private static final class NoMoreReads extends ChannelOutboundHandlerAdapter {
        @Override
        public void read(ChannelHandlerContext ctx) {}
    }

    /** Looks at the first byte, and leaves. */
    private final class FirstByte extends ChannelInboundHandlerAdapter {
        private final String port;
        private final BiConsumer<ByteBuf, String> refusal;
        private boolean refused;
        private @Nullable ByteBuf greeting; // of a client that waits for its turn

        FirstByte(String port, BiConsumer<ByteBuf, String> refusal) {
            this.port = port;
            this.refusal = refusal;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf in = (ByteBuf) message;
            if (refused) {
                in.release();
                return;
            }
            if (greeting != null) {
                greeting = Unpooled.wrappedBuffer(greeting, in);
                return;
            }
            boolean secure = in.getUnsignedByte(in.readerIndex()) == TLS_HANDSHAKE;
            if (secure && tls != null) {
                greeting = in;
                ctx.channel().config().setAutoRead(false);
                Tls.inTurn(ctx.executor(), () -> begin(ctx, tls));
                return;
            } else if (!secure && tls == null) {
                ctx.pipeline().remove(this);
                ctx.fireChannelRead(in);
                return;
            }
            ReferenceCountUtil.release(in);
            refused = true;
            ended(
                    ctx.channel(),
                    port,
                    GoodbyeCode.TLS,
                    secure ? "it speaks TLS, and the port does not" : "it speaks without TLS");
            ByteBuf out = ctx.alloc().ioBuffer();
            refusal.accept(
                    out,
                    secure
                            ? "this port has no TLS: connect without it, or start the server with --tls-cert and --tls-key"
                            : "this port takes TLS only: give the client --tls, or --tls-ca FILE (https:// over HTTP)");
            LingeringClose.after(ctx.channel(), ctx.writeAndFlush(out));
        }

        private void begin(ChannelHandlerContext ctx, Tls with) {
            if (ctx.isRemoved()) {
                ReferenceCountUtil.release(greeting);
                return;
            }
            ctx.channel().config().setAutoRead(true);
            ctx.pipeline().replace(this, null, secure(ctx.channel(), port, with));
            ctx.fireChannelRead(greeting).fireChannelReadComplete();
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            if (greeting == null) { // else it would ask for more
                ctx.fireChannelReadComplete();
            }
        }
    }
}
