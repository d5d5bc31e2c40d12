package io.plog.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.FrameType;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Hello;
import io.plog.protocol.Incoming;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.RequestHeader;
import io.plog.server.targets.Target;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes an HTTP/1.1 connection look like one of the binary protocol: requests become frames for the {@code Connection} behind it,
 * whose replies become responses, in the order of the requests. So throttling, logging and exactly once are the same code.
 *
 * <pre>
 *   bytes --> HttpParser --> HttpBridge --> frame --> Connection --> log
 *   bytes &lt;-- HttpResponses &lt;-- HttpAnswers &lt;-- frame &lt;-- Connection &lt;-- durable
 * </pre>
 *
 * <p>A body's bytes are copied once, from where they were read into the frame. Event loop only.
 */
public final class HttpBridge extends ChannelDuplexHandler implements HttpParser.Receiver, Incoming {
    /** Bytes allocated for a body before any of it has arrived. */
    private static final int FIRST_PIECE = 128 * 1024;

    private final HttpContext front;
    private final LongSupplier nanoClock;

    // Since this was added to a pipeline, before anything else can happen.
    @SuppressWarnings("NullAway.Init")
    private HttpAnswers answers;

    @SuppressWarnings("NullAway.Init")
    private ChannelHandlerContext context;

    private final HttpParser parser = new HttpParser(this);
    private @Nullable HttpExchange receiving;
    private int frameBytes; // of the request that is being received, at most; 0 if it has no frame
    private int payloadLimit; // of the request that is being received
    private boolean isChunked;

    /** Serves one connection. */
    public HttpBridge(HttpContext front, LongSupplier nanoClock) {
        this.front = front;
        this.nanoClock = nanoClock;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        answers = new HttpAnswers(ctx, front, nanoClock);
    }

    @Override
    public boolean isMidFrame() {
        return parser.isMidRequest();
    }

    @Override
    public long frames() {
        return parser.requests();
    }

    @Override
    public long unfinishedBytes() {
        return receiving == null ? 0 : frameBytes;
    }

    @Override
    public long receivedBytes() {
        return receiving == null || receiving.frame == null ? 0 : receiving.frame.readableBytes();
    }

    @Override
    public long heldBytes() {
        return answers.heldBytes();
    }

