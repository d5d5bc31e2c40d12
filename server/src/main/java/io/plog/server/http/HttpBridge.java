package io.plog.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameType;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Hello;
import io.plog.protocol.ProtocolException;
import io.plog.server.connection.Watchdog;
import java.nio.channels.ClosedChannelException;
import java.util.function.LongSupplier;

/**
 * Makes an HTTP/1.1 connection look like one of the binary protocol: requests become frames for the {@code Connection} behind it,
 * whose replies become responses, in the order of the requests. So throttling, logging and exactly once are the same code.
 *
 * <pre>
 *   bytes --> HttpParser --> HttpRequests --> frame --> Connection --> log
 *   bytes &lt;-- HttpResponses &lt;-- HttpAnswers &lt;-- frame &lt;-- Connection &lt;-- durable
 * </pre>
 *
 * <p>Event loop only.
 */
public final class HttpBridge extends ChannelDuplexHandler implements Watchdog.Incoming {
    private final HttpContext front;
    private final LongSupplier nanoClock;

    // Since this was added to a pipeline, before anything else can happen.
    @SuppressWarnings("NullAway.Init")
    private HttpAnswers answers;

    @SuppressWarnings("NullAway.Init")
    private HttpRequests requests;

    /**
     * Serves one connection.
     *
     * @param nanoClock as {@link System#nanoTime}
     */
    public HttpBridge(HttpContext front, LongSupplier nanoClock) {
        this.front = front;
        this.nanoClock = nanoClock;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        HttpQueue queue = new HttpQueue(ctx, front.options());
        answers = new HttpAnswers(ctx, front, queue, nanoClock);
        requests = new HttpRequests(ctx, front, queue, answers, nanoClock);
    }

    @Override
    public boolean isMidFrame() {
        return requests.parser().isMidRequest();
    }

    @Override
    public long frames() {
        return requests.parser().requests();
    }

    @Override
    public long unfinishedBytes() {
        return requests.unfinishedBytes();
    }

    @Override
    public long receivedBytes() {
        return requests.receivedBytes();
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
        requests.abandon();
        answers.abandon();
        ctx.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            requests.parser().parse(in);
        } catch (HttpException e) {
            front.meters().violation(isTooLarge(e.status()) ? GoodbyeCode.TOO_LARGE : GoodbyeCode.MALFORMED);
            requests.end(e.status(), e.getMessage(), null);
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
                requests.unparkNext(answered);
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
        boolean mid = requests.parser().isMidRequest();
        requests.parser().stop();
        GoodbyeCode code = GoodbyeCode.ofCode(goodbye.code());
        if (mid || code == GoodbyeCode.TOO_MANY) {
            boolean late = code == GoodbyeCode.IDLE;
            HttpStatus status = late ? HttpStatus.REQUEST_TIMEOUT : HttpStatus.SERVICE_UNAVAILABLE;
            requests.end(status, late ? lateSentence() : goodbye.reason(), promise);
        } else {
            ctx.write(Unpooled.EMPTY_BUFFER, promise);
        }
    }

    private String lateSentence() {
        return "the rest of the request did not come: expected it within "
                + front.options().patience().toMillis() + " ms";
    }
}
