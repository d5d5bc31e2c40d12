package io.plog.server.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.FrameType;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Hello;
import io.plog.protocol.Incoming;
import io.plog.protocol.ProtocolException;
import io.plog.server.access.Rights;
import io.plog.server.monitoring.EventLoopCounts;
import io.plog.server.net.LingeringClose;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection from greeting to farewell. Its requests go to its {@link Dispatcher}; their replies are written here,
 * when the outcome is known.
 *
 * <p>Everything but {@link #finished} and {@link #failed} happens on the connection's event loop, so it needs no locks. Whatever
 * is wrong with one connection ends that connection only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, which channelInactive sees
public final class Connection extends ChannelInboundHandlerAdapter
        implements PendingRequest.Origin, ServerDesign.Accepted, Connections.Member, Watchdog.Watched {
    /** At most this many connections beyond the limit are given the reason. Others are closed at once, since a GOODBYE takes time. */
    public static final int MAX_FAREWELLS = 64;

    private final ServerContext server;
    private final Incoming incoming;
    private final boolean isBridged;
    private final Throttle throttle;
    private final Watchdog watchdog;
    private final Dispatcher dispatcher;

    private volatile @Nullable FinishedRequests finished; // of the event loop; set before there are requests

    // Of the event loop only.
    private @Nullable ChannelHandlerContext context;
    private ServerDesign.@Nullable Serving serving;
    private EventLoopCounts.@Nullable Loop loop;
    private boolean greeted;
    private boolean closing;
    private boolean draining;
    private boolean unflushed;

    /** @param isBridged whether {@code incoming} makes up the ids of the clients, and has asked who may do what */
    public Connection(ServerContext server, Incoming incoming, boolean isBridged) {
        this.server = server;
        this.incoming = incoming;
        this.throttle = new Throttle(server.options(), server.budget(), incoming);
        this.watchdog = new Watchdog(incoming, server.options().patience(), System::nanoTime);
        this.dispatcher = new Dispatcher(server, this, throttle, isBridged);
        this.isBridged = isBridged;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        throttle.begin(ctx.channel(), this::giveWay);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        loop = server.turns().ofThisThread();
        finished = FinishedRequests.of(ctx.executor());
        server.connections().add(this);
        if (server.connections().refusesMore()) {
            sayGoodbye(GoodbyeCode.SHUTTING_DOWN, "the server is closing");
            return;
        }
        int over = server.connections().count() - server.maxConnections();
        if (over > 0) {
            if (over > MAX_FAREWELLS) {
                server.meters().ended(GoodbyeCode.TOO_MANY);
                ctx.close();
                return;
            }
            sayGoodbye(
                    GoodbyeCode.TOO_MANY,
                    "the server already has " + server.maxConnections() + " connections: try again later");
            return;
        }
        server.meters().connectionAccepted();
        throttle.hold(ctx.channel());
        serving = server.design().accept(this);
    }

    @Override
    public void open() {
        if (!closing && !draining) {
            throttle.release(context().channel());
            watchdog.start(context().channel(), this);
        }
    }

    @Override
    public void openSoon() {
        try {
            context().executor().execute(this::open);
        } catch (RejectedExecutionException e) {
            // The event loops have ended, and the connection with them.
        }
    }

    @Override
    public Executor loop() {
        return context().executor();
    }

    @Override
    public int outstanding() {
        return throttle.outstanding();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        server.connections().remove(this);
        watchdog.stop();
        closing = true;
        throttle.end(ctx.channel());
        if (serving != null) {
            serving.ended();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        long arrivedNanos = System.nanoTime();
        ByteBuf frame = (ByteBuf) message;
        if (closing) {
            frame.release();
            return;
        }
        try {
            if (Frame.type(frame) == FrameType.REQUEST.code()) {
                takeRequest(ctx, frame, arrivedNanos);
            } else {
                takeHello(ctx, frame);
            }
        } catch (ProtocolException e) {
            sayGoodbye(e.code(), e.getMessage());
        }
    }

    private void takeHello(ChannelHandlerContext ctx, ByteBuf frame) throws ProtocolException {
        Rights rights;
        try {
            if (greeted) {
                throw new ProtocolException(GoodbyeCode.MALFORMED, "a second HELLO: expected one for a connection");
            }
            rights = isBridged ? Rights.ALL : server.access().of(ctx.channel(), Hello.read(frame));
            if (rights.equals(Rights.NONE)) {
                throw new ProtocolException(
                        GoodbyeCode.NOT_ALLOWED,
                        "the server knows neither token nor certificate of this client: give --token-file FILE");
            }
            dispatcher.allow(rights);
        } finally {
            frame.release();
        }
        greeted = true;
        ctx.writeAndFlush(server.welcome(rights), ctx.voidPromise());
    }

    private void takeRequest(ChannelHandlerContext ctx, ByteBuf frame, long arrivedNanos) throws ProtocolException {
        if (!greeted) {
            frame.release();
            throw new ProtocolException(GoodbyeCode.MALFORMED, "a REQUEST before the HELLO");
        }
        // Nothing is read before there is somebody who serves it.
        dispatcher.dispatch(ctx, Objects.requireNonNull(serving), frame, arrivedNanos);
    }

    /** Writes it; it is flushed when all that was read has been taken. */
    @Override
    public void reply(ChannelHandlerContext ctx, ByteBuf reply) {
        unflushed = true;
        ctx.write(reply, ctx.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (loop != null) {
            loop.readCompleted(ctx.executor());
        }
        if (unflushed) {
            unflushed = false;
            ctx.flush();
            throttle.update(ctx.channel());
        } else {
            throttle.settle(ctx.channel());
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == FrameDecoder.Receives.LARGE_FRAME) {
            throttle.update(ctx.channel()); // not read further before there is room for it
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    /**
     * The outcome of a request is known. Called on its log's thread, in log order, or on the event loop if the log refused
     * it at once; hands over and returns.
     */
    @Override
    public void finished(PendingRequest request) {
        Objects.requireNonNull(finished).add(request);
    }

    @Override
    public boolean write(PendingRequest request) {
        boolean first = !unflushed;
        unflushed = true;
        throttle.ended(request.bytes());
        try {
            context().write(request.takeReply(), context().voidPromise());
        } catch (Throwable t) {
            failed(t); // the others of its event loop are not concerned
        }
        return first;
    }

    @Override
    public void flush() {
        context().flush();
        unflushed = false;
        throttle.update(context().channel());
    }

    @Override
    public void failed(Throwable cause) {
        context().pipeline().fireExceptionCaught(cause);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!unflushed) { // otherwise the flush empties the buffer, and update follows it
            throttle.update(ctx.channel());
        }
    }

    private void giveWay() {
        sayGoodbye(
                GoodbyeCode.TOO_MANY,
                "memory for requests is short, and the rest of this one did not come while others waited: try again later");
    }

    @Override
    public void drain() {
        draining = true;
        throttle.stop(context().channel());
    }

    @Override
    public boolean isDraining() {
        return draining;
    }

    @Override
    public Channel channel() {
        return context().channel();
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "not in a pipeline yet");
    }

    @Override
    public boolean hasGreeted() {
        return greeted;
    }

    @Override
    public boolean isThrottled() {
        return throttle.isStopped();
    }

    @Override
    public void sayGoodbye(GoodbyeCode code, String reason) {
        if (closing) {
            return;
        }
        closing = true;
        server.meters().ended(code);
        watchdog.stop();
        LingeringClose.withGoodbye(context().channel(), code, reason);
        incoming.drop();
        throttle.settle(context().channel());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof ProtocolException e) {
            sayGoodbye(e.code(), e.getMessage());
            return;
        }
        if (!(cause instanceof IOException) && !(cause.getCause() instanceof SSLException)) {
            server.notices().say("a connection failed and is closed", cause);
        }
        // An IOException is a client that went away: its own business, and no news.
        ctx.close();
    }
}
