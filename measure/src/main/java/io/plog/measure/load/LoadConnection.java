package io.plog.measure.load;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.collection.LongObjectHashMap;
import io.plog.client.ConnectionFailures;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.FrameType;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Hello;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Welcome;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a load, made anew as often as it ends. It keeps its client id and goes on with its numbers, so that no two
 * requests of a run have the same identity. On the driving thread only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write comes to exceptionCaught, a close cannot fail usefully
final class LoadConnection {
    final int index;
    /** By number. */
    final LongObjectHashMap<LoadRequest> underWay = new LongObjectHashMap<>();

    final ArrayDeque<LoadRequest> due = new ArrayDeque<>(2);
    /** Since when it can send: since its welcome, or since the previous reply in a partly open loop. */
    long freeNanos;
    /** Requests answered on the present connection. */
    int answered;

    private final LoadEngine engine;
    private final long clientId;
    private long number;
    private long connectBeganNanos;
    private long connectNanos;
    private int server;
    private @Nullable Handler handler;
    private boolean ready;

    /** How often in a row it could not be made, or found a server that does not serve. */
    int failedConnects;

    LoadConnection(LoadEngine engine, int index, long clientId) {
        this.engine = engine;
        this.index = index;
        this.clientId = clientId;
    }

    /** The place of the server that it is made to. */
    int server() {
        return server;
    }

    long clientId() {
        return clientId;
    }

    /** Whether the server closes it after the reply that came last. */
    boolean isUsedUp() {
        Handler open = handler;
        return open != null && open.http != null && open.http.isLast();
    }

    boolean isReady() {
        return ready;
    }

    boolean isConnecting() {
        return handler != null && !ready;
    }

    long connectBeganNanos() {
        return connectBeganNanos;
    }

    /**
     * Begins to connect; it must not be connected.
     *
     * @param alreadyAnswered counts as so many requests answered on it
     */
    void connect(int alreadyAnswered) {
        Handler made = new Handler();
        handler = made;
        answered = alreadyAnswered;
        connectBeganNanos = System.nanoTime();
        server = engine.serving();
        engine.connect(server, made.http == null ? made.decoder : made.http, made)
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        made.end("it cannot be reached (" + ConnectionFailures.reason(done.cause()) + ")", null);
                    }
                });
    }

    /** Closes it in order; it may be made anew at once. Nothing may be under way. */
    void close() {
        Handler open = handler;
        handler = null;
        ready = false;
        if (open != null) {
            open.close();
        }
    }

    /** Ends an attempt to connect that takes too long. */
    void giveUpConnecting(String why) {
        Handler open = handler;
        if (open != null) {
            open.end(why, null);
            open.close();
        }
    }

    void send(LoadRequest request) {
        Handler open = handler;
        if (open == null || open.context == null) {
            throw new IllegalStateException("connection " + index + " cannot send: it is not open");
        }
        ChannelHandlerContext ctx = open.context;
        Payloads payloads = engine.payloads;
        request.number = ++number;
        int bytes = request.payloadBytes;
        ByteBuf head = payloads.head(ctx, engine.targetId, clientId, number, bytes, request.readOnly);
        request.connectNanos = connectNanos;
        connectNanos = 0;
        underWay.put(number, request);
        request.sentNanos = System.nanoTime();
        if (payloads.hasRest(bytes)) {
            ctx.write(head, ctx.voidPromise());
            ctx.writeAndFlush(payloads.rest(bytes), ctx.voidPromise());
        } else {
            ctx.writeAndFlush(head, ctx.voidPromise());
        }
    }

    /** Handles one TCP connection; ignores events after its end. */
    private final class Handler extends ChannelInboundHandlerAdapter {
        final FrameDecoder decoder = FrameDecoder.forClient(0);
        final @Nullable HttpTranslator http = engine.translator();
        private @Nullable ChannelHandlerContext context;

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            context = ctx;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ByteBuf hello = ctx.alloc().ioBuffer(Hello.BYTES);
            Hello.encode(hello, engine.token);
            ctx.writeAndFlush(hello, ctx.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            long now = System.nanoTime();
            ByteBuf frame = (ByteBuf) message;
            try {
                if (handler != this) {
                    return;
                }
                int type = Frame.type(frame);
                if (type == FrameType.REPLY.code() && ready) {
                    reply(frame, now);
                } else if (type == FrameType.WELCOME.code() && !ready) {
                    welcome(Welcome.decode(frame), now);
                } else if (type == FrameType.GOODBYE.code()) {
                    Goodbye goodbye = Goodbye.decode(frame);
                    end(
                            "the server said goodbye: " + ConnectionFailures.text(goodbye),
                            GoodbyeCode.ofCode(goodbye.code()));
                } else {
                    end("the server sent a frame of type " + type + " out of turn", null);
                }
            } catch (ProtocolException e) {
                end(e.code() == GoodbyeCode.VERSION ? e.getMessage() : "the server sent " + e.getMessage(), null);
            } finally {
                frame.release();
            }
        }

        private void welcome(Welcome said, long now) {
            String otherwise = engine.differs(said);
            if (!otherwise.isEmpty()) {
                end(otherwise, null);
                return;
            }
            decoder.setMaxPayloadBytes(said.maxPayloadBytes());
            connectNanos = now - connectBeganNanos;
            freeNanos = now;
            ready = true;
            engine.connected(LoadConnection.this);
        }

        private void reply(ByteBuf frame, long now) {
            long answers = ReplyHeader.request(frame);
            LoadRequest request = ReplyHeader.client(frame) == clientId ? underWay.remove(answers) : null;
            if (request == null) {
                engine.end("the server answered request " + Long.toUnsignedString(answers) + " of client "
                        + Long.toUnsignedString(ReplyHeader.client(frame)) + ", which is not outstanding on connection "
                        + index + " of client " + Long.toUnsignedString(clientId));
                return;
            }
            answered++;
            engine.replied(LoadConnection.this, request, frame, now);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            end("the connection broke (" + ConnectionFailures.reason(cause) + ")", null);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            end("the server closed the connection", null);
        }

        /** Tells, once, that the connection has ended by itself. */
        void end(String why, @Nullable GoodbyeCode code) {
            if (handler != this) {
                return;
            }
            boolean wasReady = ready;
            handler = null;
            ready = false;
            close();
            if (wasReady) {
                engine.lost(LoadConnection.this, why);
            } else {
                failedConnects++;
                engine.notConnected(LoadConnection.this, why, code);
            }
        }

        void close() {
            ChannelHandlerContext ctx = context;
            Channel channel = ctx == null ? null : ctx.channel();
            if (channel != null) {
                channel.close();
            }
        }
    }
}