    @Override
    public void drop() {} // done when the GOODBYE came by

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.fireChannelActive();
        ByteBuf hello = ctx.alloc().buffer(Hello.BYTES);
        Hello.encode(hello, "");
        ctx.fireChannelRead(hello);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        parser.stop();
        receiving = null;
        answers.abandon();
        ctx.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            parser.parse(in);
        } catch (HttpException e) {
            front.ended(isTooLarge(e.status()) ? GoodbyeCode.TOO_LARGE : GoodbyeCode.MALFORMED);
            end(e.status(), e.getMessage(), null);
        } finally {
            in.release();
        }
    }

    private static boolean isTooLarge(HttpStatus status) {
        return status == HttpStatus.CONTENT_TOO_LARGE
                || status == HttpStatus.URI_TOO_LONG
                || status == HttpStatus.HEADERS_TOO_LARGE;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.fireChannelReadComplete();
        answers.flushIfWritten();
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        answers.flush();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) throws Exception {
        ByteBuf frame = (ByteBuf) message;
        if (answers.isOver()) {
            frame.release();
            promise.tryFailure(new ClosedChannelException());
            return;
        }
        int type = Frame.type(frame);
        if (type == FrameType.GOODBYE.code()) {
            goodbye(ctx, frame, promise);
            return;
        }
        if (type == FrameType.REPLY.code()) {
            HttpExchange answered = answers.answer(frame);
            if (answered.isIdentified) {
                unparkNext(answered);
            }
        } else {
            frame.release(); // the WELCOME; GET / has what it says
        }
        promise.trySuccess();
    }

    /** Turns the GOODBYE of the connection behind this into the answer to the current request, if there is one. */
    @SuppressWarnings("FutureReturnValueIgnored") // the promise says what became of it
    private void goodbye(ChannelHandlerContext ctx, ByteBuf frame, ChannelPromise promise) throws ProtocolException {
        Goodbye goodbye;
        try {
            goodbye = Goodbye.decode(frame);
        } finally {
            frame.release();
        }
        boolean mid = parser.isMidRequest();
        parser.stop();
        GoodbyeCode code = GoodbyeCode.ofCode(goodbye.code());
        if (mid || code == GoodbyeCode.TOO_MANY) {
            boolean late = code == GoodbyeCode.IDLE;
            HttpStatus status = late ? HttpStatus.REQUEST_TIMEOUT : HttpStatus.SERVICE_UNAVAILABLE;
            end(status, late ? lateSentence() : goodbye.reason(), promise);
        } else {
            ctx.write(Unpooled.EMPTY_BUFFER, promise);
        }
    }

    private String lateSentence() {
        return "the rest of the request did not come: expected it within "
                + front.options().patience().toMillis() + " ms";
    }

    // ---- Requests ----

    @Override
    public int head(HttpHead head) throws HttpException {
        front.callers().check(head);
        HttpExchange exchange = answers.begin(head.identity(), head.method().equals("HEAD"), head.isVersion10());
        exchange.closes = head.closes();
        receiving = exchange;
        frameBytes = 0;
        isChunked = head.isChunked();
        Target target = HttpRouter.route(front, head, exchange, front.access().of(context.channel(), head.token()));
        payloadLimit = target == null ? front.options().maxPayloadBytes() : target.maxPayloadBytes();
        if (head.contentLength() > payloadLimit) {
            throw new HttpException(
                    HttpStatus.CONTENT_TOO_LARGE,
                    "a body of " + head.contentLength() + " bytes: expected at most " + payloadLimit);
        }
        if (target != null) {
            beginFrame(target, head, exchange);
        } else if (head.expectsContinue()) {
            // The client may send the body or not, so the beginning of the next request is unknown.
            exchange.closes = true;
            parser.stop();
            end();
        }
        return payloadLimit;
    }

    private void beginFrame(Target target, HttpHead head, HttpExchange exchange) {
        int announced = (int) Math.max(0, head.contentLength());
        int most = RequestHeader.BYTES + (isChunked ? payloadLimit : announced);
        ByteBuf frame = context.alloc().ioBuffer(Math.min(most, FIRST_PIECE), most);
        RequestHeader.write(frame, target.id(), exchange.client, exchange.number, announced);
        RequestHeader.setReadOnly(frame, HttpRouter.isReadOnly(head));
        exchange.frame = frame;
        exchange.awaitsContinue = head.expectsContinue();
        answers.sendContinue();
        frameBytes = most;
    }

    @Override
    public void body(ByteBuf in, int bytes) {
        HttpExchange exchange = receiving;
        if (exchange == null || exchange.frame == null) {
            in.skipBytes(bytes);
            return;
        }
        exchange.awaitsContinue = false;
        exchange.frame.writeBytes(in, bytes);
        if (frameBytes >= FrameDecoder.LARGE_BYTES) {
            context.fireUserEventTriggered(FrameDecoder.Receives.LARGE_FRAME);
        }
    }

    @Override
    public void end() {
        HttpExchange exchange = Objects.requireNonNull(receiving, "no request began");
        receiving = null;
        exchange.isReceiving = false;
        if (exchange.closes) {
            parser.stop();
        }
        ByteBuf frame = exchange.frame;
        if (frame == null) {
            answers.writeDue();
            return;
        }
        exchange.receivedNanos = nanoClock.getAsLong();
        if (isChunked) {
            RequestHeader.updateLength(frame);
        }
        if (!answers.parks(exchange)) { // one that is parked finds the first one's answer
            handOver(exchange, frame);
        }
    }

    private void handOver(HttpExchange exchange, ByteBuf frame) {
        answers.handedOver(exchange);
        context.fireChannelRead(frame);
    }

    /** A request with an identity was answered: hands over the next one with the same, if there is one. */
    private void unparkNext(HttpExchange answered) {
        HttpExchange parked = answers.parkedLike(answered);
        if (parked != null) {
            context.executor().execute(() -> unpark(parked));
        }
    }

    private void unpark(HttpExchange exchange) {
        ByteBuf frame = exchange.frame;
        if (frame != null && exchange.isParked && !answers.isOver()) {
            handOver(exchange, frame);
            context.fireChannelReadComplete();
        }
    }

    /**
     * The connection ends after this answer: to the request that is being received, or to one that never came to be one.
     *
     * @param written is notified when the answer is written, and closes the connection then; {@code null} if it is closed here
     */
    void end(HttpStatus status, String sentence, @Nullable ChannelPromise written) {
        parser.stop();
        HttpExchange exchange = receiving == null ? answers.begin(null, false, false) : receiving;
        receiving = null;
        exchange.isReceiving = false;
        exchange.release();
        exchange.closes = true;
        exchange.written = written;
        exchange.say(status, sentence);
        if (status == HttpStatus.SERVICE_UNAVAILABLE) {
            exchange.retryAfterSeconds = 1;
        }
        answers.writeDue();
    }
}
