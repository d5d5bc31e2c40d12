package io.plog.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.FrameType;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Hello;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.RequestRecord;
import io.plog.protocol.Status;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: greets, takes requests, hands them to their log, executes them meanwhile, and replies when
 * they are durable. One that is a repeat is not logged again: see {@link StateMachine#admit}.
 *
 * <p>Everything but {@link #finished}, {@link #admit} and {@link #failed} happens on the connection's event loop, so it
 * needs no locks. Where its requests wait for their force is the {@link Design}'s to say. Whatever is wrong
 * with one connection ends that connection only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, which channelInactive sees
final class Connection extends ChannelInboundHandlerAdapter {
    private static final System.Logger LOGGER = System.getLogger("io.plog.server");

    /** So many connections beyond the limit are told why; more are simply closed, since a farewell takes a moment. */
    private static final int MAX_FAREWELLS = 64;

    private final ServerContext server;
    private final Throttle throttle;
    private final Watchdog watchdog;

    /** Requests whose outcome is known and whose reply is not yet written. */
    private final RequestStack finished = new RequestStack();

    private final Runnable answerFinished = this::answerFinished;

    private final @Nullable Session[] sessions; // of the last request to each target; of the thread that admits

    // Of the event loop only.
    private @Nullable ChannelHandlerContext context;
    private Design.@Nullable Serving serving;
    private LoopTurns.@Nullable Loop loop;
    private boolean greeted;
    private boolean closing;
    private boolean draining;
    private boolean unflushed;

    Connection(ServerContext server, FrameDecoder decoder) {
        this(server, new Watchdog.Incoming() {
            @Override
            public boolean isMidFrame() {
                return decoder.isMidFrame();
            }

            @Override
            public long frames() {
                return decoder.frames();
            }
        });
    }

    /** Behind something that makes frames of another protocol. */
    Connection(ServerContext server, Watchdog.Incoming incoming) {
        this.server = server;
        this.sessions = new @Nullable Session[server.options().targets().size()];
        this.throttle = new Throttle(server.options());
        this.watchdog = new Watchdog(incoming, server.options().patience());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        loop = server.turns().ofThisThread();
        server.connections().add(this);
        if (server.isStopping()) {
            sayGoodbye(GoodbyeCode.SHUTTING_DOWN, "the server is closing");
            return;
        }
        int over = server.connections().size() - server.options().maxConnections();
        if (over > 0) {
            server.meters().connectionRefused();
            if (over > MAX_FAREWELLS) {
                ctx.close();
                return;
            }
            sayGoodbye(
                    GoodbyeCode.TOO_MANY,
                    "the server already has " + server.options().maxConnections() + " connections: try again later");
            return;
        }
        server.meters().connectionAccepted();
        throttle.hold(ctx.channel());
        serving = server.design().accept(this);
    }

    /** Is read from now on. Called on the event loop, by its design. */
    void open() {
        if (!closing && !draining) {
            throttle.release(context().channel());
            watchdog.start(context(), this);
        }
    }

    /** The same, called on any thread. */
    void openSoon() {
        try {
            context().executor().execute(this::open);
        } catch (RejectedExecutionException e) {
            // The event loops have ended, and the connection with them.
        }
    }

    /** The event loop reads this connection once and then looks at the others, even if more has come meanwhile. */
    void readOnceATurn() {
        context().channel().config().setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1));
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        server.connections().remove(this);
        watchdog.stop();
        closing = true;
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
            violation(e);
        }
    }

    private void takeHello(ChannelHandlerContext ctx, ByteBuf frame) throws ProtocolException {
        try {
            if (greeted) {
                throw new ProtocolException(GoodbyeCode.MALFORMED, "a second HELLO: expected one for a connection");
            }
            Hello hello = Hello.decode(frame);
            if (hello.version() != Frame.VERSION) {
                throw new ProtocolException(
                        GoodbyeCode.VERSION,
                        "the client speaks version " + hello.version() + ": this server speaks " + Frame.VERSION);
            }
        } finally {
            frame.release();
        }
        greeted = true;
        ctx.writeAndFlush(server.welcome(), ctx.voidPromise());
    }

    /** Takes the frame over: it is released here, or with its {@link PendingRequest}. */
    private void takeRequest(ChannelHandlerContext ctx, ByteBuf frame, long arrivedNanos) throws ProtocolException {
        boolean kept = false;
        try {
            if (!greeted) {
                throw new ProtocolException(GoodbyeCode.MALFORMED, "a REQUEST before the HELLO");
            }
            RequestHeader.checkReserved(frame);
            int id = RequestHeader.target(frame);
            Target target = server.target(id);
            if (target == null) {
                String sentence = "the server has no target " + id;
                server.meters().unknownTarget();
                refuse(ctx, frame, arrivedNanos, Status.UNKNOWN_TARGET, sentence);
                return;
            }
            Status refusal = reasonToRefuse(frame, target);
            if (refusal != null) {
                target.meters().refused(refusal);
                refuse(ctx, frame, arrivedNanos, refusal, sentenceFor(refusal, frame, target));
                return;
            }
            boolean logged = target.log() != null && !RequestHeader.isReadOnly(frame);
            String wait = logged ? tooLongWait(target) : null;
            if (wait != null) {
                target.meters().refused(Status.OVERLOADED);
                refuse(ctx, frame, arrivedNanos, Status.OVERLOADED, wait);
                return;
            }
            Design.Serving by = Objects.requireNonNull(serving); // nothing is read before there is one
            if (logged || by.takesUnlogged()) {
                kept = true;
                take(ctx, by, target, frame, arrivedNanos);
            } else {
                answerUnlogged(ctx, target, frame, arrivedNanos);
            }
        } finally {
            if (!kept) {
                frame.release();
            }
        }
    }

    /**
     * Beyond its capacity a server refuses early what it would answer late. One request of each connection is taken all the
     * same, so that nobody is shut out by those who send more, and clients that wait for each answer never hear of it.
     */
    private @Nullable String tooLongWait(Target target) {
        RecordLog log = target.log();
        return log == null || !throttle.hasOutstanding() ? null : log.tooLongWait();
    }

    private @Nullable Status reasonToRefuse(ByteBuf frame, Target target) {
        boolean readOnly = RequestHeader.isReadOnly(frame);
        if (Frame.flags(frame) > RequestHeader.FLAG_READ_ONLY
                || RequestHeader.recordKind(frame) != RequestRecord.KIND) {
            return Status.UNSUPPORTED;
        }
        if (draining) {
            return Status.SHUTTING_DOWN;
        }
        if (readOnly) {
            return target.mayRead(frame) ? null : Status.UNSUPPORTED;
        }
        return RequestHeader.payloadBytes(frame) > target.maxPayloadBytes() ? Status.TOO_LARGE : null;
    }

    private static String sentenceFor(Status refusal, ByteBuf frame, Target target) {
        return switch (refusal) {
            case UNSUPPORTED -> sentenceForUnsupported(frame, target);
            case SHUTTING_DOWN -> "the server is closing";
            case TOO_LARGE ->
                "the log of target " + target.name() + " takes payloads of at most " + target.maxPayloadBytes()
                        + " bytes";
            default -> refusal.name();
        };
    }

    private static String sentenceForUnsupported(ByteBuf frame, Target target) {
        if (Frame.flags(frame) > RequestHeader.FLAG_READ_ONLY
                || RequestHeader.recordKind(frame) != RequestRecord.KIND) {
            return "this version takes the flag " + RequestHeader.FLAG_READ_ONLY + " (read-only) and records of kind "
                    + RequestRecord.KIND + " only";
        }
        return "the service " + target.machine().service().name() + " of target " + target.name()
                + " does not take this request as read-only: send it without the flag, to be logged";
    }

    private void take(ChannelHandlerContext ctx, Design.Serving by, Target target, ByteBuf frame, long arrivedNanos) {
        PendingRequest pending;
        ByteBuf reply = null;
        try {
            reply = newReply(ctx, frame);
            pending = new PendingRequest(this, target, frame, reply, arrivedNanos);
        } catch (Throwable e) {
            frame.release();
            ReferenceCountUtil.release(reply);
            throw e;
        }
        throttle.began(pending.bytes());
        server.replies().began();
        by.take(pending);
        throttle.update(ctx.channel());
    }

    /**
     * Whether a request is new, so that it is to be appended; else its outcome is told without that. Called on the thread
     * that takes this connection's requests to their logs, always the same one.
     */
    boolean admit(PendingRequest request, Target target) {
        boolean isNew = target.machine().admit(request, sessions[target.id()]);
        if (isNew) {
            sessions[target.id()] = request.session;
        }
        return isNew;
    }

    private void answerUnlogged(ChannelHandlerContext ctx, Target target, ByteBuf frame, long arrivedNanos) {
        ByteBuf reply = newReply(ctx, frame);
        boolean readOnly = RequestHeader.isReadOnly(frame);
        if (readOnly ? target.read(frame, reply) : target.execute(frame, reply)) {
            target.meters().answeredUnlogged(readOnly);
        } else {
            target.meters().refused(Status.FAILED);
            ReplyHeader.setRefusal(reply, Status.FAILED, target.machine().failedSentence());
        }
        ReplyHeader.setResidenceNanos(reply, System.nanoTime() - arrivedNanos);
        write(ctx, reply);
    }

    private void refuse(ChannelHandlerContext ctx, ByteBuf frame, long arrivedNanos, Status status, String sentence) {
        ByteBuf reply = newReply(ctx, frame);
        ReplyHeader.setRefusal(reply, status, sentence);
        ReplyHeader.setResidenceNanos(reply, System.nanoTime() - arrivedNanos);
        write(ctx, reply);
    }

    /** A reply as long as the request, its header written and its payload to be filled in. */
    private static ByteBuf newReply(ChannelHandlerContext ctx, ByteBuf request) {
        int bytes = request.readableBytes();
        ByteBuf reply = ctx.alloc().ioBuffer(bytes, bytes);
        ReplyHeader.begin(reply, request);
        return reply.writerIndex(bytes);
    }

    private void write(ChannelHandlerContext ctx, ByteBuf reply) {
        unflushed = true;
        ctx.write(reply, ctx.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (loop != null) {
            loop.readCompleted();
        }
        if (unflushed) {
            unflushed = false;
            ctx.flush();
        }
    }

    /**
     * The outcome of a request is known. Called on its log's thread, in log order, or on the event loop if the log refused
     * it at once; hands over and returns.
     */
    void finished(PendingRequest request) {
        if (finished.push(request)) {
            wakeUp();
        }
    }

    private void wakeUp() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("a request on a connection that never was");
        }
        try {
            ctx.executor().execute(answerFinished);
        } catch (RejectedExecutionException e) {
            // The event loops ended before the logs: nobody can be answered, and nothing else runs here any more.
            answerFinished();
        }
    }

    private void answerFinished() {
        PendingRequest first = finished.takeAll();
        if (first != null) {
            answer(first);
        }
    }

    /** Answers this request and those that are linked to it, at once. Called on the event loop. */
    void answer(PendingRequest first) {
        ChannelHandlerContext ctx = context();
        int replies = 0;
        for (PendingRequest request = first; request != null; request = request.next) {
            throttle.ended(request.bytes());
            ctx.write(request.takeReply(), ctx.voidPromise());
            replies++;
        }
        server.replies().ended(replies);
        unflushed = false;
        ctx.flush();
        for (PendingRequest request = first; request != null; request = request.next) {
            request.record();
        }
        throttle.update(ctx.channel());
    }

    /** Its thread broke on one of its requests. Called on that thread. */
    void failed(Throwable cause) {
        context().pipeline().fireExceptionCaught(cause);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        throttle.update(ctx.channel());
    }

    /** Takes no more requests. Those already appended are still answered. Called on the event loop. */
    void drain() {
        draining = true;
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            throttle.stop(ctx.channel());
        }
    }

    /** On which event loop it lives. */
    ChannelHandlerContext context() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("the connection is not in a pipeline yet");
        }
        return ctx;
    }

    boolean hasGreeted() {
        return greeted;
    }

    boolean isThrottled() {
        return throttle.isStopped();
    }

    /** Says why, if it still can, and closes. Called on the event loop; only the first call counts. */
    void sayGoodbye(GoodbyeCode code, String reason) {
        if (closing) {
            return;
        }
        closing = true;
        watchdog.stop();
        Farewell.say(context().channel(), code, reason);
    }

    private void violation(ProtocolException e) {
        if (!closing) {
            server.meters().violation(e.code());
        }
        sayGoodbye(e.code(), e.getMessage());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof ProtocolException e) {
            violation(e);
            return;
        }
        if (!(cause instanceof IOException)) {
            LOGGER.log(System.Logger.Level.WARNING, "a connection failed and is closed", cause);
        }
        // An IOException is a client that went away: its own business, and no news.
        ctx.close();
    }
}
